import { BILLED_SIGN, DOCUMENT_KINDS, financialYear, numberOf, readNumber } from './document-number.js';

describe('The number of a document', () => {
  it.each([
    ['2026-03-31', '2526'],
    ['2026-04-01', '2627'],
    ['2026-12-31', '2627'],
    ['2027-01-01', '2627'],
    ['2099-04-01', '9900'],
    ['2100-03-31', '9900'],
    ['2109-06-01', '0910'],
  ])('of %s belongs to the year %s', (day, year) => {
    expect(financialYear(day)).toBe(year);
  });

  it.each(DOCUMENT_KINDS)('is read: %s', (kind) => {
    const parts = { kind, year: '2627', count: 1_234_567 };
    expect(readNumber(numberOf(kind, '2627', 1_234_567))).toEqual(parts);
  });

  it.each([
    '',
    'INV-2627-123',
    'XX-2627-0000001',
    'INV-26-0000001',
    'INV-2627-00000001',
    'xINV-2627-0000001',
  ])('is not %j', (text) => expect(readNumber(text)).toBeUndefined());

  it('is one of a kind that adds to what is billed, or takes from it', () => {
    expect(DOCUMENT_KINDS.map((kind) => BILLED_SIGN[kind])).toEqual([1, -1, 1, 0]);
  });

  it('names its series and has at most 16 characters', () => {
    expect(DOCUMENT_KINDS.map((kind) => numberOf(kind, '2627', 1))).toEqual([
      'INV-2627-0000001',
      'CN-2627-0000001',
      'DN-2627-0000001',
      'RV-2627-0000001',
    ]);
    expect(numberOf('invoice', '2627', 9_999_999)).toHaveLength(16);
    expect(() => numberOf('invoice', '2627', 10_000_000)).toThrow(
      new RangeError('The series INV-2627 is full.'),
    );
  });
});
