import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, type FindOperator, LessThanOrEqual, MoreThan, type Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { type Minor, minorFromNumeric, numericFromMinor } from '../../platform/money/money.js';
import { plainTime, type TimeZone } from '../../platform/time/time.js';
import type { PostingKind } from './rules/posting.js';
import { Wallet, WalletEntry } from './wallet.entity.js';

/** An entry as its client sees it, without the name of the person who made it. */
export type PassbookLine = Pick<
  WalletEntry,
  'kind' | 'against' | 'key' | 'orderNumber' | 'paymentId' | 'note'
> & {
  entry: number;
  at: Date;
  amount: Minor;
  balanceAfter: Minor;
};

/** The columns of the file. A spreadsheet can add up the amounts. */
export const PASSBOOK_COLUMNS = [
  'entry',
  'at',
  'kind',
  'amount',
  'balance_after',
  'order_number',
  'store_order_id',
  'payment_id',
  'note',
] as const;

type PassbookRow = Record<(typeof PASSBOOK_COLUMNS)[number], string>;

/** Finds the stores' own ids of orders. The orders module is above this one. */
type StoreIdsOf = (orderNumbers: string[]) => Promise<Map<string, string>>;

/** Lines of a file that one query reads, in one turn of the event loop. */
const LINES_PER_QUERY = 100;

/** Entries of a statement that are in memory at once. Entry numbers have no gaps. */
const ENTRIES_PER_BATCH = 400;

/** Includes `from`, excludes `to`. */
interface Period {
  from?: Date;
  to?: Date;
}

export interface PassbookFilter extends Period {
  kind?: PostingKind;
}

/** The totals of a period. */
export interface StatementTotals {
  opening: Minor;
  moneyIn: Minor;
  moneyOut: Minor;
  closing: Minor;
  entries: number;
}

/** The entries after `after`, up to and including `last`. */
interface EntryRange {
  after: number;
  last: number;
}

/**
 * The last entry before a time. Entries are numbered in the order of locks, but dated when their transactions
 * began. So a later entry may have an earlier time, by at most the life of a transaction. SQL, because one
 * index finds the time and the numbers there tell which entry is the last. The ORDER BY makes PostgreSQL use
 * that index.
 */
const lastBefore = (time: string) => `
  SELECT coalesce(max(entry), 0) AS entry
    FROM (SELECT entry FROM wallet_entries
           WHERE client_id = $1 AND created_at < ${time}
             AND created_at >= (SELECT max(created_at)
                                  FROM wallet_entries WHERE client_id = $1 AND created_at < ${time})
                               - interval '5 minutes'
           ORDER BY created_at OFFSET 0) AS late`;

const LAST_BEFORE = {
  name: 'passbook-last-before',
  text: `SELECT entry::float8 FROM (${lastBefore('$2')}) AS last`,
};

/**
 * Payments of orders minus refunds, between each two times. The sum follows from the balances and the few
 * entries of other kinds, so the many payments of a large store are not read.
 */
const SPENT_BETWEEN = {
  name: 'passbook-spent',
  text: `
    WITH bound AS (
      SELECT b.place, last.entry, coalesce(e.balance_after, 0) AS balance
        FROM unnest($2::timestamptz[]) WITH ORDINALITY AS b (time, place)
       CROSS JOIN LATERAL (${lastBefore('b.time')}) AS last
        LEFT JOIN LATERAL (
               SELECT balance_after FROM wallet_entries
                WHERE client_id = $1 AND entry = last.entry LIMIT 1) AS e ON true)
    SELECT opening.balance - closing.balance + coalesce(others.amount, 0) AS spent
      FROM bound AS opening
      JOIN bound AS closing ON closing.place = opening.place + 1
     CROSS JOIN LATERAL (
           SELECT sum(amount) AS amount FROM wallet_entries
            WHERE client_id = $1 AND kind <> 'order_payment'
              AND kind IN ('top_up', 'payout', 'payout_failed', 'adjustment')
              AND entry > opening.entry AND entry <= closing.entry) AS others
     ORDER BY opening.place`,
};

/** A wallet as its client reads it: income, spending and the balance after each entry. */
@Injectable()
export class Passbook {
  constructor(
    private readonly database: Database,
    @InjectRepository(Wallet) private readonly wallets: Repository<Wallet>,
    @InjectRepository(WalletEntry) private readonly entries: Repository<WalletEntry>,
  ) {}

  /** The time of the first entry. */
  async since(clientId: number): Promise<Date | undefined> {
    return (await this.entries.findOneBy({ clientId, entry: '1' }))?.createdAt;
  }

  /** The newest lines, or the lines before an entry. The newest line comes first. */
  async newest(
    clientId: number,
    filter: PassbookFilter,
    before: number | undefined,
    limit: number,
  ): Promise<PassbookLine[]> {
    return (await this.newestEntries(clientId, filter, before, limit)).map(toPassbookLine);
  }

  /** The same with the person or program that made each entry, for the wholesaler. */
  async newestEntries(
    clientId: number,
    filter: PassbookFilter,
    before: number | undefined,
    limit: number,
  ): Promise<WalletEntry[]> {
    return this.find(clientId, filter, rangeBefore(before, await this.findRange(clientId, filter)), limit);
  }

