import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { ORDER_RECORD_COLUMNS, type OrderRecord } from './order-record.js';

/** The number as the service's own first, then as the store's. */
const FIND = {
  name: 'order-find',
  text: `
    SELECT ${ORDER_RECORD_COLUMNS}
      FROM orders o
     WHERE o.client_id = $1
       AND o.order_number = coalesce(
         (SELECT order_number FROM orders WHERE client_id = $1 AND order_number = $2),
         (SELECT order_number FROM store_order_ids WHERE client_id = $1 AND store_order_id = $2))`,
};

/** What a caller reads of its orders. Every method takes the client first. */
@Injectable()
export class OrderReadsRepository {
  constructor(private readonly database: Database) {}

  async find(clientId: number, number: string): Promise<OrderRecord | undefined> {
    const [order] = await this.database.query<OrderRecord>(FIND, [clientId, number]);
    return order;
  }
}
