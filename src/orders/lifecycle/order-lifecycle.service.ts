import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type StockChange, StockHoldings } from '../../stock/stock-holdings.js';
import type { OrderKey } from '../entities/order.entity.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { orderPayment, orderRefund, orderTopUp, type Posting } from '../../wallet/rules/posting.js';
import { WalletLedger } from '../../wallet/wallet-ledger.js';
import { illegalTransition, notCancellable, orderNotFound } from '../order-errors.js';
import { stockId } from '../rules/order-stock.js';
import { type StockEffect, type Transition, transition } from '../rules/order-transitions.js';
import { checkShippedAt } from '../rules/shipped-at.js';
import { LifecycleRepository, type LockedOrder } from './lifecycle.repository.js';
import type { OrderChange, Parcel } from './order-change.js';

/** Every change of orders after they were placed: state, stock and timeline in one transaction. */
@Injectable()
export class OrderLifecycle {
  constructor(
    private readonly database: Database,
    private readonly orders: LifecycleRepository,
    private readonly stock: StockHoldings,
    private readonly wallets: WalletLedger,
  ) {}

  /** Changes one order or several: all of them, or none. */
  act(orders: OrderKey | OrderKey[], change: OrderChange, actor: string): Promise<void> {
    return this.database.transaction((transaction) => this.actWithin(transaction, orders, change, actor));
  }

  /** For those who write more in the same transaction; the orders are locked from here on until its end. */
  async actWithin(
    transaction: Transaction,
    orders: OrderKey | OrderKey[],
    change: OrderChange,
    actor: string,
  ): Promise<void> {
    await this.actOn(transaction, await this.orders.lockAll(transaction, [orders].flat()), change, actor);
  }

  /** For those who have locked the orders themselves. */
  async actOn(
    transaction: Transaction,
    locked: LockedOrder[],
    change: OrderChange,
    actor: string,
  ): Promise<void> {
    await this.apply(transaction, locked, () => change, actor);
  }

  /** Of each what is known of its parcel. All of them, or none. */
  async shipWithin(transaction: Transaction, parcels: readonly Parcel[], actor: string): Promise<void> {
    const shipments = new Map(parcels.map(({ key, shipment }) => [nameOf(key), shipment]));
    const locked = await this.orders.lockAll(
      transaction,
      parcels.map(({ key }) => key),
    );
    const shipped = (key: OrderKey) => ({ action: 'ship', ...shipments.get(nameOf(key))! }) as const;
    await this.apply(transaction, locked, shipped, actor);
  }

  /** What a client may do by itself: only until it has paid. */
  async cancelUnpaid(key: OrderKey, actor: string, cancelReason: string): Promise<void> {
    await this.database.transaction((transaction) =>
      this.cancelUnpaidWithin(transaction, key, actor, cancelReason),
    );
  }

  /** An order that is cancelled already stays as it is. Says whether it was not. */
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

  /** Cancels a batch of those whose payment window is over. Other nodes' batches are passed over, not waited for. */
  expireBatch(size: number): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const due = await this.orders.lockDue(transaction, size);
      await this.apply(transaction, due, () => ({ action: 'expire', cancelReason: 'expired' }), 'system');
      return due.length;
    });
  }

  /** One action on all of them. Locks are taken in one order, always: the orders, their stock, the wallets. */
  private async apply(
    transaction: Transaction,
    orders: LockedOrder[],
    changeOf: (key: OrderKey) => OrderChange,
    actor: string,
  ): Promise<void> {
    const moved = orders.map((order) => {
      const change = changeOf(order);
      return { ...order, ...stateAfter(order, change), change };
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

  /** Client by client in the order of their numbers, in which the orders are locked too. */
  private async moveMoney(transaction: Transaction, orders: Changed[], actor: string): Promise<void> {
    for (const clientId of new Set(orders.map((order) => order.clientId))) {
      const own = orders.filter((order) => order.clientId === clientId);
      const postings = own.flatMap(postingsOf);
      if (postings.length > 0) await this.wallets.post(transaction, clientId, actor, postings);
    }
  }
}

type Changed = LockedOrder & Transition & { change: OrderChange };

function nameOf({ clientId, orderNumber }: OrderKey): string {
  return `${clientId}/${orderNumber}`;
}

/** What a change of an order does to its client's wallet; an order that cost nothing does nothing. */
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

function stateAfter(order: LockedOrder, change: OrderChange): Transition {
  const next = transition(change.action, order);
  if ('refused' in next) throw illegalTransition(order.orderNumber, next.refused);
  if (change.action === 'ship') checkShippedAt(change.shippedAt, order.placedAt);
  return next;
}

/** A count says that there is less than what is being shipped: one of the two is wrong, and only people know which. */
function missingOnShelf(orders: number, variationKey: string, quantity: number, onHand: number): DomainError {
  const shipped = `${quantity}${variationKey ? ` of ${variationKey}` : ''}`;
  return new DomainError(
    'conflict',
    `${orders === 1 ? 'The order ships' : 'The orders together ship'} ${shipped}, but only ${onHand} are on hand. Correct the count first, then ship.`,
  );
}
