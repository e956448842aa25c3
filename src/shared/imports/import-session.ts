import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PoolClient, QueryResultRow } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { DataSource } from 'typeorm';
import { type CommitSteps, type Transaction, transactionOn } from '../../platform/database/database.js';
import type { DedicatedConnection } from '../../platform/database/dedicated-connection.js';
import { retryConflicts } from '../../platform/database/retry-conflicts.js';
import { DomainError } from '../../platform/errors/domain-error.js';

/**
 * Forces look-ups by index. Else PostgreSQL may read the whole table for each batch or page, and the time
 * grows with the square of the size.
 */
const byIndex = (set: 'SET' | 'SET LOCAL') => `${set} enable_hashjoin = off; ${set} enable_mergejoin = off`;
const BEGIN = `BEGIN; ${byIndex('SET LOCAL')}`;

/** How long to wait for another import, which may be about to end. */
const LOCK_TIMEOUT_SECONDS = 3;
const LOCK_NOT_AVAILABLE = '55P03';

/** The connection of one import. Its temporary tables disappear with it, even after a crash. */
export class ImportSession {
  private beforeCommitSteps: CommitSteps = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly connection: DedicatedConnection,
  ) {}

  private get client(): PoolClient {
    return this.connection.client;
  }

  /**
   * Two imports of one kind at the same time would report each other's changes. The second one is refused
   * after a short wait.
   */
  async claim(kind: string): Promise<void> {
    await this.run(`SET lock_timeout = '${LOCK_TIMEOUT_SECONDS}s'`);
    try {
      await this.query(`SELECT pg_advisory_lock(hashtext('import'), hashtext($1))`, [kind]);
    } catch (cause) {
      if ((cause as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw cause;
      const message = `Another import of ${kind} is running. Repeat this one when it has ended.`;
      throw new DomainError('import_running', message, { cause });
    }
    await this.run('RESET lock_timeout');
  }

  async releaseClaim(kind: string): Promise<void> {
    await this.query(`SELECT pg_advisory_unlock(hashtext('import'), hashtext($1))`, [kind]);
  }

  async query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, values)).rows;
  }

  /** A query in pages. `$1` is the value of `at` after which a page begins, `$2` the size of a page. */
  async *pages<Row extends object>(
    text: string,
    size: number,
    values: unknown[] = [],
  ): AsyncGenerator<(Row & { at: number })[]> {
    for (let after = 0, rowCount = size; rowCount === size;) {
      const page = await this.query<Row & { at: number }>(text, [after, size, ...values]);
      yield page;
      rowCount = page.length;
      after = page.at(-1)?.at ?? after;
    }
  }

  /** The rows of all pages, for a report. Nothing else is compared or written afterwards. */
  async *rows<Row extends object>(text: string, size: number, values?: unknown[]): AsyncGenerator<Row> {
    await this.run(byIndex('SET'));
    for await (const page of this.pages<Row>(text, size, values))
      for (const { at: _, ...row } of page) yield row as unknown as Row;
  }

  /** For a statement with one row and one column `count`. */
  async count(text: string, values: unknown[]): Promise<number> {
    const [row] = await this.query<{ count: number }>(text, values);
    return row!.count;
  }

  /** Runs `work`. The signal ends it, and the statement in progress. */
  async withSignal<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    const { processID } = this.client as PoolClient & { processID: number };
    const cancel = () => {
      // If this fails, the statement ends by itself.
      this.dataSource.query('SELECT pg_cancel_backend($1)', [processID]).catch(() => undefined);
    };
    signal?.throwIfAborted();
    signal?.addEventListener('abort', cancel);
    try {
      const result = await work();
      signal?.throwIfAborted();
      return result;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Statements without parameters. */
  async run(statements: string): Promise<void> {
    await this.client.query(statements);
  }

  /** In its own transaction: a long transaction would hold back the watermark of the read model. */
  async copy(table: string, rows: string[]): Promise<void> {
    if (rows.length === 0) return;
    await pipeline(Readable.from([rows.join('')]), this.client.query(copyFrom(`COPY ${table} FROM STDIN`)));
  }

  /** Runs `work` again after a deadlock or a serialization failure. ROLLBACK is for a dry run. */
  transaction<Result>(work: () => Promise<Result>, end: 'COMMIT' | 'ROLLBACK' = 'COMMIT'): Promise<Result> {
    return retryConflicts({ attempts: 10, pauseMs: 50 }, async () => {
      try {
        await this.run(BEGIN);
        this.beforeCommitSteps = [];
        const result = await work();
        if (end === 'COMMIT') for (const step of this.beforeCommitSteps) await step();
        await this.run(end);
        return result;
      } catch (error) {
        await this.run('ROLLBACK');
        throw error;
      }
    });
  }

  /** For services that join the open transaction. */
  get transactionInProgress(): Transaction {
    return transactionOn(this.client, this.connection.runner.manager, this.beforeCommitSteps);
  }

  /** A part of the transaction. Its refusal leaves the rest intact. Other errors are rethrown. */
  async attempt(
    work: () => Promise<void>,
    refusalOf: (error: unknown) => string | undefined,
  ): Promise<string | undefined> {
    await this.run('SAVEPOINT attempt');
    const { length } = this.beforeCommitSteps;
    try {
      await work();
      await this.run('RELEASE SAVEPOINT attempt');
      return undefined;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      await this.run('ROLLBACK TO SAVEPOINT attempt');
      this.beforeCommitSteps.length = length;
      return refusal;
    }
  }

  /** The rows are written already, so the import ignores a failure here. */
  async analyse(): Promise<void> {
    try {
      // Without it PostgreSQL counts changes at most once a second.
      await this.run('SELECT pg_stat_force_next_flush()');
      await this.run('SELECT analyse_grown()');
    } catch {
      // Autovacuum will analyse them.
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
