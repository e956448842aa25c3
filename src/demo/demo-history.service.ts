import { Inject, Injectable } from '@nestjs/common';
import { Seller } from '../modules/invoices/entities/tax-document.entity.js';
import { InvoicingService } from '../modules/invoices/invoicing.service.js';
import { Parcel, ParcelItem } from '../modules/orders/entities/after-sale.entity.js';
import { Order, TimelineEntry } from '../modules/orders/entities/order.entity.js';
import { LifecycleRepository } from '../modules/orders/lifecycle/lifecycle.repository.js';
import { cancelUnits } from '../modules/orders/actions/cancel.js';
import { OrderLifecycleService } from '../modules/orders/lifecycle/order-lifecycle.service.js';
import { type NewOrder, PlacingRepository } from '../modules/orders/placing/placing.repository.js';
import { contentHash } from '../modules/orders/rules/order-content.js';
import { type Offer, readOrderLines } from '../modules/orders/rules/order-lines.js';
import { newOrderNumber } from '../modules/orders/rules/order-number.js';
import { demandOf, stockById, stockId } from '../modules/orders/rules/order-stock.js';
import { orderTotals } from '../modules/orders/rules/order-totals.js';
import type { LineQuantity } from '../modules/orders/rules/order-units.js';
import type { OrderStatus } from '../modules/orders/rules/order-transitions.js';
import { BankTransfer } from '../modules/payments/entities/bank-transfer.entity.js';
import { StockHoldings } from '../modules/stock/stock-holdings.repository.js';
import { bankTopUp } from '../modules/wallet/rules/posting.js';
import { WalletService } from '../modules/wallet/wallet.service.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { minorFromNumeric } from '../platform/money/money.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { dayAt, HOUR_MS } from '../platform/time/time.js';
import { SnapshotService } from '../read-model/snapshot/snapshot.service.js';
import { CANCELLED, DEMO_ORDERS, PAID } from './demo-orders.js';
import { DEMO_ACTOR, DEMO_TIMEOUT_MS, DOMAIN, SELLER } from './demo-store.js';

/** The changes of an order that was paid, in hours after it was placed. */
const STEPS: readonly (readonly [OrderStatus, number])[] = [
  ['pending', 5],
  ['shipped', 27],
  ['delivered', 99],
];

/** The first one has arrived. */
const TRANSFERS = [
  { utr: 'DEMO000000000001', amount: '20000.00' },
  { utr: 'DEMO000000000002', amount: '15000.00' },
];

type DemoOrder = (typeof DEMO_ORDERS)[number];

/**
 * A month of the demo store: orders, invoices and some money, in one transaction. The services change orders
 * at the present time only, so orders that were paid by UPI and have left are written as services write them.
 */
