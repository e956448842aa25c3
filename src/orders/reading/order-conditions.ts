import { parseEnd, parseInstant } from '../../platform/validation/instant.js';
import { type Condition, type NumberedConditions, numberConditions } from './conditions.js';
import { olderThan, type OrderCursor } from './order-cursor.js';
import type { OrderListQuery } from './order.queries.js';

export function orderConditions(query: OrderListQuery, after: OrderCursor | undefined): NumberedConditions {
  return numberConditions([...filtersOf(query), after && olderThan(after)]);
}

function filtersOf(query: OrderListQuery): (Condition | undefined)[] {
  const { status, payment_status, store_order_id, created_from, created_to } = query;
  return [
    status && ['o.status = ?', status],
    payment_status && ['o.payment_status = ?', payment_status],
    store_order_id === undefined ? undefined : [OF_STORE_ORDER_ID, store_order_id],
    created_from === undefined ? undefined : ['o.placed_at >= ?', parseInstant(created_from)],
    created_to === undefined ? undefined : ['o.placed_at < ?', parseEnd(created_to)],
  ];
}

/** The one order that its store calls so. */
export const OF_STORE_ORDER_ID =
  'o.order_number = (SELECT order_number FROM store_order_ids WHERE client_id = $1 AND store_order_id = ?)';
