import { UNDERWAY_OF_CLIENT } from '../lifecycle/payments-underway.repository.js';
import type { OrderGroup, OrderStatus, PaymentStatus } from '../rules/order-transitions.js';
import { normaliseOrderNumber, readNumberEnd } from '../rules/order-number.js';
import { likePattern, searchTerms } from '../rules/search-terms.js';
import { type SqlCondition, newerThan, olderThan, type OrderCursor } from './order-cursor.js';

/** Orders to list. Each entry point reads its own parameters into this. */
export interface OrderFilter {
  status?: OrderStatus;
  paymentStatus?: PaymentStatus;
  /** Only for the orders of one client. */
  group?: OrderGroup;
  /** When it was placed, paid and shipped: at this time or later, and before the other. */
  from?: Date;
  to?: Date;
  paidFrom?: Date;
  paidTo?: Date;
  shippedFrom?: Date;
  shippedTo?: Date;
  /** The store's own id, which orders of several domains may have. */
  storeOrderId?: string;
  /** Only orders of this domain. For the orders of one client. */
  domain?: string;
  /** Our number, the store's id, or a part of the customer's name, phone, e-mail, city or tracking number. */
  search?: string;
  /** Only orders with this product. For the wholesaler, and not together with a search. */
  productId?: number;
  /** Only orders that were paid, also if they were refunded later. */
  wasPaid?: true;
  /** Of shipped orders those with a parcel on its way to the customer, or those without. */
  goods?: 'arriving' | 'not_arriving';
}

export const ORDER_SORTS = ['newest', 'oldest', 'highest', 'lowest'] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];

/** A list by a step is sorted by it, so that an index finds its page. A search is sorted by time. */
export function sortOfFilter(filter: OrderFilter): DeskOrderSort {
  const { search, paidFrom, paidTo, shippedFrom, shippedTo } = filter;
  if (search !== undefined) return 'newest';
  if (paidFrom ?? paidTo) return 'paid';
  return (shippedFrom ?? shippedTo) ? 'shipped' : 'newest';
}

/** A falling list begins with the newest order or the highest total. */
export const SORTS: Record<OrderSort, { by: 'placed_at' | 'total'; descending: boolean }> = {
  newest: { by: 'placed_at', descending: true },
  oldest: { by: 'placed_at', descending: false },
  highest: { by: 'total', descending: true },
  lowest: { by: 'total', descending: false },
};

/** Sorting by a step: the oldest step first. Orders whose step has the same time follow by their time. */
export const STEP_SORTS = { paid: 'paid_at', shipped: 'shipped_at' } as const;

type StepSort = keyof typeof STEP_SORTS;

export const byStep = (sort: StepSort, orders: string) =>
  [STEP_SORTS[sort], 'placed_at', 'order_number'].map((column) => `${orders}.${column}`).join(', ');

/** The order in which orders are packed. */
export const toShipFirst = (orders: string) => byStep('paid', orders);

export const isStepSort = (sort: DeskOrderSort): sort is StepSort => sort in STEP_SORTS;

/** The start of a page: after an order, or at the top. Newest first by default. */
export interface PageStart<Sort = OrderSort> {
  after?: OrderCursor;
  sort?: Sort;
}

/** Only paid orders can be listed by payment, and only shipped ones by shipment. */
export type DeskOrderSort = OrderSort | StepSort;

interface Conditions {
  /** The set of conditions as a text for the name of the statement. */
  kind: string;
  where: string;
  /**
   * The conditions with their FROM. A single order is found by its key first: a plan from an empty table
   * would read the whole list.
   */
  orders: string;
  values: unknown[];
  /** The condition on the text of an order. Its values are the last ones. */
  text: string | undefined;
}

/** The numbers of a client's orders with a store's id: of the first one, and of other domains. */
const numbersWithId = (client: string, id: string) => `
  (SELECT order_number FROM store_order_ids WHERE client_id = ${client} AND store_order_id = ${id} LIMIT 1)
  UNION ALL
  SELECT order_number FROM domain_order_ids WHERE client_id = ${client} AND store_order_id = ${id}`;

/**
 * The orders of any client `c` with a store's id. The index of these ids begins with the client, so each
 * client is one look-up in it.
 */
export const withStoreOrderId = (id: string) =>
  `clients c CROSS JOIN LATERAL (${numbersWithId('c.id', id)}) AS s`;

const IS_OF_ANY_STORE = `
  (o.client_id, o.order_number) IN (SELECT c.id, s.order_number FROM ${withStoreOrderId('?')})`;

/** As an array, so that PostgreSQL looks up each order by its key. */
const HAS_STORE_ORDER_ID = `o.order_number = ANY (ARRAY(${numbersWithId('$1', '?')}))`;

/** Orders with a parcel on its way to the customer, also if others wait to be shipped: those of an index. */
export const ON_THE_WAY = `
  o.status IN ('pending', 'shipped') AND o.shipped_at IS NOT NULL AND o.goods_state IS NULL`;

const GOODS = {
  arriving: [`o.status = 'shipped' AND o.goods_state IS NULL`],
  not_arriving: [`o.status = 'shipped' AND o.goods_state IS NOT NULL`],
} satisfies Record<string, SqlCondition>;

