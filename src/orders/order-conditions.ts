import { parseEnd, parseInstant } from '../validation/instant.js';
import { readOrderCursor } from './order-cursor.js';
import type { OrderListQuery } from './order-list.query.js';

interface OrderConditions {
  /** Which combination it is, as a number. */
  kind: number;
  /** Conditions on `orders o`, of which $1 is the client. */
  conditions: string[];
  values: unknown[];
}

type Filter = 'status' | 'payment_status' | 'store_order_id' | 'created_from' | 'created_to' | 'cursor';

const CONDITIONS: Record<Filter, (value: string) => string> = {
  status: (value) => `o.status = ${value}`,
  payment_status: (value) => `o.payment_status = ${value}`,
  store_order_id: (value) =>
    `o.order_number = (SELECT order_number FROM store_order_ids WHERE client_id = $1 AND store_order_id = ${value})`,
  created_from: (value) => `o.placed_at >= ${value}`,
  created_to: (value) => `o.placed_at < ${value}`,
  // An order keeps its place for ever, so the last one of a page tells where the next begins.
  cursor: (value) =>
    `(o.placed_at, o.order_number) < (SELECT placed_at, order_number FROM orders WHERE client_id = $1 AND order_number = ${value})`,
};

const FILTERS = Object.keys(CONDITIONS) as Filter[];

/** Only the conditions that are asked for: PostgreSQL plans each combination by itself, with the index that suits it. */
export function orderConditions(query: OrderListQuery): OrderConditions {
  const asked = FILTERS.filter((filter) => query[filter] !== undefined);
  return {
    kind: asked.reduce((kind, filter) => kind | (1 << FILTERS.indexOf(filter)), 0),
    conditions: asked.map((filter, index) => CONDITIONS[filter](`$${index + 2}`)),
    values: asked.map((filter) => valueOf(filter, query[filter]!)),
  };
}

function valueOf(filter: Filter, text: string): unknown {
  if (filter === 'created_from') return parseInstant(text);
  if (filter === 'created_to') return parseEnd(text);
  if (filter === 'cursor') return readOrderCursor(text);
  return text;
}
