import { Inject, Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { TimeZone } from '../../platform/time/time.js';
import { type StockChange, StockHoldings } from '../../stock/stock-holdings.repository.js';
import { Payment, type PaymentKey } from '../entities/payment.entity.js';
import { orderPayment, orderRefund, orderTopUp, type Posting } from '../../wallet/rules/posting.js';
import { WalletService } from '../../wallet/wallet.service.js';
import type { Order, OrderKey } from '../entities/order.entity.js';
import { illegalTransition, notCancellable, orderNotFound } from '../order-errors.js';
import { affordable } from '../rules/order-totals.js';
import { stockId } from '../rules/order-stock.js';
import { type StockEffect, type Transition, transition } from '../rules/order-transitions.js';
import { checkShippedAt } from '../rules/shipment.js';
import {
  LifecycleRepository,
  nameOf,
  type LockedOrder,
  type OrderChange,
  type Parcel,
} from './lifecycle.repository.js';
import { refuseUnderway } from './payments-underway.js';

const FROM_WALLET = { action: 'pay', from: 'wallet', paymentMethod: 'wallet' } as const;

type PaymentFacts = Partial<Pick<Order, 'paymentMethod' | 'paymentReference'>>;

/** Money that came in for a client. */
interface Arrival {
  payment: PaymentKey;
  credits: Posting[];
  actor: string;
}

/** Every change of an order after it was placed: status, stock, money and timeline in one transaction. */
@Injectable()
export class OrderLifecycleService {
  constructor(
    private readonly database: Database,
    private readonly orders: LifecycleRepository,
    private readonly stock: StockHoldings,
    private readonly wallets: WalletService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Changes all of the orders, or none. */
  act(orders: OrderKey | OrderKey[], change: OrderChange, actor: string): Promise<void> {
    return this.database.transaction((transaction) => this.actWithin(transaction, orders, change, actor));
  }

  /** Locks the orders until the transaction ends. */
  async actWithin(
    transaction: Transaction,
    orders: OrderKey | OrderKey[],
    change: OrderChange,
    actor: string,
  ): Promise<void> {
    const locked = await this.orders.lockAll(transaction, [orders].flat());
    await this.apply(transaction, locked, () => change, actor);
  }

  /** Ships all of the parcels, or none. */
  async shipWithin(transaction: Transaction, parcels: readonly Parcel[], actor: string): Promise<void> {
    const shipments = new Map(parcels.map(({ key, shipment }) => [nameOf(key), shipment]));
    const locked = await this.orders.lockAll(
      transaction,
      parcels.map(({ key }) => key),
    );
    const shipped = (key: OrderKey) => ({ action: 'ship', ...shipments.get(nameOf(key))! }) as const;
    await this.apply(transaction, locked, shipped, actor);
  }

  /** A client may cancel an order until it has paid for it. */
  async cancelUnpaid(key: OrderKey, actor: string, cancelReason: string): Promise<void> {
    await this.database.transaction((transaction) =>
      this.cancelUnpaidWithin(transaction, key, actor, cancelReason),
    );
  }

  /** Returns false for an order that is already cancelled. */
  async cancelUnpaidWithin(
    transaction: Transaction,
    key: OrderKey,
    actor: string,
    cancelReason: string,
  ): Promise<boolean> {
    const [order] = await this.orders.lock(transaction, [key]);
    if (!order) throw orderNotFound();
    if (order.status === 'cancelled') return false;
    if (order.status !== 'awaiting_payment') throw notCancellable(order);
    await this.apply(transaction, [order], () => ({ action: 'cancel', cancelReason }), actor);
    return true;
  }

  /** Cancels orders whose payment window is over. Skips orders that another node has locked. */
  expireBatch(size: number): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const due = await this.orders.lockDue(transaction, size);
      await this.apply(transaction, due, () => ({ action: 'expire', cancelReason: 'expired' }), 'system');
      return due.length;
    });
  }

  /** Pays all of the orders from the wallets of their clients, or none. */
  payFromWallet(orders: OrderKey[], actor: string): Promise<void> {
    return this.database.transaction((transaction) => this.payFromWalletWithin(transaction, orders, actor));
  }

  async payFromWalletWithin(transaction: Transaction, orders: OrderKey[], actor: string): Promise<void> {
    const locked = await this.lockUnlessUnderway(transaction, orders);
    await this.apply(transaction, locked, () => FROM_WALLET, actor);
  }

  /** Pays an order with money that arrived outside the service. */
  payFromElsewhere(order: OrderKey, payment: PaymentFacts, actor: string): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const locked = await this.lockUnlessUnderway(transaction, [order]);
      await this.apply(transaction, locked, () => ({ action: 'pay', from: 'elsewhere', ...payment }), actor);
    });
  }

  /**
   * Credits the wallet, then pays the orders that still await payment while the balance lasts. So money that
   * comes late, twice, or for an expired order needs no special case.
   */
  async payFromArrival(
    transaction: Transaction,
    orders: OrderKey[],
    { payment, credits, actor }: Arrival,
  ): Promise<void> {
    const locked = orders.length === 0 ? [] : await this.orders.lock(transaction, orders);
    await this.wallets.post(transaction, payment.clientId, actor, credits);
    // Frees the reserved part for its orders.
    await transaction.manager.update(Payment, payment, { status: 'paid' });
    const { available } = await this.wallets.funds(payment.clientId, transaction);
    const waiting = locked.filter(({ status }) => status === 'awaiting_payment');
    const paid = affordable(waiting, ({ total }) => minorFromNumeric(total), available);
    await this.apply(transaction, paid, () => FROM_WALLET, actor);
  }

  /** Locks unpaid orders until the transaction ends, so that no other payment of them can begin. */
  async lockPayable(transaction: Transaction, keys: OrderKey[]): Promise<LockedOrder[]> {
    const locked = await this.orders.lockAll(transaction, keys);
    await refuseUnderway(transaction, locked);
    const done = locked.find(({ status }) => status !== 'awaiting_payment');
    if (done) throw illegalTransition(done.orderNumber, `An order that is ${done.status} cannot be paid.`);
    return locked;
  }

  /** Both statements are sent at once; the database runs the second when the locks are held. */
  private async lockUnlessUnderway(transaction: Transaction, orders: OrderKey[]): Promise<LockedOrder[]> {
    const [locked] = await Promise.all([
      this.orders.lockAll(transaction, orders),
      refuseUnderway(transaction, orders),
    ]);
    return locked;
  }

  /** Locks are always taken in this order: the orders, their stock, the wallets. */
  private async apply(
    transaction: Transaction,
    orders: LockedOrder[],
    changeOf: (key: OrderKey) => OrderChange,
    actor: string,
  ): Promise<void> {
    const moved = orders.map((order) => {
      const change = changeOf(order);
      return { ...order, ...stateAfter(order, change, this.settings.timeZone), change };
    });
    if (moved.length === 0) return;
    await this.moveStock(transaction, orders, moved[0]!.stock);
    await this.moveMoney(transaction, moved, actor);
    await this.orders.moveOn(transaction, moved, actor);
  }

  private async moveStock(
    transaction: Transaction,
    orders: LockedOrder[],
    effect: StockEffect,
  ): Promise<void> {
    if (effect === 'none') return;
    const held = await this.orders.heldBy(transaction, orders);
    const quantities = new Map(held.map((item) => [stockId(item), item.quantity]));
    const changes: StockChange[] = [];
    for (const item of await this.stock.lock(transaction, held)) {
      const quantity = quantities.get(stockId(item)) ?? 0;
      if (effect === 'take' && quantity > item.onHand)
        throw missingOnShelf(orders.length, item.variationKey, quantity, item.onHand);
      changes.push({ id: item.id, held: -quantity, onHand: effect === 'take' ? -quantity : 0 });
    }
    await this.stock.change(transaction, changes);
  }

  /** Clients in the order of their numbers, as the orders are locked. */
  private async moveMoney(transaction: Transaction, orders: Changed[], actor: string): Promise<void> {
    for (const clientId of new Set(orders.map((order) => order.clientId))) {
      const own = orders.filter((order) => order.clientId === clientId);
      const postings = own.flatMap(postingsOf);
      if (postings.length > 0) await this.wallets.post(transaction, clientId, actor, postings);
    }
  }
}

