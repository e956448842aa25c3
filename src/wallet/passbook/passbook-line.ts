import { type Minor, minorFromNumeric } from '../../platform/money/money.js';
import type { Account, PostingKind } from '../rules/posting.js';
import type { WalletEntry } from '../wallet-entry.entity.js';

/** An entry of a wallet as its client sees it. Who did it is left out: the wholesaler's people are not the client's business. */
export interface PassbookLine {
  entry: number;
  at: Date;
  kind: PostingKind;
  against: Account;
  amount: Minor;
  balanceAfter: Minor;
  orderNumber: string | null;
  paymentId: string | null;
  note: string | null;
}

export function toPassbookLine(entry: WalletEntry): PassbookLine {
  return {
    entry: Number(entry.entry),
    at: entry.createdAt,
    kind: entry.kind,
    against: entry.against,
    amount: minorFromNumeric(entry.amount),
    balanceAfter: minorFromNumeric(entry.balanceAfter),
    orderNumber: entry.orderNumber,
    paymentId: entry.paymentId,
    note: entry.note,
  };
}

/** The columns of the file, of which amounts are numbers that a spreadsheet adds up. */
export const PASSBOOK_COLUMNS = [
  'entry',
  'at',
  'kind',
  'amount',
  'balance_after',
  'order_number',
  'payment_id',
  'note',
] as const;

export type PassbookRow = Record<(typeof PASSBOOK_COLUMNS)[number], string>;
