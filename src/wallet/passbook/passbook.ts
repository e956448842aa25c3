import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, type FindOperator, LessThanOrEqual, MoreThan, type Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
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

/** Beside which entry a page lies; the newest page lies beside none. */
export interface PassbookPlace {
  before?: number;
  after?: number;
}

export interface PassbookPage {
  lines: PassbookLine[];
  /** Where newer and older lines are, if there are any. */
  newer: PassbookPlace | undefined;
  older: PassbookPlace | undefined;
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
  upTo: number;
}

/**
 * The last entry that was made before a moment. Entries are numbered in the order in which the wallet was locked, their times are those at
 * which their transactions began: a later entry may bear an earlier time, but none by longer than a transaction lives. SQL, because
 * the one index tells where to look and the numbers there tell which is the last.
 */
const LAST_BEFORE = {
  name: 'passbook-last-before',
  text: `
    SELECT coalesce(max(entry), 0)::float8 AS entry
      FROM wallet_entries
     WHERE client_id = $1 AND created_at < $2
       AND created_at >= (SELECT max(created_at) FROM wallet_entries WHERE client_id = $1 AND created_at < $2) - interval '5 minutes'`,
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

  /** The newest lines, or those beside a place; the newest first. */
  async page(clientId: number, filter: PassbookFilter, place: PassbookPlace = {}): Promise<PassbookPage> {
    const stretch = await this.stretchOf(clientId, filter);
    if (place.after === undefined) return this.olderPage(clientId, filter, stretch, place.before);
    const found = await this.find(clientId, filter, narrowed(stretch, { after: place.after }), 'ASC');
    // Where newer lines do not fill a page, older ones do.
    if (found.length <= PAGE) return this.olderPage(clientId, filter, stretch, undefined);
    const lines = found.slice(0, PAGE).toReversed();
    return { lines, newer: { after: lines[0]!.entry }, older: { before: lines.at(-1)!.entry } };
  }

  /**
   * All lines, the newest first, for a file. Read piece by piece, so that a slow reader keeps no connection; what is written meanwhile is
   * not in it, and what was written never changes.
   */
  async *rows(clientId: number, filter: PassbookFilter): AsyncGenerator<PassbookRow> {
    let stretch = await this.stretchOf(clientId, filter);
    for (let size = PIECE; size === PIECE;) {
      const lines = await this.find(clientId, filter, stretch, 'DESC', PIECE);
      yield* lines.map(toRow);
      stretch = narrowed(stretch, { before: lines.at(-1)?.entry });
      size = lines.length;
    }
  }

  /** Opening and what came in, less what went out, is closing: periods that follow one another share no entry and leave none out. */
  async statement(clientId: number, period: Period): Promise<Statement> {
    const { after, upTo } = await this.stretchOf(clientId, period);
    const [opening, closing] = [
      await this.balanceAfter(clientId, after),
      await this.balanceAfter(clientId, upTo),
    ];
    const sums = await this.entries
      .createQueryBuilder('e')
      .select('coalesce(sum(e.amount) FILTER (WHERE e.amount > 0), 0)', 'moneyIn')
      .addSelect('coalesce(-sum(e.amount) FILTER (WHERE e.amount < 0), 0)', 'moneyOut')
      .addSelect('count(*)::int', 'entries')
      .where({ clientId, entry: between(after, upTo) })
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

  private async olderPage(
    clientId: number,
    filter: PassbookFilter,
    stretch: Stretch,
    before: number | undefined,
  ): Promise<PassbookPage> {
    const found = await this.find(clientId, filter, narrowed(stretch, { before }), 'DESC');
    const lines = found.slice(0, PAGE);
    return {
      lines,
      newer: before === undefined || lines.length === 0 ? undefined : { after: lines[0]!.entry },
      older: found.length > PAGE ? { before: lines.at(-1)!.entry } : undefined,
    };
  }

  private async find(
    clientId: number,
    { kind }: PassbookFilter,
    { after, upTo }: Stretch,
    order: 'ASC' | 'DESC',
    most = PAGE + 1,
  ): Promise<PassbookLine[]> {
    const found = await this.entries.find({
      where: { clientId, entry: between(after, upTo), ...(kind && { kind }) },
      order: { entry: order },
      take: most,
    });
    return found.map(toPassbookLine);
  }

  private async stretchOf(clientId: number, { from, to }: Period): Promise<Stretch> {
    const after = from ? await this.lastBefore(clientId, from) : 0;
    const upTo = to ? await this.lastBefore(clientId, to) : await this.last(clientId);
    return { after, upTo };
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

function between(after: number, upTo: number): FindOperator<string> {
  return And(MoreThan(String(after)), LessThanOrEqual(String(upTo)));
}

function narrowed({ after, upTo }: Stretch, place: PassbookPlace): Stretch {
  return {
    after: Math.max(after, place.after ?? 0),
    upTo: Math.min(upTo, (place.before ?? Infinity) - 1),
  };
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
