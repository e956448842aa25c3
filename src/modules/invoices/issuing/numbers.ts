import { Logger } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { type Day, dayAt } from '../../../platform/time/time.js';
import type { DocumentSeries } from '../entities/tax-document.entity.js';
import type { InvoicesRepository, NumberingState } from '../invoices.repository.js';
import { financialYear, formatDocumentNumber, seriesName } from '../rules/document-number.js';
import { LAW_TIME_ZONE } from '../rules/law-time-zone.js';
import type { Draft, Issue } from './drafts.js';

const logger = new Logger('Documents');

/** The series of the financial year, with the time and the day of the next documents. */
export interface OpenSeries extends NumberingState {
  year: string;
  issuedAt: Date;
  issuedOn: Day;
}

/**
 * Locks the sellers, so numbers and times have one order. This lock is one for all orders and clients, so
 * transactions take it last, before the commit: a transaction that asks for documents may lock more orders,
 * stock and wallets later, as a top-up that pays orders or the next row of a file. With the lock taken at
 * once, two such transactions would deadlock, and all others would wait for a whole file.
 */
export async function openSeries(
  documents: InvoicesRepository,
  transaction: Transaction,
  backdatedTo?: Date,
): Promise<OpenSeries> {
  await documents.lockSellers(transaction);
  const state = await documents.readNumberingState(transaction);
  const year = financialYear(dayAt(backdatedTo ?? state.now, LAW_TIME_ZONE));
  const series = state.series.filter((one) => one.year === year);
  const issuedAt = backdatedTo ?? notBefore(series, state.now);
  const isHeld = state.isHeld && !backdatedTo;
  return { ...state, series, isHeld, year, issuedAt, issuedOn: dayAt(issuedAt, LAW_TIME_ZONE) };
}

/** A clock may go back. Numbers and times keep one order, and no note precedes its invoice. */
function notBefore(series: readonly DocumentSeries[], now: Date): Date {
  const last = Math.max(...series.map(({ issuedAt }) => issuedAt?.getTime() ?? 0), 0);
  const behindMs = last - now.getTime();
  if (behindMs <= 0) return now;
  const behind = `The database's clock is ${behindMs / 1_000} s behind the newest document.`;
  logger.warn(`${behind} New documents get the time of that one until the clock is past it.`);
  return new Date(last);
}

/** The next numbers of the series, without a gap: a transaction that fails gives them back. */
export function numberDrafts(
  drafts: readonly Draft[],
  { series, isHeld, year, issuedAt, issuedOn }: OpenSeries,
): (Draft & Issue)[] {
  if (isHeld)
    throw new DomainError(
      'conflict',
      'Invoices, notes and vouchers wait: this database is a restored backup or a copy, and later ' +
        'documents may have these numbers. The operator runs "invoice continue-after".',
    );
  const last = new Map(series.map((one) => [seriesName(one), one.last]));
  return drafts.map((draft) => {
    const own = { kind: draft.kind, year, seller: draft.seller };
    const name = seriesName(own);
    const count = (last.get(name) ?? 0) + 1;
    last.set(name, count);
    // The draft itself gets the number, because notes that follow it name their invoice.
    return Object.assign(draft, { number: formatDocumentNumber(own, count), issuedAt, issuedOn });
  });
}
