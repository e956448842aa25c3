import { setTimeout as pause } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PoolClient, QueryResultRow } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { DataSource } from 'typeorm';
import { type Transaction, transactionOn } from '../platform/database/database.js';
import { isRetryable } from '../platform/database/database-error.js';
import { DedicatedConnection } from '../platform/database/dedicated-connection.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { StagingTable } from './import-tables.js';

const ATTEMPTS = 10;

/**
 * A batch finds its few thousand rows by index. The planner, left to itself, reads the whole table for each batch until that is far
 * larger: then the time for an import grows with the square of its size.
 */
const BEGIN = 'BEGIN; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off';

/** For the moment that an import takes to end. */
const PATIENCE_SECONDS = 3;
const LOCK_NOT_AVAILABLE = '55P03';

/** The connection of one import: its temporary tables live and die with it, however the process ends. */
export class ImportSession {
  private constructor(private readonly connection: DedicatedConnection) {}

  static async open(dataSource: DataSource): Promise<ImportSession> {
    return new ImportSession(await DedicatedConnection.open(dataSource));
  }

  private get client(): PoolClient {
    return this.connection.client;
  }

  /** Two imports of the same kind at once would report each other's changes; the second one is refused, but not at once. */
  async claim(kind: string): Promise<void> {
    await this.run(`SET lock_timeout = '${PATIENCE_SECONDS}s'`);
    try {
      await this.query(`SELECT pg_advisory_lock(hashtext('import'), hashtext($1))`, [kind]);
    } catch (cause) {
      if ((cause as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw cause;
      const message = `Another import of ${kind} is at work. Repeat this one when it is done.`;
      throw new DomainError('import_running', message, { cause });
    }
    await this.run('RESET lock_timeout');
  }

  async giveUpClaim(kind: string): Promise<void> {
    await this.query(`SELECT pg_advisory_unlock(hashtext('import'), hashtext($1))`, [kind]);
  }

  async query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, values)).rows;
  }

  /** What a statement says in its one row and column `count`. */
  async count(text: string, values: unknown[]): Promise<number> {
    const [row] = await this.query<{ count: number }>(text, values);
    return row!.count;
  }

  /** Statements without parameters, in one go. */
  async run(statements: string): Promise<void> {
    await this.client.query(statements);
  }

  /** A transaction of its own: a long one would keep every node's snapshot from forgetting what it has read. */
  async copy(target: StagingTable, rows: string[]): Promise<void> {
    if (rows.length === 0) return;
    await pipeline(Readable.from([rows.join('')]), this.client.query(copyFrom(`COPY ${target} FROM STDIN`)));
  }

  /** Runs the whole of `work` again if it lost against another transaction. */
  async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.run(BEGIN);
        const result = await work();
        await this.run('COMMIT');
        return result;
      } catch (error) {
        await this.run('ROLLBACK');
        if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
        await pause(Math.random() * 50 * attempt);
      }
    }
  }

  /** For services that take part in the transaction that is open here. */
  get transactionInProgress(): Transaction {
    return transactionOn(this.client, this.connection.runner.manager);
  }

  /** Part of a transaction that may be refused without harm to the rest of it. Any other error is thrown on. */
  async attempt(
    work: () => Promise<void>,
    refusalOf: (error: unknown) => string | undefined,
  ): Promise<string | undefined> {
    await this.run('SAVEPOINT attempt');
    try {
      await work();
      await this.run('RELEASE SAVEPOINT attempt');
      return undefined;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      await this.run('ROLLBACK TO SAVEPOINT attempt');
      return refusal;
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
