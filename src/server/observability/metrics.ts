import { Injectable, Logger } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { EInvoicesService } from '../../modules/invoices/e-invoices.service.js';
import { EWayBillsService } from '../../modules/invoices/e-way-bills.service.js';
import { MailDesk } from '../../shared/mail/mail-desk.service.js';
import { OrdersService } from '../../modules/orders/orders.service.js';
import { OrderDeskRepository } from '../../modules/orders/records/order-desk.repository.js';
import { PaymentDeskService } from '../../modules/payments/payment-desk.service.js';
import { Database } from '../../platform/database/database.js';
import { LONG_TURN_MS } from '../../platform/limits/work-meter.js';
import { VERSION } from '../../platform/version.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { Background } from '../background.js';
import { Readiness } from '../health.controller.js';
import { LoopWatchdog } from './loop-watchdog.js';
import { RequestDurations } from './request-observer.js';

/** Gauges of the library whose names say that they are counters. `nodejs_active_resources` has their sum. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** The metrics of a node. Most are computed only when they are read. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();

  constructor(
    private readonly durations: RequestDurations,
    private readonly watchdog: LoopWatchdog,
    private readonly background: Background,
    private readonly readiness: Readiness,
    private readonly snapshot: SnapshotService,
    private readonly database: Database,
    private readonly orders: OrdersService,
    private readonly desk: OrderDeskRepository,
    private readonly payments: PaymentDeskService,
    private readonly eInvoices: EInvoicesService,
    private readonly eWayBills: EWayBillsService,
    private readonly mails: MailDesk,
  ) {}

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Called only if the metrics are served: the default metrics need a timer and watch the memory. */
  register(): void {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    this.registry.registerMetric(this.durations);
    this.registerBuild();
    this.registerNode();
    this.registerJobs();
    this.registerDatabaseCounts();
  }

  private registerBuild(): void {
    const build = new Gauge({
      name: 'build_info',
      help: 'Always 1, with the versions of the service and of Node.',
      labelNames: ['version', 'node'],
      registers: [this.registry],
    });
    build.set({ version: VERSION, node: process.version }, 1);
  }

  private registerNode(): void {
    const { snapshot, database, orders } = this;
    this.gauge('node_ready', 'Whether /health/ready answers 200.', () =>
      this.readiness.check().then(
        () => 1,
        () => 0,
      ),
    );
    this.gauge('snapshot_age_seconds', 'Seconds since the snapshot was last current.', () =>
      snapshot.ageSeconds(),
    );
    this.gauge(
      'clock_skew_seconds',
      'Seconds that the clock is ahead of the one of the database.',
      () => snapshot.clockSkewSeconds,
    );
    this.gauge('snapshot_products', 'Active products in the snapshot.', () => snapshot.productCount);
    this.gauge(
      'snapshot_watermark',
      'The change version from which a store that reads now must read later.',
      () => snapshot.watermark,
    );
    this.counter('snapshot_refreshes_total', 'Refreshes of the snapshot.', () => snapshot.outcomes);
    this.databaseCounts(
      'oldest_transaction_seconds',
      'Seconds for which the same transaction has been the oldest open one of the PostgreSQL server.',
      () => this.oldestTransaction(),
      'holder',
    );
    const pool = 'database_pool';
    this.gauge(`${pool}_connections`, 'Open connections of the pool.', () => database.poolUse.open);
    this.gauge(`${pool}_idle`, 'Idle connections of the pool.', () => database.poolUse.idle);
    this.gauge(`${pool}_waiting`, 'Requests that wait for a connection.', () => database.poolUse.waiting);
    this.counter(
      'event_loop_long_turns_total',
      `Turns of the event loop that a route held for more than ${LONG_TURN_MS} ms.`,
      () => this.watchdog.counts,
      'route',
    );
    this.gauge('orders_waiting', 'Orders that wait for the current batches.', () => orders.waitingCount);
  }

  private registerJobs(): void {
    const jobs = this.background.jobs();
    const collect = function (this: Counter) {
      this.reset();
      for (const { name: job, runs } of jobs)
        for (const [outcome, count] of Object.entries(runs)) this.inc({ job, outcome }, count);
    };
    new Counter({
      name: 'background_runs_total',
      help: 'Runs of the background jobs of this node, by outcome.',
      labelNames: ['job', 'outcome'],
      registers: [this.registry],
      collect,
    });
    for (const { counted } of jobs)
      if (counted) this.counter(counted.name, counted.help, () => counted.counts, counted.label);
  }

  private registerDatabaseCounts(): void {
    const nearLimit = async () => ({ all: await this.desk.countClientsNearLimit() });
    this.databaseCounts('wholesale_orders', 'Orders by status.', () => this.desk.countByStatus(), 'status');
    this.databaseCounts(
      'clients_near_unpaid_limit',
      'Clients that have used four fifths of their limit for unpaid orders.',
      nearLimit,
    );
    this.databaseCounts(
      'wholesale_payments',
      'Payments, refunds and transfers in progress, by state.',
      () => this.payments.count(),
      'state',
    );
    this.databaseCounts(
      'documents_without_irn',
      'Documents that wait for their IRN: late after 3 days, overdue after 30.',
      async () => ({ ...(await this.eInvoices.countLate()) }),
      'state',
    );
    this.databaseCounts('e_way_bills_waiting', 'Invoices that wait for their e-way bill.', async () => ({
      all: await this.eWayBills.countWaiting(),
    }));
    this.databaseCounts(
      'wholesale_mails',
      'Mails in the outbox by state.',
      () => this.mails.counts(),
      'state',
    );
  }

  private async oldestTransaction(): Promise<Counts> {
    const oldest = this.snapshot.oldestTransaction;
    if (!oldest) return { none: 0 };
    const [row] = await this.database.query<{ holder: string }>(HOLDER, [oldest.id]);
    return { [row!.holder]: oldest.seconds };
  }

  private gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const collect = async function (this: Gauge) {
      this.set(await read());
    };
    new Gauge({ name, help, registers: [this.registry], collect });
  }

  /** A gauge with a label, or without one for a single count. */
  private databaseCounts(name: string, help: string, read: () => Promise<Counts>, label?: string): void {
    const kept = keptCounts(name, read);
    const collect = async function (this: Gauge) {
      const counts = await kept();
      this.reset();
      for (const [value, count] of Object.entries(counts)) this.set(label ? { [label]: value } : {}, count);
    };
    new Gauge({ name, help, labelNames: label ? [label] : [], registers: [this.registry], collect });
  }

  /** Another object counts; this reports its counts by label. */
  private counter(name: string, help: string, read: () => Counts, label = 'outcome'): void {
    const collect = function (this: Counter) {
      this.reset();
      for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
    };
    new Counter({ name, help, labelNames: [label], registers: [this.registry], collect });
  }
}

