import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import type { ActionDetails, OrderKey } from './order-action.js';
import type { Demand } from '../rules/order-stock.js';
import type { OrderState } from '../rules/order-transitions.js';

export type LockedOrder = OrderKey & OrderState & { placedAt: Date };

const LOCKED_COLUMNS = `client_id AS "clientId", order_number AS "orderNumber", status, payment_status AS "paymentStatus",
  placed_at AS "placedAt"`;

const LOCK = {
  name: 'order-lock',
  text: `SELECT ${LOCKED_COLUMNS} FROM orders WHERE client_id = $1 AND order_number = $2 FOR UPDATE`,
};

const LOCK_DUE = {
  name: 'order-lock-due',
  text: `
    SELECT ${LOCKED_COLUMNS} FROM orders
     WHERE status = 'awaiting_payment' AND payment_due_at <= statement_timestamp()
     ORDER BY payment_due_at
     LIMIT $1
       FOR UPDATE SKIP LOCKED`,
};

const HELD_BY = {
  name: 'order-held-by',
  text: `
    SELECT i.product_id AS "productId", i.variation_key AS "variationKey", sum(i.quantity)::int AS quantity
      FROM order_items i
      JOIN unnest($1::int[], $2::text[]) AS wanted (client_id, order_number) USING (client_id, order_number)
     GROUP BY i.product_id, i.variation_key`,
};

/** What the order and its timeline tell happened at one time, never earlier than the entry before it, whatever the clock did. */
const MOVE_ON = {
  name: 'order-move-on',
  text: `
    WITH next AS (
           SELECT t.client_id, t.order_number, max(t.entry) + 1 AS entry, greatest(statement_timestamp(), max(t.changed_at)) AS changed_at
             FROM order_timeline t
             JOIN unnest($1::int[], $2::text[]) AS changed (client_id, order_number) USING (client_id, order_number)
            GROUP BY t.client_id, t.order_number),
         told AS (
           INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor, note)
           SELECT client_id, order_number, entry, $3, changed_at, $12, $13 FROM next)
    UPDATE orders o
       SET status = $3, payment_status = $4,
           paid_at = CASE WHEN $3 = 'pending' THEN next.changed_at ELSE o.paid_at END,
           payment_method = coalesce($5, o.payment_method),
           payment_reference = coalesce($6, o.payment_reference),
           courier = coalesce($7, o.courier),
           tracking_number = coalesce($8, o.tracking_number),
           tracking_url = coalesce($9, o.tracking_url),
           shipped_at = CASE WHEN $3 = 'shipped' THEN coalesce($10, next.changed_at) ELSE o.shipped_at END,
           delivered_at = CASE WHEN $3 = 'delivered' THEN next.changed_at ELSE o.delivered_at END,
           cancelled_at = CASE WHEN $3 = 'cancelled' THEN next.changed_at ELSE o.cancelled_at END,
           cancel_reason = $11
      FROM next
     WHERE o.client_id = next.client_id AND o.order_number = next.order_number`,
};

/** Orders of any client, locked and moved on by the lifecycle. Callers' queries live in the orders repository. */
@Injectable()
export class LifecycleRepository {
  async lock(
    transaction: Transaction,
    { clientId, orderNumber }: OrderKey,
  ): Promise<LockedOrder | undefined> {
    const [order] = await transaction.query<LockedOrder>(LOCK, [clientId, orderNumber]);
    return order;
  }

  lockDue(transaction: Transaction, limit: number): Promise<LockedOrder[]> {
    return transaction.query<LockedOrder>(LOCK_DUE, [limit]);
  }

  /** What the orders hold together, each thing once. */
  heldBy(transaction: Transaction, orders: OrderKey[]): Promise<Demand[]> {
    return transaction.query<Demand>(HELD_BY, keysOf(orders));
  }

  async moveOn(
    transaction: Transaction,
    orders: OrderKey[],
    next: OrderState,
    actor: string,
    details: ActionDetails,
  ): Promise<void> {
    await transaction.query(MOVE_ON, [
      ...keysOf(orders),
      next.status,
      next.paymentStatus,
      details.paymentMethod ?? null,
      details.paymentReference ?? null,
      details.courier ?? null,
      details.trackingNumber ?? null,
      details.trackingUrl ?? null,
      details.shippedAt ?? null,
      details.cancelReason ?? null,
      actor,
      details.note ?? details.cancelReason ?? null,
    ]);
  }
}

function keysOf(orders: OrderKey[]): [number[], string[]] {
  return [orders.map(({ clientId }) => clientId), orders.map(({ orderNumber }) => orderNumber)];
}
