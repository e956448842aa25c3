import { Injectable } from '@nestjs/common';
import { Database, type Queries, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type Minor, minorFromNumeric, numericFromMinor } from '../../platform/money/money.js';
import { dayAt, type TimeZone } from '../../platform/time/time.js';
import { isSamePayment, type ReferenceUse, referenceKey } from './rules/payment-reference.js';
import type { Posting } from './rules/posting.js';
import type { WalletEntry } from './wallet.entity.js';

/**
 * SQL, because one statement checks the balance after each posting and writes all of them. The balance always
 * matches its entries, and no two requests can spend the same money.
 */
const POST = {
  name: 'wallet-post',
  text: `
    WITH posting AS (
           SELECT *, sum(amount) OVER (ORDER BY position) AS running
             FROM unnest($2::text[], $3::text[], $4::numeric[], $5::text[], $6::text[], $7::uuid[],
                         $8::text[]) WITH ORDINALITY
               AS given (kind, against, amount, key, order_number, payment_id, note, position)),
         wallet AS (
           UPDATE wallets w
              SET balance = w.balance + given.total, entries = w.entries + given.count
             FROM (SELECT sum(amount) AS total, count(*) AS count, min(running) AS lowest
                     FROM posting) AS given
            WHERE w.client_id = $1 AND w.balance + given.lowest >= w.reserved
           RETURNING w.balance - given.total AS before, w.entries - given.count AS entries, w.balance)
    INSERT INTO wallet_entries (client_id, entry, kind, against, amount, balance_after, key, order_number,
                                payment_id, actor, note)
    SELECT $1, wallet.entries + position, kind, against, amount, wallet.before + running, key, order_number,
           payment_id, $9, note
      FROM wallet, posting
     ORDER BY position
    RETURNING (SELECT balance FROM wallet) AS balance`,
};

const UNIQUE_VIOLATION = '23505';
const NUMERIC_OVERFLOW = '22003';
const KEYS = ['wallet_entries_key_unique', 'wallet_entries_gateway_once'];

/** The newest entry first. SQL, because a cursor streams it. */
const HISTORY = `
  SELECT entry::float8, created_at, kind, against, amount::float8, balance_after::float8, order_number,
         payment_id, actor, note
    FROM wallet_entries WHERE client_id = $1 ORDER BY wallet_entries.entry DESC`;

/** `referenceKey` of an entry. An index of wallet_entries has the same expression. */
const REFERENCE_KEY = `
  ltrim(substring(upper(CASE WHEN against = 'gateway' THEN key ELSE note END)
                  FROM '[A-Z0-9]*[0-9][A-Z0-9]*'), '0')`;

/**
 * SQL, because an index finds the entries of all clients by the same expression. A number of a cheque may
 * have many, and the newest count.
 */
const REFERENCES = {
  text: `
    SELECT client_id || '-' || entry AS id, client_id AS "clientId", c.name AS client,
           order_number AS "orderNumber", payment_id AS "paymentId", key,
           CASE WHEN against = 'gateway' THEN key ELSE note END AS text,
           (amount * 100)::float8 AS amount, e.created_at AS at
      FROM (SELECT * FROM wallet_entries
             WHERE ${REFERENCE_KEY} = $1 AND kind IN ('top_up', 'adjustment') AND against <> 'tds'
             ORDER BY created_at DESC LIMIT 100) AS e
      JOIN clients c ON c.id = e.client_id
     ORDER BY at DESC`,
};

/** Until the transaction ends, no other one records money with this reference. */
const LOCK_REFERENCE = {
  text: `SELECT pg_advisory_xact_lock(hashtext('payment reference'), hashtext($1))`,
};

/** An entry as the command line shows it. */
export type WalletEntryRow = Pick<WalletEntry, 'kind' | 'against' | 'actor' | 'note'> & {
  entry: number;
  created_at: Date;
  amount: number;
  balance_after: number;
  order_number: string | null;
  payment_id: string | null;
};

/** A posting with this key exists already. The transaction has failed; do not retry it. */
export class AlreadyPostedError extends DomainError {
  constructor(cause: unknown) {
    super('conflict', 'This was posted before.', { cause });
  }
}

/** Writes and lists the entries of wallets. */
@Injectable()
export class WalletRepository {
  constructor(private readonly database: Database) {}

  /** Returns the balance afterwards; undefined if it would be too low. */
  async post(
    transaction: Transaction,
    clientId: number,
    actor: string,
    postings: readonly Posting[],
  ): Promise<Minor | undefined> {
    const [posted] = await transaction
      .query<{ balance: string }>(POST, [clientId, ...arraysOf(postings), actor])
      .catch((error: unknown) => {
        throw refusalOf(error) ?? error;
      });
    return posted && minorFromNumeric(posted.balance);
  }

  async lockReference(transaction: Transaction, text: string): Promise<void> {
    await transaction.query(LOCK_REFERENCE, [referenceKey(text)]);
  }

  /** The entries with this reference, the newest first, in the days of a time zone. */
  async listReferences(queries: Queries, text: string, timeZone: TimeZone): Promise<ReferenceUse[]> {
    const found = await queries.query<Omit<ReferenceUse, 'day'> & { at: Date }>(REFERENCES, [
      referenceKey(text),
    ]);
    return found
      .filter((entry) => isSamePayment(text, entry.text))
      .map(({ at, ...entry }) => ({ ...entry, day: dayAt(at, timeZone) }));
  }

  history(clientId: number, limit?: number): AsyncGenerator<WalletEntryRow, number> {
    return this.database.stream<WalletEntryRow>(HISTORY, [clientId], limit);
  }
}

function arraysOf(postings: readonly Posting[]): unknown[][] {
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

function refusalOf(cause: unknown): DomainError | undefined {
  const { code, constraint = '' } = cause as { code?: string; constraint?: string };
  if (code === UNIQUE_VIOLATION && KEYS.includes(constraint)) return new AlreadyPostedError(cause);
  if (code !== NUMERIC_OVERFLOW) return undefined;
  return new DomainError('invalid_value', 'No wallet can hold that much.', { cause });
}
