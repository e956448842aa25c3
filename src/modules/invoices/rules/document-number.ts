import type { Day } from '../../../platform/time/time.js';

export const DOCUMENT_KINDS = [
  'invoice',
  'credit_note',
  'debit_note',
  'receipt_voucher',
  'refund_voucher',
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** "2627": April 2026 to March 2027. */
export type FinancialYear = string;

/** The names of the series. */
export const SERIES: Record<DocumentKind, string> = {
  invoice: 'INV',
  credit_note: 'CN',
  debit_note: 'DN',
  receipt_voucher: 'RV',
  refund_voucher: 'RF',
};

/** Credit notes lower what is billed; vouchers of advances bill nothing. */
export const BILLED_SIGN: Record<DocumentKind, 1 | -1 | 0> = {
  invoice: 1,
  credit_note: -1,
  debit_note: 1,
  receipt_voucher: 0,
  refund_voucher: 0,
};

/** An advance is received, or paid back. */
export const isVoucher = (kind: DocumentKind) => BILLED_SIGN[kind] === 0;

export function financialYear(day: Day): FinancialYear {
  const [year, month] = day.split('-').map(Number) as [number, number];
  const first = month < 4 ? year - 1 : year;
  return [first, first + 1].map((one) => String(one).slice(2)).join('');
}

/** A series of one registration of the seller, in one financial year. */
export interface SeriesKey {
  kind: DocumentKind;
  year: FinancialYear;
  /** 1 is the first registration. */
  seller: number;
}

/** The limit of Rule 46. */
const MAX_NUMBER_LENGTH = 16;
const MAX_DIGITS = 7;

/** "INV-2627", or "INV2-2627" of the second registration. */
export function seriesName({ kind, year, seller }: SeriesKey): string {
  return `${SERIES[kind]}${seller === 1 ? '' : seller}-${year}`;
}

export function formatDocumentNumber(series: SeriesKey, count: number): string {
  const [name, digitCount] = [seriesName(series), digitsOf(series)];
  const digits = String(count).padStart(digitCount, '0');
  if (digits.length > digitCount) throw new RangeError(`The series ${name} is full.`);
  return `${name}-${digits}`;
}

const digitsOf = (series: SeriesKey) =>
  Math.min(MAX_DIGITS, MAX_NUMBER_LENGTH - seriesName(series).length - 1);

/** The parts of a number. */
export function parseDocumentNumber(number: string): (SeriesKey & { count: number }) | undefined {
  const parts = /^([A-Z]+)([2-9]?)-(\d{4})-(\d{6,7})$/.exec(number);
  const kind = DOCUMENT_KINDS.find((one) => SERIES[one] === parts?.[1]);
  if (!kind) return undefined;
  const [, , seller, year, digits] = parts as unknown as [string, string, string, string, string];
  const series = { kind, year, seller: Number(seller || 1) };
  return digits.length === digitsOf(series) ? { ...series, count: Number(digits) } : undefined;
}

/** A page searches this many of the newest documents. A month has fewer. */
export const MAX_SEARCHED_DOCUMENTS = 20_000;