  /**
   * All lines for a file, the newest first. Each batch is a query of its own, so a slow reader holds no
   * connection. Entries never change, and entries that are written meanwhile are left out.
   */
  async *rows(
    clientId: number,
    filter: PassbookFilter,
    timeZone: TimeZone,
    storeIdsOf: StoreIdsOf,
  ): AsyncGenerator<PassbookRow> {
    let range = await this.findRange(clientId, filter);
    for (let size = LINES_PER_QUERY; size === LINES_PER_QUERY;) {
      const lines = (await this.find(clientId, filter, range, LINES_PER_QUERY)).map(toPassbookLine);
      const storeIds = await storeIdsOf(lines.flatMap(({ orderNumber }) => orderNumber ?? []));
      yield* lines.map((line) => toRow(line, timeZone, storeIds));
      range = rangeBefore(lines.at(-1)?.entry, range);
      size = lines.length;
    }
  }

  /** The totals of a period, with exactly their entries: the oldest first, in batches. */
  async statementWithLines(
    clientId: number,
    period: Period,
  ): Promise<StatementTotals & { lines: AsyncGenerator<PassbookLine[]> }> {
    const range = await this.findRange(clientId, period);
    return { ...(await this.totalsOf(clientId, range)), lines: this.linesOf(clientId, range) };
  }

  /** Opening plus money in, minus money out, is closing. Periods in a row share no entry and miss none. */
  async statement(clientId: number, period: Period): Promise<StatementTotals> {
    return this.totalsOf(clientId, await this.findRange(clientId, period));
  }

  private async totalsOf(clientId: number, { after, last }: EntryRange): Promise<StatementTotals> {
    const [opening, closing] = [
      await this.balanceAfter(clientId, after),
      await this.balanceAfter(clientId, last),
    ];
    const sums = await this.entries
      .createQueryBuilder('e')
      .select('coalesce(sum(e.amount) FILTER (WHERE e.amount > 0), 0)', 'moneyIn')
      .addSelect('coalesce(-sum(e.amount) FILTER (WHERE e.amount < 0), 0)', 'moneyOut')
      .addSelect('count(*)::int', 'entries')
      .where({ clientId, entry: between(after, last) })
      .getRawOne<{ moneyIn: string; moneyOut: string; entries: number }>();
    const [moneyIn, moneyOut] = [minorFromNumeric(sums!.moneyIn), minorFromNumeric(sums!.moneyOut)];
    return { opening, moneyIn, moneyOut, closing, entries: sums!.entries };
  }

  private async *linesOf(clientId: number, { after, last }: EntryRange): AsyncGenerator<PassbookLine[]> {
    for (let from = after; from < last; from += ENTRIES_PER_BATCH) {
      const entries = await this.entries.find({
        where: { clientId, entry: between(from, Math.min(last, from + ENTRIES_PER_BATCH)) },
        order: { entry: 'ASC' },
      });
      yield entries.map(toPassbookLine);
    }
  }

  /** The cost of orders, less refunds, from each of these times to the next one. */
  async spentBetween(clientId: number, times: readonly Date[]): Promise<Minor[]> {
    const found = await this.database.query<{ spent: string }>(SPENT_BETWEEN, [clientId, times]);
    return found.map(({ spent }) => minorFromNumeric(spent));
  }

  private find(
    clientId: number,
    { kind }: PassbookFilter,
    { after, last }: EntryRange,
    limit: number,
  ): Promise<WalletEntry[]> {
    return this.entries.find({
      where: { clientId, entry: between(after, last), ...(kind && { kind }) },
      order: { entry: 'DESC' },
      take: limit,
    });
  }

  private async findRange(clientId: number, { from, to }: Period): Promise<EntryRange> {
    const after = from ? await this.lastBefore(clientId, from) : 0;
    if (to) return { after, last: await this.lastBefore(clientId, to) };
    const { entries } = await this.wallets.findOneByOrFail({ clientId });
    return { after, last: Number(entries) };
  }

  private async lastBefore(clientId: number, moment: Date): Promise<number> {
    const [found] = await this.database.query<{ entry: number }>(LAST_BEFORE, [clientId, moment]);
    return found!.entry;
  }

  private async balanceAfter(clientId: number, entry: number): Promise<Minor> {
    const found = await this.entries.findOneBy({ clientId, entry: String(entry) });
    return found ? minorFromNumeric(found.balanceAfter) : 0;
  }
}

function between(after: number, last: number): FindOperator<string> {
  return And(MoreThan(String(after)), LessThanOrEqual(String(last)));
}

/** The part of a range before an entry. */
function rangeBefore(before: number | undefined, { after, last }: EntryRange): EntryRange {
  return { after, last: before === undefined ? last : Math.min(last, before - 1) };
}

function toPassbookLine(entry: WalletEntry): PassbookLine {
  const { createdAt: at, kind, against, key, orderNumber, paymentId, note } = entry;
  const [amount, balanceAfter] = [minorFromNumeric(entry.amount), minorFromNumeric(entry.balanceAfter)];
  return {
    entry: Number(entry.entry),
    at,
    kind,
    against,
    key,
    amount,
    balanceAfter,
    orderNumber,
    paymentId,
    note,
  };
}

function toRow(line: PassbookLine, timeZone: TimeZone, storeIds: Map<string, string>): PassbookRow {
  return {
    entry: String(line.entry),
    at: plainTime(line.at, timeZone),
    kind: line.kind,
    amount: numericFromMinor(line.amount),
    balance_after: numericFromMinor(line.balanceAfter),
    order_number: line.orderNumber ?? '',
    store_order_id: storeIds.get(line.orderNumber ?? '') ?? '',
    payment_id: line.paymentId ?? '',
    note: line.note ?? '',
  };
}