@Injectable()
export class DemoHistory {
  constructor(
    private readonly database: Database,
    private readonly snapshot: SnapshotService,
    private readonly placing: PlacingRepository,
    private readonly stock: StockHoldings,
    private readonly lifecycle: OrderLifecycleService,
    private readonly orders: LifecycleRepository,
    private readonly wallets: WalletService,
    private readonly invoicing: InvoicingService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The store must have a subscription. */
  async make(clientId: number): Promise<void> {
    await this.snapshot.refreshNow();
    const subscription = this.snapshot.activeSubscription(clientId, Date.now());
    if (!subscription) throw new Error('The demo store has no subscription.');
    await this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      if (await manager.existsBy(Order, { clientId })) return;
      const { plan } = subscription;
      const skus = DEMO_ORDERS.flatMap(({ request }) =>
        request.items.map(({ sku }) => ({ planId: plan.id, sku })),
      );
      const offers = (await this.placing.offers(transaction, skus)).of(plan.id);
      const past: SentOrder[] = [];
      const numbers = new Map<string, string>();
      for (const order of DEMO_ORDERS) {
        const placed = await this.place(transaction, { clientId, planCode: plan.code }, order, offers);
        numbers.set(order.request.store_order_id, placed.orderNumber);
        if (order.status !== 'awaiting_payment') past.push(await send(transaction, placed, order));
      }
      await this.bill(transaction, past);
      await this.topUp(transaction, clientId);
      const keys = [PAID, CANCELLED].map((id) => ({ clientId, orderNumber: numbers.get(id)! }));
      await this.lifecycle.payFromWalletWithin(transaction, keys, DEMO_ACTOR);
      await this.lifecycle.applyChangeWithin(
        transaction,
        keys[1]!,
        cancelUnits('damaged in the warehouse'),
        DEMO_ACTOR,
      );
    }, DEMO_TIMEOUT_MS);
  }

  /** As a store places it, but at its time. Goods of orders that have left are not in the counted stock. */
  private async place(
    transaction: Transaction,
    owner: Pick<NewOrder, 'clientId' | 'planCode'>,
    { hoursAgo, request, status }: DemoOrder,
    offers: ReadonlyMap<string, Offer>,
  ): Promise<NewOrder> {
    const { lines, faults } = readOrderLines(request.items, offers, () => ({}));
    if (faults.length > 0) throw new Error(`An order of the demo: ${JSON.stringify(faults)}`);
    const placedAt = timeAgo(hoursAgo);
    const order: NewOrder = {
      ...owner,
      orderNumber: newOrderNumber(dayAt(placedAt, this.settings.timeZone)),
      request,
      domain: DOMAIN,
      claim: { clientId: owner.clientId, storeOrderId: request.store_order_id, domain: DOMAIN },
      isIdShared: false,
      contentHash: contentHash(request),
      entry: undefined,
      lines,
      totals: orderTotals(lines),
    };
    const demand = status === 'awaiting_payment' ? demandOf(lines) : [];
    const stock = stockById(await this.stock.lock(transaction, demand));
    const holds = demand.map((one) => ({ id: stock.get(stockId(one))!.id, onHand: 0, held: one.quantity }));
    await this.placing.insert(transaction, [order], holds, placedAt.toISOString());
    return order;
  }

  /** Each invoice on the day of its parcel. A seller of the wholesaler's own issues none for the demo. */
  private async bill(transaction: Transaction, past: readonly SentOrder[]): Promise<void> {
    const { gstin } = SELLER;
    if (this.settings.tax !== 'gst' || !(await transaction.manager.existsBy(Seller, { gstin }))) return;
    for (const { shippedAt, ...event } of past.toSorted(
      (a, b) => a.shippedAt.getTime() - b.shippedAt.getTime(),
    ))
      await this.invoicing.issue(transaction, await this.orders.toBill(transaction, [event]), shippedAt);
  }

  private async topUp(transaction: Transaction, clientId: number): Promise<void> {
    const [confirmed, announced] = TRANSFERS.map((row) => ({ ...row, clientId, announcedBy: DEMO_ACTOR }));
    const decision = { status: 'confirmed', decidedBy: DEMO_ACTOR, decidedAt: new Date() } as const;
    await transaction.manager.insert(BankTransfer, [{ ...confirmed!, ...decision }, announced!]);
    const posting = bankTopUp(confirmed!.utr, minorFromNumeric(confirmed!.amount));
    await this.wallets.post(transaction, clientId, DEMO_ACTOR, [posting]);
  }
}

/** The event that its parcel is billed for. */
type SentOrder = Pick<Order, 'clientId' | 'orderNumber'> & {
  parcel: { parcel: number; units: LineQuantity[] };
  shippedAt: Date;
};

/** Writes that it was paid and left in one parcel, which has arrived or not. */
async function send(
  { manager }: Transaction,
  { clientId, orderNumber, lines }: NewOrder,
  { hoursAgo, status, tracking: trackingNumber }: DemoOrder,
): Promise<SentOrder> {
  const key = { clientId, orderNumber };
  const steps = STEPS.slice(0, status === 'shipped' ? 2 : 3).map(([name, after], at) => {
    return { entry: at + 2, status: name, changedAt: timeAgo(hoursAgo - after), actor: DEMO_ACTOR };
  });
  const [paidAt, shippedAt, deliveredAt = null] = steps.map(({ changedAt }) => changedAt);
  const trackingUrl = `https://tracking.example.com/${trackingNumber}`;
  const parcel = { courier: 'BlueDart', trackingNumber, trackingUrl, shippedAt: shippedAt!, deliveredAt };
  const units = lines.map(({ index, quantity }) => ({ line: index + 1, quantity }));
  await manager.insert(
    TimelineEntry,
    steps.map((step) => ({ ...key, ...step })),
  );
  const paid = { paymentStatus: 'paid', paidAt: paidAt!, paymentMethod: 'upi' } as const;
  await manager.update(Order, key, { ...paid, ...parcel, status, trackingNumbers: trackingNumber });
  await manager.insert(Parcel, { ...key, ...parcel, parcel: 1, recordedAt: shippedAt!, actor: DEMO_ACTOR });
  await manager.insert(
    ParcelItem,
    units.map((unit) => ({ ...key, ...unit, parcel: 1 })),
  );
  return { ...key, shippedAt: shippedAt!, parcel: { parcel: 1, units } };
}

const timeAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
