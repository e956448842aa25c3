import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { OrderKey } from '../lifecycle/order-action.js';
import type { OrderStatus, PaymentStatus } from '../rules/order-transitions.js';

export interface OrderFilter {
  status?: OrderStatus;
  clientId?: number;
  since?: Date;
}

export interface ListedOrder {
  order_number: string;
  client_id: number;
  client: string;
  store_order_id: string | null;
  status: OrderStatus;
  payment_status: PaymentStatus;
  total: number;
  currency: string;
  items_count: number;
  placed_at: Date;
}

export interface PackingLine {
  order_number: string;
  placed_at: string;
  customer_name: string;
  customer_phone: string;
  address: string;
  city: string;
  state: string;
  pincode: string;
  country: string;
  sku: string;
  name: string;
  variation: string;
  quantity: number;
  notes: string;
}

export interface RefusedOrderShown {
  refused_at: Date;
  client_id: number;
  client: string;
  store_order_id: string | null;
  code: string;
  reasons: { field: string; code: string; message: string }[];
}

export interface OrderShown extends Omit<ListedOrder, 'items_count'> {
  plan: string;
  subtotal: number;
  delivery: number;
  customer: { name: string; phone: string; email: string | null };
  shipping: { address: string; city: string; state: string; pincode: string; country: string };
  notes: string | null;
  payment: { method: string | null; reference: string | null; due_at: string; paid_at: string | null };
  tracking: {
    courier: string;
    tracking_number: string | null;
    tracking_url: string | null;
    shipped_at: string;
  } | null;
  delivered_at: Date | null;
  cancelled_at: Date | null;
  cancel_reason: string | null;
  items: {
    sku: string;
    name: string;
    variation: string | null;
    quantity: number;
    unit_price: number;
    line_total: number;
  }[];
  timeline: { status: OrderStatus; changed_at: string; actor: string; note: string | null }[];
}

/** Milliseconds are enough for people, and JavaScript has no more. */
const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const MATCHES = `
  ($1::text IS NULL OR o.status = $1) AND ($2::int IS NULL OR o.client_id = $2) AND ($3::timestamptz IS NULL OR o.placed_at >= $3)`;

const LIST = `
  SELECT o.order_number, o.client_id, c.name AS client, o.store_order_id, o.status, o.payment_status, o.total::float8, o.currency,
         o.items_count, o.placed_at
    FROM orders o JOIN clients c ON c.id = o.client_id
   WHERE ${MATCHES}
   ORDER BY o.placed_at DESC, o.order_number DESC`;

const PACKING_LIST = `
  SELECT o.order_number, ${time('o.placed_at')} AS placed_at, o.customer_name, o.customer_phone, o.shipping_address AS address,
         o.shipping_city AS city, o.shipping_state AS state, o.shipping_pincode AS pincode, o.shipping_country AS country,
         i.sku, i.name, coalesce(nullif(i.variation_key, ''), i.remark, '') AS variation, i.quantity, coalesce(o.notes, '') AS notes
    FROM orders o JOIN order_items i ON i.client_id = o.client_id AND i.order_number = o.order_number
   WHERE ${MATCHES}
   ORDER BY o.placed_at, o.order_number, i.line`;

const REFUSED = `
  SELECT r.refused_at, r.client_id, c.name AS client, r.store_order_id, r.code, r.reasons
    FROM refused_orders r JOIN clients c ON c.id = r.client_id
   WHERE ($1::int IS NULL OR r.client_id = $1) AND ($2::timestamptz IS NULL OR r.refused_at >= $2)
   ORDER BY r.refused_at DESC, r.id DESC`;

const HAS_CLIENT = { name: 'order-desk-has-client', text: 'SELECT true AS found FROM clients WHERE id = $1' };

/** A number has 50 random bits for each day, so it is taken for unique among all clients. */
const KEY = {
  name: 'order-desk-key',
  text: `SELECT client_id AS "clientId", order_number AS "orderNumber" FROM orders WHERE order_number = $1`,
};

const SHOW = {
  name: 'order-desk-show',
  text: `
    SELECT o.order_number, o.client_id, c.name AS client, o.store_order_id, o.status, o.payment_status, o.plan_code AS plan,
           o.currency, o.subtotal::float8, o.delivery::float8, o.total::float8, o.placed_at, o.notes,
           json_build_object('name', o.customer_name, 'phone', o.customer_phone, 'email', o.customer_email) AS customer,
           json_build_object('address', o.shipping_address, 'city', o.shipping_city, 'state', o.shipping_state,
             'pincode', o.shipping_pincode, 'country', o.shipping_country) AS shipping,
           json_build_object('method', o.payment_method, 'reference', o.payment_reference,
             'due_at', ${time('o.payment_due_at')}, 'paid_at', ${time('o.paid_at')}) AS payment,
           CASE WHEN o.shipped_at IS NOT NULL THEN json_build_object('courier', o.courier,
             'tracking_number', o.tracking_number, 'tracking_url', o.tracking_url, 'shipped_at', ${time('o.shipped_at')})
           END AS tracking,
           o.delivered_at, o.cancelled_at, o.cancel_reason,
           (SELECT json_agg(json_build_object('sku', i.sku, 'name', i.name,
                'variation', coalesce(nullif(i.variation_key, ''), i.remark), 'quantity', i.quantity,
                'unit_price', i.unit_price, 'line_total', i.line_total) ORDER BY i.line)
              FROM order_items i WHERE i.client_id = o.client_id AND i.order_number = o.order_number) AS items,
           (SELECT json_agg(json_build_object('status', t.status, 'changed_at', ${time('t.changed_at')}, 'actor', t.actor,
                'note', t.note) ORDER BY t.entry)
              FROM order_timeline t WHERE t.client_id = o.client_id AND t.order_number = o.order_number) AS timeline
      FROM orders o JOIN clients c ON c.id = o.client_id
     WHERE o.order_number = $1`,
};

/** The wholesaler's look-ups, across all clients. Nothing that answers a store may use them. */
@Injectable()
export class OrderDeskRepository {
  constructor(private readonly database: Database) {}

  async findKey(orderNumber: string): Promise<OrderKey | undefined> {
    const [key] = await this.database.query<OrderKey>(KEY, [orderNumber]);
    return key && { clientId: key.clientId, orderNumber: key.orderNumber };
  }

  async show(orderNumber: string): Promise<OrderShown | undefined> {
    const [order] = await this.database.query<OrderShown>(SHOW, [orderNumber]);
    return order;
  }

  async hasClient(clientId: number): Promise<boolean> {
    return (await this.database.query(HAS_CLIENT, [clientId])).length > 0;
  }

  list(filter: OrderFilter): AsyncGenerator<ListedOrder> {
    return this.database.stream<ListedOrder>(LIST, valuesOf(filter));
  }

  packingList(filter: OrderFilter): AsyncGenerator<PackingLine> {
    return this.database.stream<PackingLine>(PACKING_LIST, valuesOf(filter));
  }

  refused({ clientId, since }: OrderFilter): AsyncGenerator<RefusedOrderShown> {
    return this.database.stream<RefusedOrderShown>(REFUSED, [clientId ?? null, since ?? null]);
  }
}

function valuesOf({ status, clientId, since }: OrderFilter): unknown[] {
  return [status ?? null, clientId ?? null, since ?? null];
}
