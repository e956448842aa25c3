import { Injectable } from '@nestjs/common';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  type Histogram,
  Registry,
} from 'prom-client';
import { MailDesk } from '../../mail/mail-desk.service.js';
import { MailSender } from '../../mail/mail-sender.service.js';
import { Database } from '../../platform/database/database.js';
import { OrdersService } from '../../orders/orders.service.js';
import { OrderExpiryService } from '../../orders/lifecycle/order-expiry.service.js';
import { PaymentDeskService } from '../../payments/payment-desk.service.js';
import { ReconcilerService } from '../../payments/reconciler.service.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { OrderDeskService } from '../../orders/desk/order-desk.service.js';
import { Background } from '../background.js';
import { type Counts, keptCounts } from './kept-counts.js';
import { RequestDurations } from './request-durations.js';
import { RequestLog } from '../../activity/recording/request-log.js';

/** Everything that can be seen of a node from outside. Nothing is computed before somebody looks. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  /** One worker of a node counts in the database for all. */
  private countsDatabase = true;

  constructor(
    private readonly durations: RequestDurations,
    private readonly background: Background,
    private readonly snapshot: SnapshotService,
    private readonly database: Database,
    private readonly expiry: OrderExpiryService,
    private readonly orders: OrdersService,
    private readonly desk: OrderDeskService,
    private readonly payments: PaymentDeskService,
    private readonly reconciler: ReconcilerService,
    private readonly mails: MailDesk,
    private readonly mailSender: MailSender,
    private readonly storeRequests: RequestLog,
  ) {}

  /** Only where the metrics are served: those of the process keep a timer and a watcher of the garbage collection. */
  register(worker?: number): void {
    if (worker !== undefined) this.tellFirstProcess(worker);
    collectDefaultMetrics({ register: this.registry });
    this.registry.registerMetric(this.durations as unknown as Histogram);
    this.registerSnapshot();
    this.registerPool();
    this.registerJobs();
    this.registerOrders();
    this.registerPayments();
    this.registerMail();
    this.registerStoreRequests();
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Each worker has series of its own, so that a counter begins anew with its worker and a gauge ends with it. */
  private tellFirstProcess(worker: number): void {
    this.registry.setDefaultLabels({ worker: String(worker) });
    AggregatorRegistry.setRegistries(this.registry);
    this.countsDatabase = worker === 1;
  }

  private registerSnapshot(): void {
    const { snapshot } = this;
    this.gauge('snapshot_age_seconds', 'Seconds since the snapshot was last current.', () =>
      snapshot.ageSeconds(),
    );
    this.gauge('snapshot_products', 'Active products in the snapshot.', () => snapshot.productCount);
    this.gauge('snapshot_horizon', 'The stamp from which the next refresh asks.', () => snapshot.horizon);
    this.counter(
      'snapshot_refreshes_total',
      'Refreshes of the snapshot, by outcome.',
      'outcome',
      () => snapshot.outcomes,
    );
  }

  private registerPool(): void {
    const { database } = this;
    this.gauge('database_pool_connections', 'Open connections of the pool.', () => database.poolUse.open);
    this.gauge('database_pool_idle', 'Idle connections of the pool.', () => database.poolUse.idle);
    this.gauge(
      'database_pool_waiting',
      'Requests that wait for a connection.',
      () => database.poolUse.waiting,
    );
  }

  private registerJobs(): void {
    const { jobs } = this.background;
    const collect = function (this: Counter) {
      this.reset();
      for (const [job, { runs }] of Object.entries(jobs))
        for (const [outcome, count] of Object.entries(runs)) this.inc({ job, outcome }, count);
    };
    new Counter({
      name: 'background_runs_total',
      help: 'Runs of the background jobs of this node, by outcome.',
      labelNames: ['job', 'outcome'],
      registers: [this.registry],
      collect,
    });
    this.counter('orders_expired_total', 'Unpaid orders that this node cancelled.', 'reason', () => ({
      expired: this.expiry.expired,
    }));
  }

  private registerOrders(): void {
    this.gauges('orders', 'Orders by status.', () => this.desk.countByStatus(), 'status');
    this.gauge('orders_waiting', 'Orders that wait for the current batches.', () => this.orders.waitingCount);
    this.gauges(
      'clients_near_unpaid_limit',
      'Clients that have used four fifths of their limit for unpaid orders.',
      async () => ({ all: await this.desk.countClientsNearLimit() }),
    );
  }

  private registerPayments(): void {
    this.gauges(
      'payments',
      'Payments, refunds and transfers in progress, by state.',
      () => this.payments.count(),
      'state',
    );
    this.counter(
      'gateway_checks_total',
      'Checks of payments and refunds at the gateway, by outcome.',
      'outcome',
      () => this.reconciler.checks,
    );
  }

  private registerMail(): void {
    this.gauges('mails', 'Mails in the outbox by state.', () => this.mails.counts(), 'state');
    this.counter(
      'mail_deliveries_total',
      'Attempts of this node to send a mail, by outcome.',
      'outcome',
      () => this.mailSender.outcomes,
    );
  }

  private registerStoreRequests(): void {
    this.counter(
      'store_requests_total',
      'Writes, refusals and errors of stores: kept, only counted, or lost.',
      'outcome',
      () => this.storeRequests.outcomes,
    );
  }

  private gauge(name: string, help: string, read: () => number): void {
    const collect = function (this: Gauge) {
      this.set(read());
    };
    new Gauge({ name, help, registers: [this.registry], collect });
  }

  /** Counted in the database: several with a label, or one. */
  private gauges(name: string, help: string, read: () => Promise<Counts>, label?: string): void {
    if (!this.countsDatabase) return;
    const kept = keptCounts(name, read);
    const collect = async function (this: Gauge) {
      const counts = await kept();
      this.reset();
      for (const [value, count] of Object.entries(counts)) this.set(label ? { [label]: value } : {}, count);
    };
    new Gauge({
      name,
      help,
      labelNames: label ? [label] : [],
      registers: [this.registry],
      collect,
    });
  }

  /** Counted elsewhere, told here. */
  private counter(
    name: string,
    help: string,
    label: string,
    read: () => Readonly<Record<string, number>>,
  ): void {
    const collect = function (this: Counter) {
      this.reset();
      for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
    };
    new Counter({ name, help, labelNames: [label], registers: [this.registry], collect });
  }
}
