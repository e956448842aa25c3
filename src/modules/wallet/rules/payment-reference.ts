import type { Minor } from '../../../platform/money/money.js';
import type { Day } from '../../../platform/time/time.js';

/** UPI and IMPS have 12 digits, NEFT 16 characters and RTGS 22. */
const UTR = /^[A-Z0-9]{10,22}$/;

/** The bank's number of a transfer, normalised for comparison. Undefined if it is none. */
export function parseUtr(text: string): string | undefined {
  const utr = text.replace(/[\s-]/g, '').toUpperCase();
  return UTR.test(utr) ? utr : undefined;
}

const wordsOf = (text: string) => [...text.toUpperCase().matchAll(/[A-Z0-9]+/g)].map(([word]) => word);

const hasDigit = (word: string) => /\d/.test(word);

/** A reference in one spelling: a UTR that was typed in groups is one word. Other texts stay. */
export function joinReference(text: string | undefined): string | undefined {
  if (text === undefined || !wordsOf(text).every(hasDigit)) return text;
  return parseUtr(text) ?? text;
}

const numberIn = (text: string) => wordsOf(text).find(hasDigit) ?? '';

/** The first word with a digit, without leading zeros. Equal for two spellings of one reference. */
export function referenceKey(text: string): string {
  return numberIn(text).replace(/^0+/, '');
}

const isCheque = (text: string) => /\b(CHEQUE|CHQ)\b/i.test(text);
const isCash = (text: string) => /\bCASH\b/i.test(text);

/**
 * What stands behind a cheque's number: its bank, which may be left out, and branch or account, by which a
 * person tells two cheques apart. A comma ends it.
 */
function bankOf(text: string): string {
  const number = numberIn(text);
  const after = text.toUpperCase().split(number).slice(1).join(number).split(',')[0]!;
  return wordsOf(after)
    .filter((word) => word !== 'BANK')
    .join(' ');
}

const hasUtr = (text: string) => numberIn(text).length >= 10;

/**
 * Whether the text has a UTR, the number of the gateway, of a cheque or of a receipt for cash. A short number
 * is a reference only together with its kind.
 */
export function namesPayment(text: string): boolean {
  return referenceKey(text) !== '' && (hasUtr(text) || isCheque(text) || isCash(text));
}

/** Whether both texts name one payment. Numbers of cheques are given again by each bank. */
export function isSamePayment(one: string, other: string): boolean {
  if (![one, other].every(namesPayment) || referenceKey(one) !== referenceKey(other)) return false;
  if (hasUtr(one)) return true;
  const [bank, otherBank] = [bankOf(one), bankOf(other)];
  const isSameBank = bank === '' || otherBank === '' || bank === otherBank;
  return isCash(one) === isCash(other) && (isCash(one) || isSameBank);
}

/** An entry with a reference, in the wallet of any client. */
export interface ReferenceUse {
  /** Its client and its number there. */
  id: string;
  clientId: number;
  client: string;
  orderNumber: string | null;
  paymentId: string | null;
  key: string;
  /** The text with the reference. */
  text: string;
  amount: Minor;
  day: Day;
}

/** The uses that a person saw and accepted, by their ids. */
export type AcceptedUses = 'any' | readonly string[];

const UNDOING = 'undone:';

/** The key of the entry that undoes another one. */
export const undoingKey = (key: string): string => `${UNDOING}${key}`;

export const isUndoing = ({ key }: { key: string }): boolean => key.startsWith(UNDOING);

/** The uses that no entry of the same client took back again. An undone payment is undone by its key. */
export function usesInForce(all: readonly ReferenceUse[]): ReferenceUse[] {
  const undone = new Set(all.map(({ clientId, key }) => `${clientId} ${key}`));
  const entries = all.filter(
    (one) => !isUndoing(one) && !undone.has(`${one.clientId} ${undoingKey(one.key)}`),
  );
  const rest = [...entries];
  const isTakenBack = ({ clientId, amount }: ReferenceUse) => {
    const at = rest.findIndex((one) => one.clientId === clientId && one.amount === -amount);
    return rest.splice(at, at < 0 ? 0 : 1).length > 0;
  };
  return entries.filter((use) => Math.sign(use.amount) === 1 && !isTakenBack(use));
}

/** The use that is the same payment for certain, which no person can accept. */
export function findRepeatedUse(
  uses: readonly ReferenceUse[],
  payment: { amount: Minor; day: Day },
): ReferenceUse | undefined {
  return uses.find(({ amount, day }) => amount === payment.amount && day === payment.day);
}
