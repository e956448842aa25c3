import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { isRetryable, translateDatabaseError } from './database-error.js';
import type { Statement } from './statement.js';

const ATTEMPTS = 5;

/** What a transaction hands down. The repositories of its manager and its queries share one connection. */
export interface Transaction {
  manager: EntityManager;
  query<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>;
}

/** The one edge at which transactions open, deadlines are kept and errors of the database are translated. */
@Injectable()
export class Database {
  constructor(
    readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  async query<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>({ ...statement, values })).rows;
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  /** Runs the whole of `work` again if it lost against another transaction, so it must have no other effects. */
  async transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(work);
      } catch (error) {
        if (attempt === ATTEMPTS || !isRetryable(error)) throw translateDatabaseError(error);
        await pause(Math.random() * 20 * attempt);
      }
    }
  }

  private async attempt<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    let deadline: NodeJS.Timeout | undefined;
    try {
      const client = (await runner.connect()) as PoolClient;
      // From here on, not from the first statement: a server that is stuck does not even answer BEGIN.
      deadline = this.severLate(client);
      return await runner.manager.transaction((manager) => work(transactionOn(client, manager)));
    } finally {
      clearTimeout(deadline);
      await runner.release();
    }
  }

  /**
   * A server that is stuck answers neither the statement nor its rollback. Only a closed socket ends the wait for both, and
   * takes the connection out of the pool.
   */
  private severLate(client: PoolClient): NodeJS.Timeout {
    return setTimeout(() => socketOf(client).destroy(), this.settings.databaseTimeoutMs);
  }
}

export function transactionOn(client: PoolClient, manager: EntityManager): Transaction {
  return {
    manager,
    query: async <Row extends QueryResultRow>(statement: Statement, values: unknown[]) =>
      (await client.query<Row>({ ...statement, values })).rows,
  };
}

function socketOf(client: PoolClient): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}
