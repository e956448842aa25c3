import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type StockChange, StockHoldings } from '../../stock/stock-holdings.js';
import type { OrderKey } from '../entities/order.entity.js';
import { noSuchOrder, notCancellable, orderNotFound } from '../order-errors.js';
import { stockId } from '../rules/order-stock.js';
import { type StockEffect, type Transition, transition } from '../rules/order-transitions.js';
import { checkShippedAt } from '../rules/shipped-at.js';
import { LifecycleRepository, type LockedOrder } from './lifecycle.repository.js';
import type { OrderChange } from './order-change.js';

/** Every change of orders after they were placed: state, stock and timeline in one transaction. */
@Injectable()
export class OrderLifecycle {
  constructor(
    private readonly database: Database,
    private readonly orders: LifecycleRepository,
    private readonly stock: StockHoldings,
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
    const keys = [orders].flat();
    const locked = await this.orders.lock(transaction, keys);
    const numbers = new Set(locked.map(({ clientId, orderNumber }) => `${clientId}/${orderNumber}`));
    const missing = keys.find(({ clientId, orderNumber }) => !numbers.has(`${clientId}/${orderNumber}`));
    if (missing) throw noSuchOrder(missing.orderNumber);
    await this.apply(transaction, locked, change, actor);
  }

  /** What a store may do by itself: only until it has paid. An order that is cancelled already stays as it is. */
  cancelUnpaid(key: OrderKey, actor: string, cancelReason: string): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const [order] = await this.orders.lock(transaction, [key]);
      if (!order) throw orderNotFound();
      if (order.status === 'cancelled') return;
      if (order.status !== 'awaiting_payment') throw notCancellable(order);
      await this.apply(transaction, [order], { action: 'cancel', cancelReason }, actor);
    });
  }

  /** Cancels a batch of those whose payment window is over. Other nodes' batches are passed over, not waited for. */
  expireBatch(size: number): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const due = await this.orders.lockDue(transaction, size);
      await this.apply(transaction, due, { action: 'expire', cancelReason: 'expired' }, 'system');
      return due.length;
    });
  }

  /** Orders are locked before their stock, always. */
  private async apply(
    transaction: Transaction,
    orders: LockedOrder[],
    change: OrderChange,
    actor: string,
  ): Promise<void> {
    const moved = orders.map((order) => ({ ...order, ...stateAfter(order, change) }));
    if (moved.length === 0) return;
    await this.moveStock(transaction, orders, moved[0]!.stock);
    await this.orders.moveOn(transaction, moved, change, actor);
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
}

function stateAfter(order: LockedOrder, change: OrderChange): Transition {
  const next = transition(change.action, order);
  if ('refused' in next) {
    throw new DomainError('illegal_transition', next.refused, { facts: { order_number: order.orderNumber } });
  }
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
