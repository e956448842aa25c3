import {
  patternOfCheque,
  describeMeans,
  describeReference,
  readPaidOn,
  readReference,
  readTds,
  readUtr,
  withoutMeans,
} from './read-inputs.js';

describe('readTds', () => {
  it.each([
    ['', 0],
    [' 0.00 ', 0],
    ['0.01', 1],
    ['100', 10_000],
  ])('reads %j of ₹400', (text, tds) => expect(readTds(text, 40_000)).toBe(tds));

  it.each([
    ['100.01', 'The deducted tax must be at most 20 % of the transfer with the tax.'],
    ['-1', 'The amount must be more than 0 and at most 100000000.00.'],
    ['1 0', 'The amount must be a plain number such as 12.50.'],
  ])('refuses %j of ₹400', (text, message) => {
    expect(() => readTds(text, 40_000)).toThrow(expect.objectContaining({ code: 'invalid_value', message }));
  });
});

describe('readPaidOn', () => {
  it.each([
    ['', '2026-11-28'],
    [' ', '2026-11-28'],
    ['2026-11-28', '2026-11-28'],
    ['2025-11-27', '2025-11-27'],
  ])('reads %j', (text, day) => expect(readPaidOn(text, '2026-11-28')).toBe(day));

  it.each(['2026-11-29', '2025-11-26', 'yesterday'])('refuses %j', (text) => {
    const message = 'The day must be today or one of the last 366 days, such as 2026-11-28.';
    expect(() => readPaidOn(text, '2026-11-28')).toThrow(
      expect.objectContaining({ code: 'invalid_value', message }),
    );
  });
});

describe('readReference', () => {
  const MEANS = { cheque: 'Cheque', cash: 'Cash' };

  it.each([
    ['utr', 'n123 4567 8901 2345', 'N123456789012345', 'UTR N123456789012345'],
    ['', '432112345678', '432112345678', 'UTR 432112345678'],
    ['cheque', ' 000123 - Hdfc, Pune ', 'CHEQUE 000123 HDFC PUNE', 'cheque 000123 HDFC PUNE'],
    ['cheque', '1 22 hdfc', 'CHEQUE 1 22 HDFC', 'cheque 1 22 HDFC'],
    ['cheque', '1020 hdfc', 'CHEQUE 1020 HDFC', 'cheque 1020 HDFC'],
    ['cash', 'r/17', 'CASH R 17', 'cash R 17'],
    ['cash', `1 ${'A'.repeat(58)}`, `CASH 1 ${'A'.repeat(58)}`, `cash 1 ${'A'.repeat(58)}`],
  ])('of %j reads %j', (kind, text, reference, words) => {
    expect(readReference(kind, text)).toBe(reference);
    expect(describeReference(reference)).toBe(words);
    expect(describeMeans(reference)).toBe(MEANS[kind as keyof typeof MEANS] ?? 'Bank transfer');
    expect(patternOfCheque(reference) === undefined).toBe(kind !== 'cheque');
  });

  it.each([
    ['utr', '123456', 'The UTR must be'],
    ['cheque', '123456', 'The number of the cheque and its bank'],
    ['cheque', 'HDFC', 'The number of the cheque and its bank'],
    ['cheque', 'HDFC 12 Pune', 'The number of the cheque and its bank'],
    ['cheque', '123456 12', 'The number of the cheque and its bank'],
    ['cheque', `1 ${'A'.repeat(59)}`, 'in at most 60 characters'],
    ['cash', 'yesterday', 'The number of your receipt'],
  ])('of %j refuses %j', (kind, text, message) => {
    const reason = { code: 'invalid_value', message: expect.stringContaining(message) as string };
    expect(() => readReference(kind, text)).toThrow(expect.objectContaining(reason));
  });
});

describe('patternOfCheque', () => {
  it.each([
    ['CHEQUE 001020 HDFC PUNE', '^CHEQUE 0*1020 HDFC( |$)'],
    ['CHEQUE 1020 HDFC', '^CHEQUE 0*1020 HDFC( |$)'],
    ['CHEQUE 000 SBI', '^CHEQUE 0* SBI( |$)'],
    ['CASH 1020', undefined],
    ['N123456789012345', undefined],
  ])('of %j is %j', (reference, pattern) => {
    expect(patternOfCheque(reference)).toBe(pattern);
  });
});

describe('readUtr', () => {
  it('accepts the spellings of banks and people', () => {
    expect(['N123456789012345', 'n123 4567 8901 2345', ' N-1234-5678-9012-345 '].map(readUtr)).toEqual(
      Array.from({ length: 3 }, () => 'N123456789012345'),
    );
  });

  it.each(['', '12345', 'N12345678901234567890123', '1.23457E+11', 'N1234567890=2345'])(
    'refuses %j',
    (text) => {
      expect(() => readUtr(text)).toThrow('UTR must be');
    },
  );
});

it.each([
  ['N123456789012345', 'UTR N123456789012345', 'N123456789012345'],
  ['CHEQUE 123456 HDFC PUNE', 'cheque 123456 HDFC PUNE', '123456 HDFC PUNE'],
  ['CASH 7', 'cash 7', '7'],
])('The reference %j is "%s", and after its kind "%s"', (reference, words, rest) => {
  expect([describeReference(reference), withoutMeans(reference)]).toEqual([words, rest]);
});

it.each(['N123456789012345, bank fee of 50', 'N123456789012345, not CHEQUE 1 but CASH 2'])(
  'The note "%s" keeps the reference of its transfer',
  (note) => expect(withoutMeans(note)).toBe(note),
);