type Changed = LockedOrder & Transition & { change: OrderChange };

/** The postings to the client's wallet; none for an order that cost nothing. */
function postingsOf({ orderNumber, total: numeric, money, change }: Changed): Posting[] {
  const total = minorFromNumeric(numeric);
  if (total === 0 || money === 'none') return [];
  if (money === 'refund') return [orderRefund(orderNumber, total)];
  const payment = orderPayment(orderNumber, total);
  if (change.action !== 'pay' || change.from === 'wallet') return [payment];
  const { paymentMethod, paymentReference } = change;
  const note = [paymentMethod, paymentReference].filter(Boolean).join(' ') || undefined;
  return [orderTopUp(orderNumber, total, note), payment];
}

function stateAfter(order: LockedOrder, change: OrderChange, timeZone: TimeZone): Transition {
  const next = transition(change.action, order);
  if ('refused' in next) throw illegalTransition(order.orderNumber, next.refused);
  if (change.action === 'ship') checkShippedAt(change.shippedAt, order.placedAt, timeZone);
  return next;
}

/** The count is lower than the quantity that ships. One of the two is wrong, and only people know which. */
function missingOnShelf(orders: number, variationKey: string, quantity: number, onHand: number): DomainError {
  const shipped = `${quantity}${variationKey ? ` of ${variationKey}` : ''}`;
  const ships = orders === 1 ? 'The order ships' : 'The orders together ship';
  return new DomainError(
    'conflict',
    `${ships} ${shipped}, but only ${onHand} are on hand. Correct the count first, then ship.`,
  );
}
