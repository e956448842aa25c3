import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { StockItem } from '../modules/catalog/product.entity.js';
import { TaxDocument } from '../modules/invoices/entities/tax-document.entity.js';
import { InvoicingService } from '../modules/invoices/invoicing.service.js';
import { OrderRefund, Parcel, ParcelItem } from '../modules/orders/entities/after-sale.entity.js';
import { Order, StoreOrderId, OrderItem, TimelineEntry } from '../modules/orders/entities/order.entity.js';
import { LifecycleRepository } from '../modules/orders/lifecycle/lifecycle.repository.js';
import { contentHash } from '../modules/orders/rules/order-content.js';
import { type OrderLine, readOrderLines } from '../modules/orders/rules/order-lines.js';
import { newOrderNumber } from '../modules/orders/rules/order-number.js';
import { orderTotals } from '../modules/orders/rules/order-totals.js';
import type { OrderStatus, PaymentStatus } from '../modules/orders/rules/order-transitions.js';
import { type OrderFieldName, readOrderFields } from '../modules/orders/rules/order-fields.js';
import { BankTransfer } from '../modules/payments/entities/bank-transfer.entity.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { type Minor, minorFromNumeric, numericFromMinor } from '../platform/money/money.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { HOUR_MS, dayAt } from '../platform/time/time.js';
import type { PlanView } from '../read-model/products/plan-view.js';
import { SnapshotService } from '../read-model/snapshot/snapshot.service.js';
import { bankTopUp, orderPayment, orderRefund, type Posting } from '../modules/wallet/rules/posting.js';
import { DEMO_ORDERS, type DemoOrder, type DemoOrderState } from './demo-orders.js';
import { DEMO_ACTOR, DEMO_TIMEOUT_MS } from './demo-store.js';
import { postPast } from './demo.repository.js';
import { CANCEL_REASONS } from '../modules/orders/cancel-reasons.js';

const STORE_ACTOR = 'store';

/** Money that the store sent by bank. The last transfer is not confirmed yet. */
const TRANSFERS = [
  { daysAgo: 58, amount: '10000.00' },
  { daysAgo: 47, amount: '8000.00' },
  { daysAgo: 36, amount: '10000.00' },
  { daysAgo: 24, amount: '8000.00' },
  { daysAgo: 12, amount: '10000.00' },
  { daysAgo: 3, amount: '6000.00' },
] as const;

const ANNOUNCED = { daysAgo: 0.2, amount: '15000.00' } as const;

/** The changes of an order, in hours after it was placed. */
const STEPS: Record<DemoOrderState, { status: OrderStatus; after: number }[]> = {
  waiting: [],
  paid: [{ status: 'pending', after: 5 }],
  shipped: [
    { status: 'pending', after: 5 },
    { status: 'shipped', after: 27 },
  ],
  delivered: [
    { status: 'pending', after: 5 },
    { status: 'shipped', after: 27 },
    { status: 'delivered', after: 99 },
  ],
  refunded: [
    { status: 'pending', after: 5 },
    { status: 'cancelled', after: 30 },
  ],
  expired: [{ status: 'cancelled', after: 72 }],
};

/** Before a refund. */
const PAYMENT: Record<DemoOrderState, PaymentStatus> = {
  waiting: 'unpaid',
  paid: 'paid',
  shipped: 'paid',
  delivered: 'paid',
  refunded: 'paid',
  expired: 'unpaid',
};

const REASONS: Partial<Record<DemoOrderState, string>> = {
  refunded: 'damaged in the warehouse',
  expired: CANCEL_REASONS.expired,
};

type TimedPosting = Posting & { at: Date };

interface PastOrder {
  order: Omit<Order, 'changed'>;
  lines: OrderLine[];
  timeline: Omit<TimelineEntry, 'clientId' | 'orderNumber'>[];
  postings: TimedPosting[];
}

/**
 * Two months of the demo store: transfers, orders in every status, and a passbook. The rows are as
 * the services write them, but dated in the past. One transaction writes all of them, once.
 */
@Injectable()
export class DemoHistory {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
    private readonly snapshot: SnapshotService,
    private readonly lifecycle: LifecycleRepository,
    private readonly invoicing: InvoicingService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The store must have a subscription. */
  async make(clientId: number): Promise<void> {
    await this.snapshot.refreshNow();
    const subscription = this.snapshot.activeSubscription(clientId, Date.now());
    if (!subscription) throw new Error('The demo store has no subscription.');
    await this.database.transaction(async (transaction) => {
      if (await transaction.manager.existsBy(Order, { clientId })) return;
      const now = Date.now();
      const past = DEMO_ORDERS.map((order) => this.pastOrder(order, clientId, subscription.plan, now));
      await insertOrders(transaction, past);
      await hold(transaction, past);
      const transfers = await insertTransfers(transaction, clientId, now);
      await post(transaction, clientId, [...transfers, ...past.flatMap(({ postings }) => postings)]);
    }, DEMO_TIMEOUT_MS);
  }

