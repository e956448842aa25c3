import { DomainError } from '../../../platform/errors/domain-error.js';
import { type Day, daysBetween, parseDay } from '../../../platform/time/time.js';
import type { Minor } from '../../../platform/money/money.js';
import { readAmount } from '../../../platform/money/read-amount.js';
import { parseUtr } from '../../wallet/rules/payment-reference.js';

const MAX_DAYS_AGO = 366;

/** The tax is at most a fifth of what the client owed: a quarter of what it sent. */
export function readTds(text: string, received: Minor): Minor {
  if (/^[0.]*$/.test(text.trim())) return 0;
  const tds = readAmount(text);
  if (tds * 4 <= received) return tds;
  throw new DomainError(
    'invalid_value',
    'The deducted tax must be at most 20 % of the transfer with the tax.',
  );
}

/** The day of a payout on the bank statement. Without a text it is today. */
export function readPaidOn(text: string, today: Day): Day {
  const day = text.trim() === '' ? today : parseDay(text);
  if (day !== undefined && day <= today && daysBetween(day, today) <= MAX_DAYS_AGO) return day;
  throw new DomainError(
    'invalid_value',
    'The day must be today or one of the last 366 days, such as 2026-11-28.',
  );
}

/** The bank's number of a transfer, normalised for comparison. */
export function readUtr(text: string): string {
  const utr = parseUtr(text);
  if (utr !== undefined) return utr;
  throw new DomainError(
    'invalid_value',
    'The UTR must be the 10 to 22 letters and digits that the bank gave.',
  );
}

/** Numbers of cheques are given again by each bank, so the bank is a part of the reference. */
const REFERENCES = new Map([
  [
    'cheque',
    { pattern: /^\d+ .*\p{L}/u, what: 'The number of the cheque and its bank, such as 123456 HDFC' },
  ],
  ['cash', { pattern: /\d/, what: 'The number of your receipt for the cash' }],
]);

const MAX_REFERENCE = 60;

/**
 * The reference of money that staff record, normalised for comparison: a UTR, or one that begins with its
 * kind and a blank, which no UTR has.
 */
export function readReference(kind: string, text: string): string {
  const own = REFERENCES.get(kind);
  if (!own) return readUtr(text);
  const reference = text
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (own.pattern.test(reference) && reference.length <= MAX_REFERENCE)
    return `${kind.toUpperCase()} ${reference}`;
  throw new DomainError(
    'invalid_value',
    `${own.what}, must be here, in at most ${MAX_REFERENCE} characters.`,
  );
}

export function isUtr(reference: string): boolean {
  return !reference.includes(' ');
}

/** How money came, by its reference. */
export function describeMeans(reference: string): 'Bank transfer' | 'Cash' | 'Cheque' {
  if (isUtr(reference)) return 'Bank transfer';
  return reference.startsWith('CASH ') ? 'Cash' : 'Cheque';
}

/**
 * What "000123 HDFC" and "123 HDFC Bank" have in common, as a pattern for references. Undefined if it is no
 * cheque.
 */
export function patternOfCheque(reference: string): string | undefined {
  const [kind, number, bank] = reference.split(' ');
  return kind === 'CHEQUE' ? `^CHEQUE 0*${number!.replace(/^0+/, '')} ${bank}( |$)` : undefined;
}

/** "UTR 432112345678", "cheque 123456 HDFC". */
export function describeReference(reference: string): string {
  if (isUtr(reference)) return `UTR ${reference}`;
  return `${describeMeans(reference).toLowerCase()} ${withoutMeans(reference)}`;
}

/** A reference, or a note that begins with one, without the kind that `describeMeans` says. */
export function withoutMeans(note: string): string {
  return note.replace(/^(CHEQUE|CASH) /, '');
}
