import type { Socket } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { MAX_COUNTED } from '../lists/bounded-lists.js';
import { isAborted, isTooSlow, REASONS, translateDatabaseError } from './database-error.js';
import { retryConflicts } from './retry-conflicts.js';

/** Rows of a stream that are in memory at a time. The event loop reads a page in one turn. */
const PAGE = 100;

const MIGRATIONS_DONE = {
  name: 'migrations-done',
  text: `
    SELECT count(*)::int AS done, current_setting('transaction_read_only')::boolean AS "isReadOnly"
      FROM migrations WHERE name = ANY ($1)`,
};

/** Less memory than the rows below need, so PostgreSQL writes them to its disk. */
const LITTLE_MEMORY = { text: `SET LOCAL work_mem = '64kB'` };
const WRITE_A_LITTLE = { text: 'SELECT count(*) FROM generate_series(1, 4000)' };

const ONE_MOMENT = 'ISOLATION LEVEL REPEATABLE READ, READ ONLY';

interface StreamQuery {
  text: string;
  values: unknown[];
}

/**
 * The server parses and plans a named statement once for each connection. Names are unique in the service.
 * Statements without a name are planned for their values each time.
 */
export interface SqlStatement {
  name?: string;
  text: string;
  /** The time limit in milliseconds, if it differs from the connection's limit. */
  query_timeout?: number;
}

/** Where statements run: in a transaction, or each on its own. */
export interface Queries {
  query<Row extends QueryResultRow>(statement: SqlStatement, values: unknown[]): Promise<Row[]>;
}

/** The repositories of the manager and the queries share one connection. */
export interface Transaction extends Queries {
  manager: EntityManager;
  /** Runs right before the commit, in the order of the calls: for locks that must be short and come last. */
  beforeCommit(work: () => Promise<void>): void;
}

/**
 * A transaction without TypeORM. BEGIN is sent with the first statements, COMMIT with the last: two round
 * trips fewer.
 */
export interface ShortTransaction extends Queries {
  /** Call it right behind the last statements, and await it with them. Nothing may fail after it. */
  commit(): Promise<void>;
}

interface PoolUse {
  open: number;
  idle: number;
  /** Requests that wait for a connection. */
  waiting: number;
}

/** Opens all transactions, enforces time limits, and translates the errors of the database. */
@Injectable()
export class Database {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  get poolUse(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { open: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /**
   * Resolves if the database can be written, has space on its disk, and has the schema of this build. A few
   * kilobytes of a temporary file prove the space: they change no table.
   */
  async ping(): Promise<void> {
    const names = this.dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
    try {
      const [found] = await this.query<{ done: number; isReadOnly: boolean }>(MIGRATIONS_DONE, [names]);
      if (found!.done < names.length)
        throw unavailable(undefined, 'The schema of the database is not complete');
      if (found!.isReadOnly) throw unavailable(undefined, REASONS['25006']);
      await this.shortTransaction(({ query }) =>
        Promise.all([query(LITTLE_MEMORY, []), query(WRITE_A_LITTLE, [])]),
      );
    } catch (error) {
      // Also an error that only the operator can end, such as a changed password.
      throw error instanceof DomainError ? error : unavailable(error);
    }
  }

  async query<Row extends QueryResultRow>(statement: SqlStatement, values: unknown[]): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>({ ...statement, values })).rows;
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  /**
   * The rows of a query of any size, from one moment. They are read page by page, so memory holds one page.
   * With a limit it stops after that many rows and returns the number of the others, as far as it counts.
   */
  stream<Row extends QueryResultRow>(
    text: string,
    values: unknown[] = [],
    limit = Infinity,
  ): AsyncGenerator<Row, number> {
    return this.streamOf(() => ({ text, values }), limit);
  }

  /** Like `stream`, for a query that depends on other queries. All read the same moment. */
  async *streamOf<Row extends QueryResultRow>(
    buildQuery: (queries: Queries) => StreamQuery | Promise<StreamQuery>,
    limit = Infinity,
  ): AsyncGenerator<Row, number> {
    const client = await this.connect();
    let finished = false;
    try {
      await client.query(`BEGIN ${ONE_MOMENT}`);
      const { text, values } = await buildQuery(queriesOn(client));
      await client.query(`DECLARE page NO SCROLL CURSOR FOR ${text}`, values);
      let left = limit;
      for (let size = PAGE, found = size; found === size && left > 0; left -= found) {
        size = Math.min(PAGE, left);
        const { rows } = await client.query<Row>(`FETCH ${size} FROM page`);
        yield* rows;
        found = rows.length;
      }
      const { rowCount } =
        left === 0 ? await client.query(`MOVE FORWARD ${MAX_COUNTED + 1} IN page`) : { rowCount: 0 };
      await client.query('COMMIT');
      finished = true;
      return rowCount ?? 0;
    } catch (error) {
      throw translateDatabaseError(error);
    } finally {
      // A reader that stops early, or an error, leaves the transaction open: the connection must go.
      client.release(!finished);
    }
  }

  /**
   * A conflict with another transaction runs `work` again, so `work` must have no other effects. A job may
   * have more time than a request.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    timeoutMs = this.settings.databaseTimeoutMs,
  ): Promise<Result> {
    return this.retryConflicts(() => this.attempt(work, timeoutMs));
  }

  /** Reads from one moment, with a limit for each statement. Undefined if one takes longer. */
  async readWithin<Result>(
    ms: number,
    work: (queries: Queries) => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await this.transaction(async (transaction) => {
        const text = `SET TRANSACTION ${ONE_MOMENT}; SET LOCAL statement_timeout = ${ms}`;
        await transaction.query({ text }, []);
        return work(transaction);
      });
    } catch (error) {
      if (!isTooSlow(error)) throw error;
      return undefined;
    }
  }

