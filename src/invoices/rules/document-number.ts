import type { Day } from '../../platform/time/time.js';

export const DOCUMENT_KINDS = ['invoice', 'credit_note', 'debit_note', 'receipt_voucher'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** "2627": April 2026 to March 2027. */
export type FinancialYear = string;

/** The names of the series. */
const SERIES: Record<DocumentKind, string> = {
  invoice: 'INV',
  credit_note: 'CN',
  debit_note: 'DN',
  receipt_voucher: 'RV',
};

/** Credit notes lower what is billed; a receipt bills nothing. */
export const BILLED_SIGN: Record<DocumentKind, 1 | -1 | 0> = {
  invoice: 1,
  credit_note: -1,
  debit_note: 1,
  receipt_voucher: 0,
};

export function financialYear(day: Day): FinancialYear {
  const [year, month] = day.split('-').map(Number) as [number, number];
  const first = month < 4 ? year - 1 : year;
  return [first, first + 1].map((one) => String(one).slice(2)).join('');
}

/** "INV-2627". */
export function seriesName(kind: DocumentKind, year: FinancialYear): string {
  return `${SERIES[kind]}-${year}`;
}

/** At most 16 characters, as Rule 46 demands. */
export function numberOf(kind: DocumentKind, year: FinancialYear, count: number): string {
  const digits = String(count).padStart(7, '0');
  if (digits.length > 7) throw new RangeError(`The series ${seriesName(kind, year)} is full.`);
  return `${seriesName(kind, year)}-${digits}`;
}

/** The parts of a number. */
export function readNumber(
  number: string,
): { kind: DocumentKind; year: FinancialYear; count: number } | undefined {
  const parts = /^([A-Z]+)-(\d{4})-(\d{7})$/.exec(number);
  const kind = DOCUMENT_KINDS.find((one) => SERIES[one] === parts?.[1]);
  return kind && { kind, year: parts![2]!, count: Number(parts![3]) };
}

/** A page searches so many of the newest documents. Those of a month are fewer. */
export const MOST_SEARCHED = 20_000;
