import { Pool, type PoolClient } from 'pg';

type OnConnected = Parameters<Pool['connect']>[0];

const borrowed = new Set<PoolClient>();

/**
 * For SQL by hand. A connection that a test borrows and never gives back, because something failed in between, is taken back after the test:
 * whatever waits for what it has locked would keep the suite from ending.
 */
export class TestPool extends Pool {
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
      // Nor may a transaction that nobody ends lock anything from the shelf.
      release(destroy ?? client.getTransactionStatus() !== 'I');
    };
    return client;
  }
}

/** For what is done from now on: gives back how to take back what was borrowed meanwhile. */
export function watchBorrowing(): () => void {
  const before = new Set(borrowed);
  return () => {
    for (const client of borrowed) if (!before.has(client)) client.release(true);
  };
}