  /** Does the work and rolls it back, so it throws the errors of the work. */
  async dryRun(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    try {
      await this.transaction(async (transaction) => {
        await work(transaction);
        throw new DryRunRollback();
      });
    } catch (error) {
      if (!(error instanceof DryRunRollback)) throw error;
    }
  }

  /**
   * Like `transaction`, but keeps plans. It takes these advisory locks first. Work without a commit is rolled
   * back.
   */
  shortTransaction<Result>(
    work: (transaction: ShortTransaction) => Promise<Result>,
    locks: readonly bigint[] = [],
  ): Promise<Result> {
    return this.retryConflicts(() => this.attemptShort(work, locks));
  }

  private async retryConflicts<Result>(attemptOnce: () => Promise<Result>): Promise<Result> {
    try {
      return await retryConflicts({ attempts: 5, pauseMs: 20 }, attemptOnce);
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  private async connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  private async attempt<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    timeoutMs: number,
  ): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    let deadline: NodeJS.Timeout | undefined;
    try {
      const client = (await runner.connect()) as PoolClient;
      // The deadline starts here, not at the first statement: a stuck server does not even answer BEGIN.
      deadline = this.disconnectAfter(client, timeoutMs);
      return await runner.manager.transaction(async (manager) => {
        if (timeoutMs > this.settings.databaseTimeoutMs)
          await client.query(`SET LOCAL statement_timeout = ${timeoutMs}`);
        const steps: CommitSteps = [];
        const result = await work(transactionOn(client, manager, steps));
        for (const step of steps) await step();
        return result;
      });
    } finally {
      clearTimeout(deadline);
      await runner.release();
    }
  }

  private async attemptShort<Result>(
    work: (transaction: ShortTransaction) => Promise<Result>,
    locks: readonly bigint[],
  ): Promise<Result> {
    const client = await this.connect();
    const deadline = this.disconnectAfter(client, this.settings.databaseTimeoutMs);
    sendTogether(client);
    const { query, failure } = queriesOn(client, client.query('BEGIN'));
    let end: Promise<{ command: string }> | undefined;
    const commit = async () => {
      end = client.query('COMMIT');
      // After a failed statement, COMMIT rolls back without an error of its own.
      if ((await end).command !== 'COMMIT')
        throw (await failure()) ?? new Error('The transaction was rolled back.');
    };
    try {
      // If it fails, the statements behind it report its error.
      keepPlans({ query }, locks).catch(ignore);
      return await work({ query, commit });
    } finally {
      const ended = await (end ?? client.query('ROLLBACK')).then(
        () => true,
        () => false,
      );
      clearTimeout(deadline);
      client.release(!ended);
    }
  }

