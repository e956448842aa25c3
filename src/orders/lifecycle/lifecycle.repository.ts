import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../platform/database/columns-of.js';
import { keepPlans, type Transaction } from '../../platform/database/database.js';
import { Order, type OrderKey } from '../entities/order.entity.js';
import { noSuchOrder } from '../order-errors.js';
import type { Demand } from '../rules/order-stock.js';
import type { OrderState } from '../rules/order-transitions.js';
import type { Shipment } from '../rules/shipment.js';

const LOCKED = ['clientId', 'orderNumber', 'status', 'paymentStatus', 'placedAt', 'total'] as const;

export type LockedOrder = Pick<Order, (typeof LOCKED)[number]>;

/** SQL, because rows are locked in the order of their keys, so that no two transactions deadlock. */
const LOCK = {
  name: 'order-lock',
  text: `
    SELECT ${columnsOf(Order, 'o', LOCKED)} FROM orders o
     WHERE (o.client_id, o.order_number) IN (SELECT * FROM unnest($1::int[], $2::text[]))
     ORDER BY o.client_id, o.order_number
       FOR UPDATE OF o`,
};

/** SQL, because the database adds up the lines: 100 orders may have 100 lines each. */
const HELD_BY = {
  name: 'order-held-by',
  text: `
    SELECT i.product_id AS "productId", i.variation_key AS "variationKey", sum(i.quantity)::int AS quantity
      FROM order_items i
      JOIN unnest($1::int[], $2::text[]) AS wanted (client_id, order_number) USING (client_id, order_number)
     GROUP BY i.product_id, i.variation_key`,
};

/** The optional facts of a change, in the order of the parameters from $6 on. */
const FACTS = [
  'paymentMethod',
  'paymentReference',
  'courier',
  'trackingNumber',
  'trackingUrl',
  'shippedAt',
  'cancelReason',
] as const;

type Facts = Pick<OrderChange, 'action'> & Partial<Pick<Order, (typeof FACTS)[number]>>;

/** An order after its change. */
export type MovedOrder = OrderKey & OrderState & { change: OrderChange };

/**
 * SQL, because one statement moves all orders and their timelines. Both get the same time, never before the
 * last entry, even if the clock went back.
 */
const MOVE_ON = {
  name: 'order-move-on',
  text: `
    WITH next AS (
           SELECT moved.*, last.entry + 1 AS entry,
                  greatest(statement_timestamp(), last.changed_at) AS changed_at
             FROM unnest($1::int[], $2::text[], $3::text[], $6::text[], $7::text[], $8::text[], $9::text[],
                         $10::text[], $11::timestamptz[], $12::text[])
                  AS moved (client_id, order_number, payment_status, payment_method, payment_reference,
                            courier, tracking_number, tracking_url, shipped_at, cancel_reason),
                  LATERAL (
                    SELECT max(entry) AS entry, max(changed_at) AS changed_at
                      FROM order_timeline t
                     WHERE (t.client_id, t.order_number) = (moved.client_id, moved.order_number)) AS last),
         told AS (
           INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor, note)
           SELECT client_id, order_number, entry, $4, changed_at, $5, cancel_reason FROM next)
    UPDATE orders o
       SET status = $4, payment_status = next.payment_status,
           paid_at = CASE WHEN $4 = 'pending' THEN next.changed_at ELSE o.paid_at END,
           payment_method = coalesce(next.payment_method, o.payment_method),
           payment_reference = coalesce(next.payment_reference, o.payment_reference),
           courier = coalesce(next.courier, o.courier),
           tracking_number = coalesce(next.tracking_number, o.tracking_number),
           tracking_url = coalesce(next.tracking_url, o.tracking_url),
           shipped_at = CASE WHEN $4 = 'shipped' THEN coalesce(next.shipped_at, next.changed_at)
                             ELSE o.shipped_at END,
           delivered_at = CASE WHEN $4 = 'delivered' THEN next.changed_at ELSE o.delivered_at END,
           cancelled_at = CASE WHEN $4 = 'cancelled' THEN next.changed_at ELSE o.cancelled_at END,
           cancel_reason = next.cancel_reason
      FROM next
     WHERE o.client_id = next.client_id AND o.order_number = next.order_number`,
};

/** Locks and changes orders of any client. */
@Injectable()
export class LifecycleRepository {
  /** Locks the orders that exist, each once. */
  async lock(transaction: Transaction, keys: OrderKey[]): Promise<LockedOrder[]> {
    const [, locked] = await Promise.all([
      keepPlans(transaction),
      transaction.query<LockedOrder>(LOCK, arraysOf(keys)),
    ]);
    return locked;
  }

  /** Locks all of the orders, or refuses with the number of a missing one. */
  async lockAll(transaction: Transaction, keys: OrderKey[]): Promise<LockedOrder[]> {
    const locked = await this.lock(transaction, keys);
    const found = new Set(locked.map(nameOf));
    const missing = keys.find((key) => !found.has(nameOf(key)));
    if (missing) throw noSuchOrder(missing.orderNumber);
    return locked;
  }

  /** Locks orders whose payment window is over, and skips locked ones. */
  async lockDue(transaction: Transaction, limit: number): Promise<LockedOrder[]> {
    await keepPlans(transaction);
    return transaction.manager
      .createQueryBuilder(Order, 'o')
      .select(LOCKED.map((field) => `o.${field}`))
      .where(`o.status = 'awaiting_payment' AND o.paymentDueAt <= statement_timestamp()`)
      .orderBy('o.paymentDueAt')
      .limit(limit)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
  }

  /** The quantities that the orders hold, one row per stock item. */
  heldBy(transaction: Transaction, orders: OrderKey[]): Promise<Demand[]> {
    return transaction.query<Demand>(HELD_BY, arraysOf(orders));
  }

  /** All orders get the same status. Their payments and facts may differ. */
  async moveOn(transaction: Transaction, orders: readonly MovedOrder[], actor: string): Promise<void> {
    const facts: Facts[] = orders.map(({ change }) => change);
    await transaction.query(MOVE_ON, [
      ...arraysOf(orders),
      orders.map(({ paymentStatus }) => paymentStatus),
      orders[0]!.status,
      actor,
      ...FACTS.map((fact) => facts.map((told) => told[fact] ?? null)),
    ]);
  }
}

export function nameOf({ clientId, orderNumber }: OrderKey): string {
  return `${clientId}/${orderNumber}`;
}

/** The keys as two arrays, for `unnest`. */
export function arraysOf(keys: readonly OrderKey[]): [clientIds: number[], orderNumbers: string[]] {
  return [keys.map(({ clientId }) => clientId), keys.map(({ orderNumber }) => orderNumber)];
}

/** A shipment of an order. */
export interface Parcel {
  key: OrderKey;
  shipment: Shipment;
}

/**
 * An action on an order with its facts. The wallet always pays; money from elsewhere is added to it first.
 */
export type OrderChange =
  | ({ action: 'pay'; from: 'wallet' | 'elsewhere' } & Partial<
      Pick<Order, 'paymentMethod' | 'paymentReference'>
    >)
  | ({ action: 'ship' } & Shipment)
  | { action: 'deliver' }
  | { action: 'cancel' | 'expire'; cancelReason: string };
