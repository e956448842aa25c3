import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, type FindOperator, LessThanOrEqual, MoreThan, type Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { onePage } from '../../platform/lists/one-page.js';
import { type Minor, minorFromNumeric, numericFromMinor } from '../../platform/money/money.js';
import type { PostingKind } from '../rules/posting.js';
import { WalletEntry } from '../wallet-entry.entity.js';
import { Wallet } from '../wallet.entity.js';
import { type PassbookLine, type PassbookRow, toPassbookLine } from './passbook-line.js';

/** How many lines a page has. */
const PAGE = 50;

/** How many lines of a file are read at a time. */
const PIECE = 1_000;

/** From a moment on, and before another. */
export interface Period {
  from?: Date;
  to?: Date;
}

export interface PassbookFilter extends Period {
  kind?: PostingKind;
}

export interface PassbookPage {
  lines: PassbookLine[];
  /** The older ones are those before this entry, if there are any. */
  older: number | undefined;
}

/** What a stretch of the passbook comes to. */
export interface Statement {
  opening: Minor;
  moneyIn: Minor;
  moneyOut: Minor;
  closing: Minor;
  /** How many entries there are. */
  entries: number;
}

/** A stretch of entries: those after the first number, up to the last one. */
interface Stretch {
  after: number;
  last: number;
}

/**
 * The last entry that was made before a moment. Entries are numbered in the order in which the wallet was locked, their times are those at
 * which their transactions began: a later entry may bear an earlier time, but none by longer than a transaction lives. SQL, because
 * the one index tells where to look and the numbers there tell which is the last. The ORDER BY makes PostgreSQL take that index.
 */
const LAST_BEFORE = {
  name: 'passbook-last-before',
  text: `
    SELECT coalesce(max(entry), 0)::float8 AS entry
      FROM (SELECT entry FROM wallet_entries
             WHERE client_id = $1 AND created_at < $2
               AND created_at >= (SELECT max(created_at) FROM wallet_entries WHERE client_id = $1 AND created_at < $2)
                                 - interval '5 minutes'
             ORDER BY created_at OFFSET 0) AS late`,
};

/** A client's wallet, as it reads it: what came in, what it was spent on, and what was left each time. */
@Injectable()
export class Passbook {
  constructor(
    private readonly database: Database,
    @InjectRepository(Wallet) private readonly wallets: Repository<Wallet>,
    @InjectRepository(WalletEntry) private readonly entries: Repository<WalletEntry>,
  ) {}

  async balance(clientId: number): Promise<Minor> {
    const { balance } = await this.wallets.findOneByOrFail({ clientId });
    return minorFromNumeric(balance);
  }

  /** When the wallet was first used. */
  async since(clientId: number): Promise<Date | undefined> {
    return (await this.entries.findOneBy({ clientId, entry: '1' }))?.createdAt;
  }

  /** The newest lines, or those before an entry; the newest first. */
  async page(clientId: number, filter: PassbookFilter, before?: number): Promise<PassbookPage> {
    const stretch = upTo(before, await this.stretchOf(clientId, filter));
    const found = await this.find(clientId, filter, stretch, PAGE + 1);
    const { rows: lines, last } = onePage(found, PAGE);
    return { lines, older: last?.entry };
  }

  /**
   * All lines, the newest first, for a file. Read piece by piece, so that a slow reader keeps no connection; what is written meanwhile is
   * not in it, and what was written never changes.
   */
  async *rows(clientId: number, filter: PassbookFilter): AsyncGenerator<PassbookRow> {
    let stretch = await this.stretchOf(clientId, filter);
    for (let size = PIECE; size === PIECE;) {
      const lines = await this.find(clientId, filter, stretch, PIECE);
      yield* lines.map(toRow);
      stretch = upTo(lines.at(-1)?.entry, stretch);
      size = lines.length;
    }
  }

  /** Opening and what came in, less what went out, is closing: periods that follow one another share no entry and leave none out. */
  async statement(clientId: number, period: Period): Promise<Statement> {
    const { after, last } = await this.stretchOf(clientId, period);
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
    const { moneyIn, moneyOut, entries } = sums!;
    return {
      opening,
      moneyIn: minorFromNumeric(moneyIn),
      moneyOut: minorFromNumeric(moneyOut),
      closing,
      entries,
    };
  }

  private async find(
    clientId: number,
    { kind }: PassbookFilter,
    { after, last }: Stretch,
    most: number,
  ): Promise<PassbookLine[]> {
    const found = await this.entries.find({
      where: { clientId, entry: between(after, last), ...(kind && { kind }) },
      order: { entry: 'DESC' },
      take: most,
    });
    return found.map(toPassbookLine);
  }

  private async stretchOf(clientId: number, { from, to }: Period): Promise<Stretch> {
    const after = from ? await this.lastBefore(clientId, from) : 0;
    const last = to ? await this.lastBefore(clientId, to) : await this.last(clientId);
    return { after, last };
  }

  private async last(clientId: number): Promise<number> {
    return Number((await this.wallets.findOneByOrFail({ clientId })).entries);
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

/** What of a stretch stands before an entry. */
function upTo(before: number | undefined, { after, last }: Stretch): Stretch {
  return { after, last: before === undefined ? last : Math.min(last, before - 1) };
}

function toRow(line: PassbookLine): PassbookRow {
  return {
    entry: String(line.entry),
    at: line.at.toISOString(),
    kind: line.kind,
    amount: numericFromMinor(line.amount),
    balance_after: numericFromMinor(line.balanceAfter),
    order_number: line.orderNumber ?? '',
    payment_id: line.paymentId ?? '',
    note: line.note ?? '',
  };
}