  /**
   * A stuck server answers neither the statement nor its rollback. A closed socket ends both and removes the
   * connection from the pool.
   */
  private disconnectAfter(client: PoolClient, timeoutMs: number): NodeJS.Timeout {
    return setTimeout(() => disconnect(client), timeoutMs);
  }
}

class DryRunRollback extends Error {}

/** The last steps of a transaction. The code that opened it runs them before the commit. */
export type CommitSteps = (() => Promise<void>)[];

export function transactionOn(client: PoolClient, manager: EntityManager, steps: CommitSteps): Transaction {
  return { manager, ...queriesOn(client), beforeCommit: (work) => void steps.push(work) };
}

/** `failure` waits for all statements that were sent, and gives the first error. */
function queriesOn(client: PoolClient, begin?: Promise<unknown>): Queries & { failure(): Promise<unknown> } {
  begin?.catch(ignore);
  let reason: unknown;
  let sent: Promise<unknown> = Promise.resolve();
  const run = async <Row extends QueryResultRow>(statement: SqlStatement, values: unknown[]) => {
    try {
      sendTogether(client);
      const { rows } = await client.query<Row>({ ...statement, values });
      // Rows that were read outside the transaction must not decide a write.
      await begin;
      return rows;
    } catch (error) {
      // Statements behind a failed one only learn that the transaction is lost. All report the first
      // reason.
      if (!isAborted(error)) reason ??= error;
      throw reason ?? error;
    }
  };
  return {
    query: <Row extends QueryResultRow>(statement: SqlStatement, values: unknown[]) => {
      const answer = run<Row>(statement, values);
      sent = Promise.allSettled([sent, answer]);
      return answer;
    },
    failure: () => sent.then(() => reason),
  };
}

function ignore(): void {}

function socketOf(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** The statements of one turn leave in one packet: each call of the system wakes PostgreSQL. */
function sendTogether(client: PoolClient): void {
  const socket = socketOf(client);
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}

/** Without a goodbye, for which a stuck server would be waited for. */
export function disconnect(client: PoolClient): void {
  socketOf(client).destroy();
}

/**
 * Sets the actor of the transaction, and the address of a person, for the logs that triggers write. SQL,
 * because these are session settings.
 */
export const ACT_AS = `
  SELECT set_config('wholesale.actor', $1, true), set_config('wholesale.address', $2, true)`;

export async function actAs(transaction: Queries, actor: string, address = ''): Promise<void> {
  await transaction.query({ name: 'act-as', text: ACT_AS }, [actor, address]);
}

/**
 * For the rest of the transaction each named statement keeps its plan. PostgreSQL would plan statements with
 * lists anew each time, which took longer than running them. Rows are looked up by their keys: a plan that
 * was made on empty tables must not read whole tables later. The same statement takes advisory locks, in the
 * given order.
 */
const KEEP_PLANS = {
  name: 'keep-plans',
  text: `
    SELECT set_config('plan_cache_mode', 'force_generic_plan', true),
           set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true),
           (SELECT count(pg_advisory_xact_lock(key)) FROM unnest($1::bigint[]) AS key)`,
};

export async function keepPlans(transaction: Queries, locks: readonly bigint[] = []): Promise<void> {
  await transaction.query(KEEP_PLANS, [locks]);
}

const LOCK_BY_NAME = { name: 'take-turns', text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))' };

/** Transactions with the same name take turns. SQL, because TypeORM can only lock rows that exist. */
export async function lockByName(transaction: Queries, name: string): Promise<void> {
  await transaction.query(LOCK_BY_NAME, [name]);
}

const OWNS = { text: `SELECT has_table_privilege($1, 'DELETE') AS owns` };

/** The role of the service may not delete from this table. */
export async function requireOwner(queries: Queries, table: string, action: string): Promise<void> {
  const [role] = await queries.query<{ owns: boolean }>(OWNS, [table]);
  if (role!.owns) return;
  throw new DomainError(
    'conflict',
    `Only the owner of the database may ${action}. Set the DATABASE_URL of that role.`,
  );
}