const GROUPS: Record<OrderGroup, SqlCondition> = {
  to_pay: [`o.status = 'awaiting_payment' AND o.order_number NOT IN ${UNDERWAY_OF_CLIENT}`],
  processing: [`o.status = 'awaiting_payment' AND o.order_number IN ${UNDERWAY_OF_CLIENT}`],
  paid: [`o.status = 'pending'`],
  shipped: GOODS.arriving,
  not_arriving: GOODS.not_arriving,
  delivered: [`o.status = 'delivered'`],
  cancelled: [`o.status = 'cancelled'`],
};

/**
 * SQL, because TypeORM cannot look up a row first. Only the given conditions, so PostgreSQL plans each
 * combination with the index that suits it. A client is always `$1`; the wholesaler may list orders of all
 * clients.
 */
export function conditionsOf(
  clientId: number | undefined,
  filter: OrderFilter,
  { after, sort = 'newest' }: PageStart<DeskOrderSort> = {},
): Conditions {
  const {
    status,
    paymentStatus,
    group,
    from,
    to,
    paidFrom,
    paidTo,
    shippedFrom,
    shippedTo,
    storeOrderId,
    domain,
    search,
    wasPaid,
    goods,
  } = filter;
  const possible: (SqlCondition | undefined)[] = [
    clientId === undefined ? undefined : ['o.client_id = ?', clientId],
    status && ['o.status = ?', status],
    paymentStatus && ['o.payment_status = ?', paymentStatus],
    group && GROUPS[group],
    from && ['o.placed_at >= ?', from],
    to && ['o.placed_at < ?', to],
    paidFrom && ['o.paid_at >= ?', paidFrom],
    paidTo && ['o.paid_at < ?', paidTo],
    shippedFrom && ['o.shipped_at >= ?', shippedFrom],
    shippedTo && ['o.shipped_at < ?', shippedTo],
    storeOrderId === undefined ? undefined : hasStoreOrderId(storeOrderId, clientId),
    search === undefined ? undefined : exactCondition(search, clientId),
    after &&
      (isStepSort(sort)
        ? afterByStep(sort, after)
        : SORTS[sort].descending
          ? olderThan(after)
          : newerThan(after)),
    wasPaid && ['o.paid_at IS NOT NULL'],
    goods && GOODS[goods],
    domain === undefined ? undefined : ['o.changed > 0 AND o.domain = ?', domain],
  ];
  const text = search === undefined ? productCondition(filter) : textCondition(search);
  const conditions = [...possible, text].filter((condition) => condition !== undefined);
  const kind = possible.reduce((bits, condition, bit) => (condition ? bits | (1 << bit) : bits), 0);
  let position = 0;
  const texts = conditions.map(([condition]) => condition.replaceAll('?', () => `$${++position}`));
  const textSql = text && texts.pop();
  const where = texts.join(' AND ') || 'true';
  const isOne =
    storeOrderId !== undefined || (search !== undefined && exactCondition(search, clientId) !== undefined);
  return {
    kind: `${group ?? goods ?? 'all'}-${kind}`,
    text: textSql,
    where,
    orders: isOne ? `(SELECT * FROM orders o WHERE ${where} OFFSET 0) AS o` : `orders o WHERE ${where}`,
    values: conditions.flatMap(([, ...values]) => values),
  };
}

const SEARCHED = `order_search_text(o.order_number, o.store_order_id, o.customer_name, o.customer_phone,
  o.customer_email, o.shipping_city, o.tracking_numbers)`;

function textCondition(search: string): SqlCondition | undefined {
  const terms = normaliseOrderNumber(search) === null ? searchTerms(search) : [];
  if (terms.length === 0) return undefined;
  const alternatives = terms.map((spellings) =>
    spellings.map(() => `${SEARCHED} LIKE lower(?)`).join(' OR '),
  );
  const all = `(${alternatives.join(') AND (')})`;
  const patterns = terms.flat().map(likePattern);
  const end = readNumberEnd(search);
  if (end === null) return [`(o.changed > 0 AND ${all})`, ...patterns];
  return [`(o.changed > 0 AND (${all} OR ${SEARCHED} LIKE lower(?)))`, ...patterns, likePattern(end)];
}

/** The cursor has no time of the step, so the order is looked up. */
function afterByStep(sort: StepSort, { clientId, orderNumber }: OrderCursor): SqlCondition {
  const own = (column: string) => `(SELECT ${column} FROM orders WHERE client_id = ? AND order_number = ?)`;
  const key = [clientId, orderNumber];
  const position = `(${own(STEP_SORTS[sort])}, ${own('placed_at')}, ?)`;
  return [`(${byStep(sort, 'o')}) > ${position}`, ...key, ...key, orderNumber];
}

const productCondition = ({ productId }: OrderFilter): SqlCondition | undefined =>
  productId === undefined
    ? undefined
    : [
        `EXISTS (SELECT FROM order_items i WHERE (i.client_id, i.order_number) = (o.client_id, o.order_number)
                    AND i.product_id = ?)`,
        productId,
      ];

/** Our number in any spelling names one order. So does a store's id that is too short for a search. */
function exactCondition(search: string, clientId: number | undefined): SqlCondition | undefined {
  const orderNumber = normaliseOrderNumber(search);
  if (orderNumber !== null) return ['o.order_number = ?', orderNumber];
  if (searchTerms(search).length > 0) return undefined;
  return hasStoreOrderId(search.trim(), clientId);
}

const hasStoreOrderId = (id: string, clientId: number | undefined): SqlCondition => [
  clientId === undefined ? IS_OF_ANY_STORE : HAS_STORE_ORDER_ID,
  id,
  id,
];