  /**
   * Issues the invoices of the parcels, each on its day. If it was interrupted, it goes on with the first one
   * that is missing.
   */
  async bill(clientId: number): Promise<void> {
    const { manager } = this.dataSource;
    const order = { shippedAt: 'ASC', orderNumber: 'ASC' } as const;
    const parcels = await manager.find(Parcel, { where: { clientId, actor: DEMO_ACTOR }, order });
    for (const { orderNumber, parcel, shippedAt } of parcels) {
      const key = { clientId, orderNumber, parcel };
      if (await manager.existsBy(TaxDocument, key)) continue;
      const units = await manager.findBy(ParcelItem, key);
      await this.database.transaction(async (transaction) => {
        const orders = await this.lifecycle.toBill(transaction, [{ ...key, parcel: { parcel, units } }]);
        await this.invoicing.issue(transaction, orders, shippedAt);
      }, DEMO_TIMEOUT_MS);
    }
  }

  private pastOrder(demo: DemoOrder, clientId: number, plan: PlanView, now: number): PastOrder {
    const { currency, paymentWindowHours, timeZone } = this.settings;
    const { customer, shipping, items, state } = demo;
    const placedAt = new Date(now - demo.hoursAgo * HOUR_MS);
    const later = (hours: number) => new Date(placedAt.getTime() + hours * HOUR_MS);
    const steps = STEPS[state].map(({ status, after }) => ({ status, changedAt: later(after) }));
    const at = (status: OrderStatus) => steps.find((step) => step.status === status)?.changedAt ?? null;
    const orderNumber = newOrderNumber(dayAt(placedAt, timeZone));
    const lines = this.linesOf(items, plan);
    const { subtotal, delivery, total } = orderTotals(lines);
    const [paidAt, shippedAt, cancelledAt] = [at('pending'), at('shipped'), at('cancelled')];
    const reason = REASONS[state] ?? null;
    return {
      order: {
        clientId,
        orderNumber,
        storeOrderId: demo.id,
        status: steps.at(-1)?.status ?? 'awaiting_payment',
        paymentStatus: PAYMENT[state],
        planCode: plan.code,
        currency,
        subtotal: numericFromMinor(subtotal),
        delivery: numericFromMinor(delivery),
        total: numericFromMinor(total),
        itemsCount: lines.length,
        ...(readOrderFields({ customer, shipping }) as Pick<Order, OrderFieldName>),
        contentHash: contentHash({ customer, shipping, items }),
        origin: 'api',
        placedAt,
        paymentDueAt: later(paymentWindowHours),
        paidAt,
        paymentMethod: paidAt && 'wallet',
        paymentReference: null,
        courier: shippedAt && 'BlueDart',
        trackingNumber: shippedAt && demo.tracking,
        trackingUrl: shippedAt && `https://tracking.example.com/${demo.tracking}`,
        trackingNumbers: shippedAt && demo.tracking,
        shippedAt,
        deliveredAt: at('delivered'),
        cancelledAt,
        packingList: null,
        printedSlips: null,
        cancelReason: reason,
        refundedAmount: '0.00',
        metadata: null,
      },
      lines,
      timeline: [
        { entry: 1, status: 'awaiting_payment', changedAt: placedAt, actor: STORE_ACTOR, note: null },
        ...steps.map(({ status, changedAt }, index) => ({
          entry: index + 2,
          status,
          changedAt,
          actor: DEMO_ACTOR,
          note: status === 'cancelled' ? reason : null,
        })),
      ],
      postings: [
        ...(paidAt ? [{ ...orderPayment(orderNumber, total), at: paidAt }] : []),
        ...(paidAt && cancelledAt
          ? [{ ...orderRefund(orderNumber, 1, total, reason!), at: cancelledAt }]
          : []),
      ],
    };
  }

  private linesOf(items: DemoOrder['items'], plan: PlanView): OrderLine[] {
    const { productIndex } = this.snapshot.current();
    const offers = new Map(
      items
        .flatMap(({ sku }) => productIndex.find(sku) ?? [])
        .map((product) => {
          const { id: productId, sku, name, deliveryCharge, variations } = product;
          return [sku, { productId, sku, name, price: plan.priceOf(product), deliveryCharge, variations }];
        }),
    );
    const { lines, faults } = readOrderLines(items, offers, () => ({}));
    if (faults.length > 0) throw new Error(`An order of the demo: ${JSON.stringify(faults)}`);
    return lines;
  }
}

