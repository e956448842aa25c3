import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type StockChange, StockHoldings } from '../../stock/stock-holdings.js';
import { LifecycleRepository, type LockedOrder } from './lifecycle.repository.js';
import type { ActionDetails, OrderKey } from './order-action.js';
import { orderNotFound } from '../order-not-found.js';
import { type OrderAction, type StockEffect, transition } from '../rules/order-transitions.js';
import { stockId } from '../rules/order-stock.js';
import { checkShippedAt } from '../rules/shipped-at.js';

/** Every change of an order after it was placed: state, stock and timeline in one transaction. */
@Injectable()
export class OrderLifecycle {
  constructor(
    private readonly database: Database,
    private readonly orders: LifecycleRepository,
    private readonly stock: StockHoldings,
  ) {}

  act(action: OrderAction, key: OrderKey, actor: string, details: ActionDetails = {}): Promise<void> {
    return this.database.transaction((transaction) =>
      this.actWithin(transaction, action, key, actor, details),
    );
  }

  async actWithin(
    transaction: Transaction,
    action: OrderAction,
    key: OrderKey,
    actor: string,
    details: ActionDetails = {},
  ): Promise<void> {
    const order = await this.orders.lock(transaction, key);
    if (!order) throw new DomainError('order_not_found', `There is no order ${key.orderNumber}.`);
    await this.apply(transaction, action, [order], actor, details);
  }

  /** What a store may do by itself: only until it has paid. An order that is cancelled already stays as it is. */
  cancelUnpaid(key: OrderKey, actor: string, cancelReason: string): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const order = await this.orders.lock(transaction, key);
      if (!order) throw orderNotFound();
      if (order.status === 'cancelled') return;
      if (order.status !== 'awaiting_payment') throw notCancellable(order);
      await this.apply(transaction, 'cancel', [order], actor, { cancelReason });
    });
  }

  /** Cancels a batch of those whose payment window is over. Other nodes' batches are passed over, not waited for. */
  expireBatch(size: number): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const due = await this.orders.lockDue(transaction, size);
      if (due.length > 0) await this.apply(transaction, 'expire', due, 'system', { cancelReason: 'expired' });
      return due.length;
    });
  }

  /** Orders are locked before their stock, always; all of them must be in the same state. */
  private async apply(
    transaction: Transaction,
    action: OrderAction,
    orders: LockedOrder[],
    actor: string,
    details: ActionDetails,
  ): Promise<void> {
    const next = transition(action, orders[0]!);
    if ('refused' in next) throw new DomainError('illegal_transition', next.refused);
    for (const { placedAt } of orders) checkShippedAt(details.shippedAt, placedAt);
    if (next.stock !== 'none') await this.moveStock(transaction, orders, next.stock);
    await this.orders.moveOn(transaction, orders, next, actor, details);
  }

  private async moveStock(
    transaction: Transaction,
    orders: LockedOrder[],
    effect: StockEffect,
  ): Promise<void> {
    const held = await this.orders.heldBy(transaction, orders);
    const quantities = new Map(held.map((item) => [stockId(item), item.quantity]));
    const changes: StockChange[] = [];
    for (const item of await this.stock.lock(transaction, held)) {
      const quantity = quantities.get(stockId(item)) ?? 0;
      if (effect === 'take' && quantity > item.onHand)
        throw missingOnShelf(item.variationKey, quantity, item.onHand);
      changes.push({ id: item.id, held: -quantity, onHand: effect === 'take' ? -quantity : 0 });
    }
    await this.stock.change(transaction, changes);
  }
}

/** A count says that there is less than what is being shipped: one of the two is wrong, and only people know which. */
function missingOnShelf(variationKey: string, quantity: number, onHand: number): DomainError {
  const what = variationKey ? ` of ${variationKey}` : '';
  return new DomainError(
    'conflict',
    `The order ships ${quantity}${what}, but only ${onHand} are on hand. Correct the count first, then ship.`,
  );
}

function notCancellable({ status }: LockedOrder): DomainError {
  return new DomainError(
    'not_cancellable',
    `The order is ${status}: it was paid and can no longer be cancelled here.`,
    {
      facts: { status },
    },
  );
}
