import { Injectable } from '@nestjs/common';
import { PackingList, type SlipPaper } from '../../orders/entities/order.entity.js';
import { toShipFirst } from '../../orders/records/order-filter.js';
import { IS_SLIP_OLD } from '../../orders/lifecycle/printed-slip.js';
import type { OrderStatus } from '../../orders/rules/order-transitions.js';
import type { GoodsState } from '../../orders/rules/goods-state.js';
import { Database, lockByName, type Transaction } from '../../../platform/database/database.js';
import { toBoundedCount, type BoundedCount, MAX_COUNTED } from '../../../platform/lists/bounded-lists.js';

export interface PackingListView {
  packing_list: number;
  made_at: Date;
  actor: string;
  /** The client that the list was limited to. */
  client: string | null;
  orders: number;
  to_ship: number;
  shipped: number;
  cancelled: number;
  dropped_at: Date | null;
}

export interface PackingListOrder {
  order_number: string;
  client: string;
  store_order_id: string | null;
  status: OrderStatus;
  goods_state: GoodsState | null;
  shipped_at: Date | null;
  paid_at: Date;
  customer_name: string;
  city: string;
  /** The order was changed after its slip was printed. */
  slip_is_old: boolean;
}

/**
 * SQL, because one statement picks the orders, makes the list and marks them. It skips locked orders: another
 * list takes them, or they are being shipped or cancelled.
 */
const MAKE = {
  text: `
    WITH picked AS (
           SELECT client_id, order_number FROM orders
            WHERE status = 'pending' AND packing_list IS NULL AND ($2::int IS NULL OR client_id = $2)
              AND ($5::text[] IS NULL OR order_number = ANY ($5))
            ORDER BY ${toShipFirst('orders')} LIMIT $3
              FOR UPDATE SKIP LOCKED),
         list AS (
           INSERT INTO packing_lists (actor, client_id, key, orders)
           SELECT $1, $2, $4, count(*) FROM picked HAVING count(*) > 0
           RETURNING id, orders),
         marked AS (
           UPDATE orders o SET packing_list = list.id FROM list, picked
            WHERE o.client_id = picked.client_id AND o.order_number = picked.order_number)
    SELECT id, orders FROM list`,
};

const DROP = {
  text: `
    UPDATE packing_lists SET dropped_at = now() WHERE id = $1 AND dropped_at IS NULL
    RETURNING client_id AS "clientId"`,
};

/** SQL, because rows are locked in the order of their keys, as everywhere. */
const FREE = {
  text: `
    WITH unshipped AS (
           SELECT client_id, order_number FROM orders WHERE packing_list = $1 AND status = 'pending'
            ORDER BY client_id, order_number
              FOR UPDATE),
         freed AS (
           UPDATE orders o SET packing_list = NULL FROM unshipped u
            WHERE o.client_id = u.client_id AND o.order_number = u.order_number
           RETURNING 1)
    SELECT count(*)::int AS freed FROM freed`,
};

/** SQL, because a cursor reads the lists row by row. */
const LISTS = `
  SELECT l.id AS packing_list, l.created_at AS made_at, l.actor, c.name AS client, l.orders,
         o.to_ship, o.shipped, o.cancelled, l.dropped_at
    FROM packing_lists l
    LEFT JOIN clients c ON c.id = l.client_id
   CROSS JOIN LATERAL (
           SELECT (count(*) FILTER (WHERE status = 'pending'))::int AS to_ship,
                  (count(*) FILTER (WHERE status IN ('shipped', 'delivered')))::int AS shipped,
                  (count(*) FILTER (WHERE status = 'cancelled'))::int AS cancelled
             FROM orders WHERE packing_list = l.id) AS o
   WHERE ($1::int IS NULL OR l.id = $1) AND ($2::int IS NULL OR l.id < $2)
   ORDER BY l.id DESC`;

const ORDERS = {
  text: `
    SELECT o.order_number, c.name AS client, o.store_order_id, o.status, o.goods_state, o.shipped_at,
           o.paid_at, o.customer_name, o.shipping_city AS city, ${IS_SLIP_OLD} AS slip_is_old
      FROM orders o JOIN clients c ON c.id = o.client_id
     WHERE o.packing_list = $1
     ORDER BY ${toShipFirst('o')}`,
};

