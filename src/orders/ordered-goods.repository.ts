import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { StockAdministration } from '../stock/stock-administration.service.js';

export interface OpenOrder {
  order_number: string;
  status: string;
  quantity: number;
}

/** A change of one stock item and the count after it. */
export interface StockEvent {
  moved_at: Date;
  variation: string;
  on_hand_change: number;
  held_change: number;
  on_hand: number;
  held: number;
  reason: string;
  actor: string;
}

/** Shipped goods and their times, as SQL for statements of the stock room. */
export const SHIPPED_GOODS = `
  SELECT i.product_id, i.variation_key, i.quantity, t.changed_at AS shipped_at
    FROM order_timeline t JOIN order_items i USING (client_id, order_number)
   WHERE t.status = 'shipped'`;

const OPEN_ORDERS = {
  name: 'open-orders-of-product',
  text: `
    SELECT o.order_number, o.status, sum(i.quantity)::int AS quantity
      FROM order_items i JOIN orders o USING (client_id, order_number)
     WHERE i.product_id = $1 AND o.status IN ('awaiting_payment', 'pending')
     GROUP BY o.client_id, o.order_number
     ORDER BY o.placed_at`,
};

/**
 * Stock movements record changes by people. Holds, releases and shipments follow from the lines and timelines
 * of orders. Counts are computed backwards from the present one.
 */
const HISTORY = `
  WITH event AS (
    SELECT m.moved_at, m.variation_key, m.delta AS on_hand_change, 0 AS held_change, m.reason, m.actor,
           m.id AS turn
      FROM stock_movements m
     WHERE m.product_id = $1
    UNION ALL
    SELECT t.changed_at, i.variation_key, CASE t.status WHEN 'shipped' THEN -i.quantity ELSE 0 END,
           CASE t.status WHEN 'awaiting_payment' THEN i.quantity ELSE -i.quantity END,
           concat_ws(': ', CASE t.status WHEN 'awaiting_payment' THEN 'ordered' ELSE t.status END
                           || ' ' || t.order_number, t.note),
           t.actor, t.entry
      FROM (SELECT client_id, order_number, variation_key, sum(quantity)::int AS quantity
              FROM order_items WHERE product_id = $1 GROUP BY client_id, order_number, variation_key) AS i
      JOIN order_timeline t USING (client_id, order_number)
     WHERE t.status IN ('awaiting_payment', 'shipped', 'cancelled'))
  SELECT moved_at, variation, on_hand_change, held_change, on_hand, held, reason, actor
    FROM (SELECT e.*, e.variation_key AS variation,
                 coalesce(s.on_hand, 0) - coalesce(sum(on_hand_change) OVER later, 0)::int AS on_hand,
                 coalesce(s.held, 0) - coalesce(sum(held_change) OVER later, 0)::int AS held
            FROM event e LEFT JOIN stock_items s ON s.product_id = $1 AND s.variation_key = e.variation_key
          WINDOW later AS (PARTITION BY e.variation_key ORDER BY moved_at DESC, turn DESC
                           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS told
   WHERE ($2::text IS NULL OR variation = $2) AND ($3::timestamptz IS NULL OR moved_at >= $3)
   ORDER BY moved_at DESC, turn DESC`;

/** Open orders and stock history of a product. */
@Injectable()
export class OrderedGoodsRepository {
  constructor(
    private readonly database: Database,
    private readonly stock: StockAdministration,
  ) {}

  async openOrders(sku: string): Promise<OpenOrder[]> {
    const { productId } = await this.stock.find(sku);
    return this.database.query<OpenOrder>(OPEN_ORDERS, [productId]);
  }

  /** Newest first, optionally of one variation. */
  async stockHistory(
    sku: string,
    { variation, since }: { variation?: string; since?: Date },
    limit?: number,
  ): Promise<AsyncGenerator<StockEvent, number>> {
    const { productId, variationKey } = await this.stock.find(sku, variation);
    return this.database.stream<StockEvent>(HISTORY, [productId, variationKey, since ?? null], limit);
  }
}
