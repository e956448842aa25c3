import { parseEnd, parseInstant } from '../../platform/validation/instant.js';
import type { OrderCursor } from './order-cursor.js';
import type { OrderListQuery } from './order.queries.js';

interface OrderConditions {
  /** Which combination it is, as a number. */
  kind: number;
  /** Conditions on `orders o`, of which $1 is the client. */
  conditions: string[];
  values: unknown[];
}

/** A condition written with `?` for each of its values. */
type Condition = [text: string, ...values: unknown[]];

/** Only the conditions that are asked for: PostgreSQL plans each combination by itself, with the index that suits it. */
export function orderConditions(query: OrderListQuery, after: OrderCursor | undefined): OrderConditions {
  const possible = [...filtersOf(query), after && beyond(after)];
  const asked = possible.filter((condition) => condition !== undefined);
  let position = 1;
  return {
    kind: possible.reduce((kind, condition, bit) => (condition ? kind | (1 << bit) : kind), 0),
    conditions: asked.map(([text]) => text.replaceAll('?', () => `$${++position}`)),
    values: asked.flatMap(([, ...values]) => values),
  };
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

const OF_STORE_ORDER_ID =
  'o.order_number = (SELECT order_number FROM store_order_ids WHERE client_id = $1 AND store_order_id = ?)';

/** In the order of the list, which is the newest first. */
function beyond({ placedAt, orderNumber }: OrderCursor): Condition {
  return [
    `(o.placed_at, o.order_number) < (timestamptz 'epoch' + ?::float8 * interval '1 microsecond', ?)`,
    placedAt,
    orderNumber,
  ];
}