const TO_PACK = {
  text: `
    SELECT order_number FROM orders
     WHERE packing_list = $1 AND status = 'pending' AND ($2::text IS NULL OR order_number = $2)
     ORDER BY ${toShipFirst('orders')}`,
};

/** SQL, because rows are locked in the order of their keys. An order that left has no slip any more. */
const MARK_PRINTED = {
  text: `
    WITH printed AS (
           SELECT o.client_id, o.order_number, given.slip
             FROM unnest($2::text[], $3::text[]) AS given (order_number, slip)
             JOIN orders o USING (order_number)
            WHERE o.packing_list = $1 AND o.status = 'pending'
            ORDER BY o.client_id, o.order_number
              FOR UPDATE OF o)
    UPDATE orders o
       SET printed_slips = coalesce(o.printed_slips, '{}') || jsonb_build_object($4::text, printed.slip)
      FROM printed
     WHERE o.client_id = printed.client_id AND o.order_number = printed.order_number`,
};

const WAITING = {
  text: `
    SELECT count(*)::int AS orders, min(paid_at) AS oldest
      FROM (SELECT paid_at FROM orders WHERE status = 'pending' AND packing_list IS NULL
             ORDER BY paid_at LIMIT ${MAX_COUNTED + 1}) AS waiting`,
};

export interface NewPackingList {
  clientId?: number;
  limit?: number;
  /** A second request with the same key finds the first list. */
  key?: string;
  /** Only these orders. */
  numbers?: string[];
}

@Injectable()
export class PackingRepository {
  constructor(private readonly database: Database) {}

  /** Undefined if no order waits. Without a limit it takes all. */
  async create(
    transaction: Transaction,
    actor: string,
    { clientId, limit, key, numbers }: NewPackingList,
  ): Promise<Pick<PackingList, 'id' | 'orders'> | undefined> {
    const values = [actor, clientId ?? null, limit ?? null, key ?? null, numbers ?? null];
    const [created] = await transaction.query<Pick<PackingList, 'id' | 'orders'>>(MAKE, values);
    return created;
  }

  async find(id: number): Promise<PackingListView | undefined> {
    const [found] = await this.database.query<PackingListView & object>({ text: LISTS }, [id, null]);
    return found;
  }

  page(before: number | undefined, limit: number): Promise<PackingListView[]> {
    const text = `${LISTS} LIMIT $3`;
    return this.database.query<PackingListView & object>({ text }, [null, before ?? null, limit]);
  }

  /** The list that was made with this key. A second request with it waits for the first. */
  async findByKey(transaction: Transaction, key: string): Promise<Pick<PackingList, 'id' | 'orders'> | null> {
    await lockByName(transaction, key);
    return transaction.manager.findOne(PackingList, { select: { id: true, orders: true }, where: { key } });
  }

  /** Paid orders that are on no list. */
  async waiting(): Promise<{ orders: BoundedCount; oldest: Date | null }> {
    const [found] = await this.database.query<{ orders: number; oldest: Date | null }>(WAITING, []);
    return { orders: toBoundedCount(found!.orders), oldest: found!.oldest };
  }

  ordersOf(id: number): Promise<PackingListOrder[]> {
    return this.database.query<PackingListOrder>(ORDERS, [id]);
  }

  /** The orders that have not left, the oldest payment first, or one of them. */
  async numbersToPack(id: number, order?: string): Promise<string[]> {
    const found = await this.database.query<{ order_number: string }>(TO_PACK, [id, order ?? null]);
    return found.map(({ order_number }) => order_number);
  }

  /** Keeps what the printed slips or labels say, by order. */
  async markPrinted(
    transaction: Transaction,
    id: number,
    slips: ReadonlyMap<string, string>,
    paper: SlipPaper,
  ): Promise<void> {
    await transaction.query(MARK_PRINTED, [id, [...slips.keys()], [...slips.values()], paper]);
  }

  /** Undefined if it was dropped before, or never made. */
  async markDropped(
    transaction: Transaction,
    id: number,
  ): Promise<Pick<PackingList, 'clientId'> | undefined> {
    const [dropped] = await transaction.query<Pick<PackingList, 'clientId'>>(DROP, [id]);
    return dropped;
  }

  /** Frees the orders that have not left, and returns their number. */
  async free(transaction: Transaction, id: number): Promise<number> {
    const [counted] = await transaction.query<{ freed: number }>(FREE, [id]);
    return counted!.freed;
  }
}
