import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Client } from '../../auth/clients/client.entity.js';
import { Database } from '../../platform/database/database.js';
import { OrderCorrection } from '../entities/order-correction.entity.js';
import { OrderItem } from '../entities/order-item.entity.js';
import { Order, type OrderKey } from '../entities/order.entity.js';
import type { RefusedOrder } from '../entities/refused-order.entity.js';
import { TimelineEntry } from '../entities/timeline-entry.entity.js';
import { filterValues, MATCHES, type OrderFilter } from './order-filter.js';
import { type OrderShown, toOrderShown, type WholeOrder } from './order-shown.js';
import type { PackingLine } from './packing-list.js';

export type ListedOrder = Pick<
  OrderShown,
  | 'order_number'
  | 'client_id'
  | 'client'
  | 'store_order_id'
  | 'status'
  | 'payment_status'
  | 'total'
  | 'currency'
  | 'placed_at'
> & { items_count: number; payment_due_at: Date };

export type RefusedOrderShown = Pick<ListedOrder, 'client_id' | 'client' | 'store_order_id'> &
  Pick<RefusedOrder, 'code' | 'asked' | 'reasons'> & { refused_at: Date };

// The lists are SQL, because they are read through a cursor, row by row as they are shown, however many there are. TypeORM's stream()
// would ask for another driver.

const LIST = `
  SELECT o.order_number, o.client_id, c.name AS client, o.store_order_id, o.status, o.payment_status, o.total::float8, o.currency,
         o.items_count, o.placed_at, o.payment_due_at
    FROM orders o JOIN clients c ON c.id = o.client_id
   WHERE ${MATCHES}
   ORDER BY o.placed_at DESC, o.order_number DESC`;

/** Milliseconds are enough for people, and JavaScript has no more. */
const PACKING_LIST = `
  SELECT o.order_number, to_char(o.placed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS placed_at,
         o.customer_name, o.customer_phone, o.shipping_address AS address, o.shipping_city AS city, o.shipping_state AS state,
         o.shipping_pincode AS pincode, o.shipping_country AS country,
         i.sku, i.name, coalesce(nullif(i.variation_key, ''), i.remark, '') AS variation, i.quantity, coalesce(o.notes, '') AS notes
    FROM orders o JOIN order_items i ON i.client_id = o.client_id AND i.order_number = o.order_number
   WHERE ${MATCHES}
   ORDER BY o.placed_at, o.order_number, i.line`;

/** What was only counted stands among the others, as what it is. */
const REFUSED = `
  SELECT r.refused_at, r.client_id, c.name AS client, r.store_order_id, r.code, r.asked, r.reasons
    FROM (SELECT id, refused_at, client_id, store_order_id, code, asked, reasons FROM refused_orders
          UNION ALL
          SELECT NULL, left_out_at, client_id, NULL, 'not_kept', '[]', jsonb_build_array(jsonb_build_object(
                   'field', '', 'code', 'not_kept', 'message', format('%s more were refused in this hour', left_out)))
            FROM refusal_hours WHERE left_out > 0) r
    JOIN clients c ON c.id = r.client_id
   WHERE ($1::int IS NULL OR r.client_id = $1) AND ($2::timestamptz IS NULL OR r.refused_at >= $2)
   ORDER BY r.refused_at DESC, r.id DESC`;

/** The wholesaler's look-ups, across all clients. Nothing that answers a store may use them. */
@Injectable()
export class OrderDeskRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Order) private readonly orders: Repository<Order>,
  ) {}

  /** A number has 50 random bits for each day, so it is taken for unique among all clients. */
  findKey(orderNumber: string): Promise<OrderKey | null> {
    return this.orders.findOne({ select: { clientId: true, orderNumber: true }, where: { orderNumber } });
  }

  /** One statement, so that the order, its lines, its timeline and what was corrected are of one moment. */
  async show(orderNumber: string): Promise<OrderShown | null> {
    const order = await this.orders
      .createQueryBuilder('o')
      .innerJoinAndMapOne('o.client', Client, 'c', 'c.id = o.clientId')
      .leftJoinAndMapMany('o.items', OrderItem, 'i', ofOrder('i'))
      .leftJoinAndMapMany('o.timeline', TimelineEntry, 't', ofOrder('t'))
      .leftJoinAndMapMany('o.corrections', OrderCorrection, 'k', ofOrder('k'))
      .where({ orderNumber })
      .orderBy({ 'i.line': 'ASC', 't.entry': 'ASC', 'k.id': 'ASC' })
      .getOne();
    return order && toOrderShown(order as WholeOrder);
  }

  hasClient(id: number): Promise<boolean> {
    return this.orders.manager.existsBy(Client, { id });
  }

  list(filter: OrderFilter): AsyncGenerator<ListedOrder> {
    return this.database.stream<ListedOrder>(LIST, filterValues(filter));
  }

  packingList(filter: OrderFilter): AsyncGenerator<PackingLine> {
    return this.database.stream<PackingLine>(PACKING_LIST, filterValues(filter));
  }

  refused({ clientId, since }: OrderFilter): AsyncGenerator<RefusedOrderShown> {
    return this.database.stream<RefusedOrderShown>(REFUSED, [clientId ?? null, since ?? null]);
  }
}

function ofOrder(alias: string): string {
  return `${alias}.clientId = o.clientId AND ${alias}.orderNumber = o.orderNumber`;
}