/**
 * The process of a transaction, found by the lock that each has on its own id: any role may see locks, but
 * not the transactions of others. SQL, because only the server knows.
 */
const HOLDER = {
  name: 'transaction-holder',
  text: `
    SELECT coalesce((SELECT format('pid %s in %s', pid, datname)
                       FROM pg_locks JOIN pg_stat_activity USING (pid)
                      WHERE locktype = 'transactionid' AND transactionid = id AND mode = 'ExclusiveLock'),
                    (SELECT format('prepared as %s', gid) FROM pg_prepared_xacts WHERE transaction = id),
                    'ended') AS holder
      FROM xid($1::text::xid8) AS id`,
};

/** Counting reads whole tables, so it does not run at every scrape. */
const KEPT_MS = 60_000;

export type Counts = Readonly<Record<string, number>>;

/** Counts from the database, at most a minute old; empty while it is away. */
export function keptCounts(what: string, count: () => Promise<Counts>): () => Promise<Counts> {
  const logger = new Logger('Metrics');
  let counted: Counts = {};
  let countedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - countedAt < KEPT_MS) return counted;
    try {
      counted = await count();
      countedAt = performance.now();
    } catch (error) {
      counted = {};
      logger.warn(`The ${what} could not be counted for the metrics: ${String(error)}`);
    }
    return counted;
  };
}
