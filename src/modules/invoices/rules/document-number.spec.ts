import {
  BILLED_SIGN,
  DOCUMENT_KINDS,
  financialYear,
  formatDocumentNumber,
  isVoucher,
  parseDocumentNumber,
  seriesName,
} from './document-number.js';

const INVOICES = { kind: 'invoice', year: '2627', seller: 1 } as const;
const seriesOf = (seller: number) => DOCUMENT_KINDS.map((kind) => ({ kind, year: '2627', seller }));

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

  it.each([...seriesOf(1), ...seriesOf(2), ...seriesOf(9)])('is read: %j', (series) => {
    expect(parseDocumentNumber(formatDocumentNumber(series, 123_456))).toEqual({ ...series, count: 123_456 });
  });

  it.each([
    '',
    'INV-2627-123',
    'INV-2627-000001',
    'XX-2627-0000001',
    'INV-26-0000001',
    'INV-2627-00000001',
    'xINV-2627-0000001',
    'INV2-2627-0000001',
    'INV2-2627-00001',
    'INV1-2627-000001',
    'INV22-2627-000001',
    'CN2-2627-000001',
  ])('is not %j', (text) => expect(parseDocumentNumber(text)).toBeUndefined());

  it('is one of a kind that adds to what is billed, or takes from it', () => {
    expect(DOCUMENT_KINDS.map((kind) => BILLED_SIGN[kind])).toEqual([1, -1, 1, 0, 0]);
  });

  it('is one of a voucher if an advance is received or paid back', () => {
    expect(DOCUMENT_KINDS.map(isVoucher)).toEqual([false, false, false, true, true]);
  });

  it('names its series and has at most 16 characters', () => {
    expect(seriesOf(1).map((series) => formatDocumentNumber(series, 1))).toEqual([
      'INV-2627-0000001',
      'CN-2627-0000001',
      'DN-2627-0000001',
      'RV-2627-0000001',
      'RF-2627-0000001',
    ]);
    expect(formatDocumentNumber(INVOICES, 9_999_999)).toHaveLength(16);
    expect(() => formatDocumentNumber(INVOICES, 10_000_000)).toThrow(
      new RangeError('The series INV-2627 is full.'),
    );
  });

  it('names a later registration of the seller, within 16 characters', () => {
    expect(seriesOf(2).map(seriesName).join(' ')).toBe('INV2-2627 CN2-2627 DN2-2627 RV2-2627 RF2-2627');
    expect(seriesOf(2).map((series) => formatDocumentNumber(series, 1))).toEqual([
      'INV2-2627-000001',
      'CN2-2627-0000001',
      'DN2-2627-0000001',
      'RV2-2627-0000001',
      'RF2-2627-0000001',
    ]);
    expect(() => formatDocumentNumber({ ...INVOICES, seller: 2 }, 1_000_000)).toThrow('INV2-2627 is full.');
  });
});
