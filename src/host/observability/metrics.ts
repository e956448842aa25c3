import { Injectable } from '@nestjs/common';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  type Histogram,
  Registry,
} from 'prom-client';
import { MailDesk } from '../../mail/mail-desk.js';
import { MailSender } from '../../mail/mail-sender.js';
import { Database } from '../../platform/database/database.js';
import { OrdersService } from '../../orders/orders.service.js';
import { OrderExpiryService } from '../../orders/lifecycle/order-expiry.service.js';
import { PaymentDeskService } from '../../payments/payment-desk.service.js';
import { ReconcilerService } from '../../payments/reconciler.service.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { OrderDeskService } from '../../orders/desk/order-desk.service.js';
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
    this.registerExpiry();
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
    this.gauge('snapshot_age_seconds', 'Since the snapshot was last known to be current.', () =>
      snapshot.ageSeconds(),
    );
    this.gauge('snapshot_products', 'Active products in the snapshot.', () => snapshot.productCount);
    this.gauge('snapshot_horizon', 'The stamp from which on the next refresh asks.', () => snapshot.horizon);
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
    this.gauge('database_pool_idle', 'Open connections that nobody uses.', () => database.poolUse.idle);
    this.gauge(
      'database_pool_waiting',
      'Requests that wait for a connection.',
      () => database.poolUse.waiting,
    );
  }

  private registerExpiry(): void {
    this.counter(
      'order_expiry_runs_total',
      'Runs of the expiry of unpaid orders, by outcome.',
      'outcome',
      () => this.expiry.runs,
    );
    this.counter('orders_expired_total', 'Unpaid orders that this node cancelled.', 'reason', () => ({
      expired: this.expiry.expired,
    }));
  }

  private registerOrders(): void {
    this.gauges('orders', 'Orders by status.', () => this.desk.countByStatus(), 'status');
    this.gauge(
      'orders_waiting',
      'Orders that wait for those that are being placed.',
      () => this.orders.waitingCount,
    );
    this.gauges(
      'clients_near_unpaid_limit',
      'Clients that have used up four fifths of what they may leave unpaid.',
      async () => ({ all: await this.desk.countClientsNearLimit() }),
    );
  }

  private registerPayments(): void {
    this.gauges(
      'payments',
      'What is on its way, and what waits for somebody.',
      () => this.payments.count(),
      'state',
    );
    this.counter(
      'gateway_checks_total',
      'Payments and refunds that the gateway was asked about, by whether it answered.',
      'outcome',
      () => this.reconciler.checks,
    );
  }

  private registerMail(): void {
    this.gauges('mails', 'Mails in the outbox by what became of them.', () => this.mails.counts(), 'state');
    this.counter(
      'mail_deliveries_total',
      'Mails that this node tried to send, by outcome.',
      'outcome',
      () => this.mailSender.outcomes,
    );
  }

  private registerStoreRequests(): void {
    this.counter(
      'store_requests_total',
      'Writes, refusals and errors of stores, by whether they were kept, only counted, or not even that.',
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
