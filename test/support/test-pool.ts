import { Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
import { lastRead } from './last-read.js';

type OnConnected = Parameters<Pool['connect']>[0];

const borrowed = new Set<PoolClient>();

/**
 * For direct SQL. A connection that a failed test does not release is closed after the test, because its
 * locks would keep the suite from ending.
 */
export class TestPool extends Pool {
  constructor(config: PoolConfig) {
    super(config);
    const query = this.query.bind(this) as (...args: unknown[]) => Promise<QueryResult>;
    const remember = async (...args: unknown[]) => {
      const result = await query(...args);
      lastRead.rows = result.rows;
      return result;
    };
    this.query = remember as Pool['query'];
  }

  override connect(): Promise<PoolClient>;
  override connect(connected: OnConnected): void;
  override connect(connected?: OnConnected): Promise<PoolClient> | void {
    return connected ? super.connect(connected) : this.borrow();
  }

  private async borrow(): Promise<PoolClient> {
    const client = await super.connect();
    const { release } = client;
    borrowed.add(client);
    client.release = (destroy) => {
      borrowed.delete(client);
      // An open transaction must not keep locks in the pool, so its connection is closed.
      release(destroy ?? client.getTransactionStatus() !== 'I');
    };
    return client;
  }
}

/** Returns a function that closes all connections that were borrowed since this call. */
export function watchBorrowing(): () => void {
  const before = new Set(borrowed);
  return () => {
    for (const client of borrowed) if (!before.has(client)) client.release(true);
  };
}
