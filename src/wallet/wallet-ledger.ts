import { Injectable } from '@nestjs/common';
import { In, Not } from 'typeorm';
import { clientNotFound } from '../auth/clients/client-finder.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { amountFromMinor, minorFromNumeric, numericFromMinor, type Minor } from '../platform/money/money.js';
import type { Transaction } from '../platform/database/database.js';
import type { Posting } from './rules/posting.js';
import { WalletEntry } from './wallet-entry.entity.js';
import { Wallet } from './wallet.entity.js';

/**
 * The postings of one client in one statement, which finds out whether there is enough at each of them: the balance and its entries
 * cannot part, and no two requests can spend the same money. Raw, because one statement that feeds another is what makes it so.
 */
const POST = {
  name: 'wallet-post',
  text: `
    WITH posting AS (
           SELECT *, sum(amount) OVER (ORDER BY position) AS running
             FROM unnest($2::text[], $3::text[], $4::numeric[], $5::text[], $6::text[], $7::uuid[], $8::text[]) WITH ORDINALITY
               AS given (kind, against, amount, key, order_number, payment_id, note, position)),
         wallet AS (
           UPDATE wallets w
              SET balance = w.balance + given.total, entries = w.entries + given.count
             FROM (SELECT sum(amount) AS total, count(*) AS count, min(running) AS lowest FROM posting) AS given
            WHERE w.client_id = $1 AND w.balance + given.lowest >= 0
           RETURNING w.balance - given.total AS before, w.entries - given.count AS entries, w.balance)
    INSERT INTO wallet_entries (client_id, entry, kind, against, amount, balance_after, key, order_number, payment_id, actor, note)
    SELECT $1, wallet.entries + position, kind, against, amount, wallet.before + running, key, order_number, payment_id, $9, note
      FROM wallet, posting
     ORDER BY position
    RETURNING (SELECT balance FROM wallet) AS balance`,
};

const UNIQUE_VIOLATION = '23505';
const NUMERIC_OVERFLOW = '22003';
const KEYS = ['wallet_entries_key_unique', 'wallet_entries_gateway_once'];

/** What was to be posted has been posted before. The transaction is lost, and needs not be made again. */
export class AlreadyPosted extends DomainError {
  constructor(cause: unknown) {
    super('conflict', 'This was posted before.', { cause });
  }
}

/** The one way in which money moves. Its row is the last that a transaction locks. */
@Injectable()
export class WalletLedger {
  /** All of them, one after the other, or none. Gives the balance afterwards. */
  async post(
    transaction: Transaction,
    clientId: number,
    actor: string,
    postings: readonly Posting[],
  ): Promise<Minor> {
    const [posted] = await transaction
      .query<{ balance: string }>(POST, [clientId, ...columnsOf(postings), actor])
      .catch((error: unknown) => {
        throw isRepetition(error) ? new AlreadyPosted(error) : isOverflow(error) ? tooMuch(error) : error;
      });
    if (!posted) throw await this.notEnough(transaction, clientId, postings);
    return minorFromNumeric(posted.balance);
  }

  /** As it is at this moment; what is to be spent of it is decided by posting alone. */
  async balance({ manager }: Transaction, clientId: number): Promise<Minor> {
    const wallet = await manager.findOneBy(Wallet, { clientId });
    if (!wallet) throw clientNotFound(clientId);
    return minorFromNumeric(wallet.balance);
  }

  /** Until the end of the transaction nobody else posts to it, or does what is to be done once for each client. */
  async lock({ manager }: Transaction, clientId: number): Promise<void> {
    const wallet = await manager.findOne(Wallet, {
      where: { clientId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!wallet) throw clientNotFound(clientId);
  }

  /** What a payment has brought into the wallet, by the keys under which it was posted. */
  async broughtBy(
    { manager }: Transaction,
    clientId: number,
    paymentId: string,
  ): Promise<ReadonlyMap<string, Minor>> {
    const entries = await manager.find(WalletEntry, {
      select: { key: true, amount: true },
      where: { clientId, paymentId, kind: 'top_up' },
    });
    return new Map(entries.map(({ key, amount }) => [key, minorFromNumeric(amount)]));
  }

  /** Which of these keys of the gateway's payments brought money for another payment, of any client. */
  async broughtElsewhere({ manager }: Transaction, paymentId: string, keys: string[]): Promise<string[]> {
    const entries = await manager.find(WalletEntry, {
      select: { key: true },
      where: { key: In(keys), kind: 'top_up', against: 'gateway', paymentId: Not(paymentId) },
    });
    return entries.map(({ key }) => key);
  }

  private async notEnough(
    transaction: Transaction,
    clientId: number,
    postings: readonly Posting[],
  ): Promise<DomainError> {
    const balance = await this.balance(transaction, clientId);
    const needed = -postings.reduce((sum, { amount }) => sum + amount, 0);
    return new DomainError(
      'insufficient_balance',
      `The wallet holds ${numericFromMinor(balance)}, which is ${numericFromMinor(needed - balance)} too little.`,
      { facts: { balance: amountFromMinor(balance), needed: amountFromMinor(needed) } },
    );
  }
}

function columnsOf(postings: readonly Posting[]): unknown[][] {
  return [
    postings.map(({ kind }) => kind),
    postings.map(({ against }) => against),
    postings.map(({ amount }) => numericFromMinor(amount)),
    postings.map(({ key }) => key),
    postings.map(({ orderNumber }) => orderNumber ?? null),
    postings.map(({ paymentId }) => paymentId ?? null),
    postings.map(({ note }) => note ?? null),
  ];
}

/** More than any column holds, so more than any wallet may. */
function isOverflow(error: unknown): boolean {
  return (error as { code?: string }).code === NUMERIC_OVERFLOW;
}

function tooMuch(cause: unknown): DomainError {
  return new DomainError('invalid_value', 'No wallet can hold that much.', { cause });
}

function isRepetition(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && KEYS.includes(constraint ?? '');
}
