import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { OrderKey } from '../entities/order.entity.js';
import { ORDER_RECORD_COLUMNS, type OrderRecord } from './order-record.js';

// SQL throughout, because stores poll these: each is one statement, planned once for each connection, and brings no column too many.

/** The number as the service's own first, then as the store's. */
const orderNumberOf = (number: string, client = '$1') => `coalesce(
  (SELECT order_number FROM orders WHERE client_id = ${client} AND order_number = ${number}),
  (SELECT order_number FROM store_order_ids WHERE client_id = ${client} AND store_order_id = ${number}))`;

const FIND = {
  name: 'order-find',
  text: `SELECT ${ORDER_RECORD_COLUMNS} FROM orders o WHERE o.client_id = $1 AND o.order_number = ${orderNumberOf('$2')}`,
};

const FIND_MANY = {
  name: 'order-find-many',
  text: `
    SELECT asked.number AS asked, ${ORDER_RECORD_COLUMNS}
      FROM unnest($2::text[]) WITH ORDINALITY AS asked (number, position)
      JOIN orders o ON o.client_id = $1 AND o.order_number = ${orderNumberOf('asked.number')}
     ORDER BY asked.position`,
};

const FIND_EACH = {
  name: 'order-find-each',
  text: `
    SELECT asked.place::int, ${ORDER_RECORD_COLUMNS}
      FROM unnest($1::int[], $2::text[]) WITH ORDINALITY AS asked (client_id, number, place)
      JOIN orders o ON o.client_id = asked.client_id AND o.order_number = ${orderNumberOf('asked.number', 'asked.client_id')}`,
};

const FIND_KEY = {
  name: 'order-find-key',
  text: `SELECT ${orderNumberOf('$2')} AS "orderNumber"`,
};

/** What a caller reads of its orders. Every method takes the client first. */
@Injectable()
export class OrderReadsRepository {
  constructor(private readonly database: Database) {}

  async find(clientId: number, number: string): Promise<OrderRecord | undefined> {
    const [order] = await this.database.query<OrderRecord>(FIND, [clientId, number]);
    return order;
  }

  /** Those of the numbers that name an order, each with the number under which it was asked for. */
  findMany(clientId: number, numbers: string[]): Promise<(OrderRecord & { asked: string })[]> {
    return this.database.query<OrderRecord & { asked: string }>(FIND_MANY, [clientId, numbers]);
  }

  /** Of each caller the order that it asked for, or none. */
  async findEach(
    asked: readonly { clientId: number; number: string }[],
  ): Promise<(OrderRecord | undefined)[]> {
    const found = await this.database.query<OrderRecord & { place: number }>(FIND_EACH, [
      asked.map(({ clientId }) => clientId),
      asked.map(({ number }) => number),
    ]);
    const byPlace = new Map(found.map((order) => [order.place, order]));
    return asked.map((_, index) => byPlace.get(index + 1));
  }

  async findKey(clientId: number, number: string): Promise<OrderKey | undefined> {
    const [found] = await this.database.query<{ orderNumber: string | null }>(FIND_KEY, [clientId, number]);
    return found?.orderNumber ? { clientId, orderNumber: found.orderNumber } : undefined;
  }
}