async function insertOrders({ manager }: Transaction, past: readonly PastOrder[]): Promise<void> {
  const orders = past.map(({ order }) => order);
  await manager.insert(
    StoreOrderId,
    orders.map(({ clientId, orderNumber, storeOrderId }) => ({
      clientId,
      orderNumber,
      storeOrderId: storeOrderId!,
    })),
  );
  await manager.insert(Order, orders);
  const keyed = past.map(({ order: { clientId, orderNumber }, ...rest }) => ({
    key: { clientId, orderNumber },
    ...rest,
  }));
  await manager.insert(
    OrderItem,
    keyed.flatMap(({ key, lines }) =>
      lines.map(({ index, offer, lineTotal, variationKey, remark, metadata, quantity }) => ({
        ...key,
        line: index + 1,
        productId: offer.productId,
        sku: offer.sku,
        name: offer.name,
        variationKey,
        remark,
        metadata,
        quantity,
        unitPrice: numericFromMinor(offer.price),
        lineTotal: numericFromMinor(lineTotal),
      })),
    ),
  );
  await manager.insert(
    TimelineEntry,
    keyed.flatMap(({ key, timeline }) => timeline.map((entry) => ({ ...key, ...entry }))),
  );
  await insertParcels(manager, past);
  await insertRefunds(manager, past);
}

async function insertParcels(manager: EntityManager, past: readonly PastOrder[]): Promise<void> {
  const shipped = past.flatMap(({ order, lines }) => {
    const { clientId, orderNumber, courier, trackingNumber, trackingUrl, shippedAt, deliveredAt } = order;
    const key = { clientId, orderNumber, parcel: 1 };
    if (shippedAt === null || courier === null) return [];
    const parcel = { ...key, courier, trackingNumber, trackingUrl, shippedAt, deliveredAt };
    const items = lines.map(({ index, quantity }) => ({ ...key, line: index + 1, quantity }));
    return [{ parcel: { ...parcel, recordedAt: shippedAt, actor: DEMO_ACTOR }, items }];
  });
  await manager.insert(
    Parcel,
    shipped.map(({ parcel }) => parcel),
  );
  await manager.insert(
    ParcelItem,
    shipped.flatMap(({ items }) => items),
  );
}

/** The database sums up the refunds, so an order is refunded after them. */
async function insertRefunds(manager: EntityManager, past: readonly PastOrder[]): Promise<void> {
  for (const { order, postings } of past)
    for (const { at, kind } of postings) {
      if (kind !== 'order_refund') continue;
      const { clientId, orderNumber, total: amount, cancelReason } = order;
      const key = { clientId, orderNumber };
      await manager.insert(OrderRefund, {
        ...key,
        refund: 1,
        kind: 'cancelled',
        amount,
        reason: cancelReason!,
        key: 'cancelled',
        actor: DEMO_ACTOR,
        refundedAt: at,
      });
      await manager.update(Order, key, { paymentStatus: 'refunded' });
    }
}

/** Orders that did not leave yet hold their stock. Goods of earlier orders are not in the counted stock. */
async function hold({ manager }: Transaction, past: readonly PastOrder[]): Promise<void> {
  const open = past.filter(({ order }) => ['awaiting_payment', 'pending'].includes(order.status));
  for (const { offer, variationKey, quantity } of open.flatMap(({ lines }) => lines))
    await manager.increment(StockItem, { productId: offer.productId, variationKey }, 'held', quantity);
}

async function insertTransfers(
  { manager }: Transaction,
  clientId: number,
  now: number,
): Promise<TimedPosting[]> {
  const rows = [...TRANSFERS, ANNOUNCED].map(({ daysAgo, amount }, index) => {
    const announcedAt = new Date(now - daysAgo * 24 * HOUR_MS);
    const decidedAt = new Date(announcedAt.getTime() + 3 * HOUR_MS);
    const utr = `DEMO${String(index + 1).padStart(12, '0')}`;
    return { clientId, amount, utr, announcedBy: DEMO_ACTOR, announcedAt, decidedAt };
  });
  const [announced, ...confirmed] = rows.toReversed();
  await manager.insert(BankTransfer, [
    ...confirmed.toReversed().map((row) => ({ ...row, status: 'confirmed' as const, decidedBy: DEMO_ACTOR })),
    { ...announced!, decidedAt: null },
  ]);
  return confirmed.map(({ utr, amount, decidedAt: at }) => ({
    ...bankTopUp(utr, minorFromNumeric(amount)),
    at,
  }));
}

/** In the order of their times, because each entry continues the one before it. */
async function post(transaction: Transaction, clientId: number, postings: TimedPosting[]): Promise<void> {
  let balance: Minor = 0;
  const entries = postings
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, amount, orderNumber, ...posting }, index) => {
      balance += amount;
      return {
        ...posting,
        entry: index + 1,
        amount: numericFromMinor(amount),
        balance_after: numericFromMinor(balance),
        order_number: orderNumber,
        created_at: at.toISOString(),
      };
    });
  const sums = [numericFromMinor(balance), entries.length];
  await postPast(transaction, [clientId, ...sums, JSON.stringify(entries), DEMO_ACTOR]);
}
