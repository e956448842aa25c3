import type { Socket } from 'node:net';
import pg from 'pg';
import { currentPayer, idleClock, type Payer, resumeWork, UNIT } from '../limits/work-meter.js';

type Callback = NonNullable<Parameters<pg.Pool['connect']>[0]>;

interface Loan {
  payer: Payer | undefined;
  /** The time up to which the payer has paid for the connection. */
  paidAt: number;
}

/**
 * Charges the time of a connection to the request that borrowed it, and the work with each answer. A database
 * that does not answer is charged to no request.
 */
export class MeteredPool extends pg.Pool {
  private readonly loans = new WeakMap<pg.PoolClient, Loan>();

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on('connect', (client) => {
      const loan: Loan = { payer: undefined, paidAt: 0 };
      this.loans.set(client, loan);
      // Before the driver reads the answer.
      socketOf(client).prependListener('data', () => onAnswer(loan));
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    const payer = currentPayer();
    if (!callback) return super.connect().then((client) => this.lend(client, payer));
    super.connect((error, client, done) => {
      if (client) this.lend(client, payer);
      callback(error, client, done);
    });
  }

  private lend(client: pg.PoolClient, payer: Payer | undefined): pg.PoolClient {
    Object.assign(this.loans.get(client)!, { payer, paidAt: idleClock() });
    return client;
  }
}

function onAnswer(loan: Loan): void {
  const now = idleClock();
  loan.payer?.charge((now - loan.paidAt) / UNIT.connectionMs);
  loan.paidAt = now;
  resumeWork(loan.payer);
}

function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
