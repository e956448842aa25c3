import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
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

/** Where a page of events ends. `mark` is the exact time. */
export interface StockEventMark {
  mark: string;
  turn: number;
  tie: string;
}

export type MarkedStockEvent = StockEvent & StockEventMark;

interface StockHistoryFilter {
  variation?: string;
  since?: Date;
  /** Only what came, left or was counted. */
  onlyOnHand?: boolean;
}

export const STOCK_EVENT_COLUMNS = [
  'moved_at',
  'variation',
  'on_hand_change',
  'held_change',
  'on_hand',
  'held',
  'reason',
  'actor',
] as const satisfies readonly (keyof StockEvent)[];

/** Shipped goods and their times, as SQL for statements of the stock module. */
export const SHIPPED_GOODS = `
  SELECT i.product_id, i.variation_key, u.quantity, p.recorded_at AS shipped_at
    FROM parcels p
    JOIN parcel_items u USING (client_id, order_number, parcel)
    JOIN order_items i USING (client_id, order_number, line)`;

const OPEN_ORDERS = {
  name: 'open-orders-of-product',
  text: `
    SELECT o.order_number, o.status, sum(i.quantity - i.shipped - i.cancelled)::int AS quantity
      FROM order_items i JOIN orders o USING (client_id, order_number)
     WHERE i.product_id = $1 AND o.status IN ('awaiting_payment', 'pending')
       AND i.quantity > i.shipped + i.cancelled
     GROUP BY o.client_id, o.order_number
     ORDER BY o.placed_at`,
};

/**
 * Stock movements record changes by people and returns. Holds, releases and shipments follow from orders,
 * their parcels and cancelled lines. Counts are computed backwards from the present one.
 */
const stockHistory = (more: { columns?: string; rows?: string; limit?: string } = {}) => `
  WITH event AS (
    SELECT m.moved_at, m.variation_key, m.delta AS on_hand_change, 0 AS held_change, m.reason, m.actor,
           m.id AS turn
      FROM stock_movements m
     WHERE m.product_id = $1
    UNION ALL
    SELECT t.changed_at, i.variation_key, 0,
           CASE t.status WHEN 'awaiting_payment' THEN i.quantity ELSE i.cancelled - i.quantity END,
           concat_ws(': ', CASE t.status WHEN 'awaiting_payment' THEN 'ordered' ELSE t.status END
                           || ' ' || t.order_number, t.note),
           t.actor, t.entry
      FROM (SELECT client_id, order_number, variation_key, sum(quantity)::int AS quantity,
                   sum(cancelled)::int AS cancelled
              FROM order_items WHERE product_id = $1 GROUP BY client_id, order_number, variation_key) AS i
      JOIN order_timeline t USING (client_id, order_number)
     WHERE t.status IN ('awaiting_payment', 'cancelled')
    UNION ALL
    SELECT p.recorded_at, i.variation_key, - sum(u.quantity)::int, - sum(u.quantity)::int,
           'shipped ' || p.order_number, p.actor, p.parcel
      FROM order_items i
      JOIN parcel_items u USING (client_id, order_number, line)
      JOIN parcels p USING (client_id, order_number, parcel)
     WHERE i.product_id = $1
     GROUP BY p.client_id, p.order_number, p.parcel, i.variation_key
    UNION ALL
    SELECT r.refunded_at, i.variation_key, 0, - sum(u.cancelled)::int,
           format('cancelled %s: %s', r.order_number, r.reason), r.actor, r.refund
      FROM order_items i
      JOIN order_refund_items u USING (client_id, order_number, line)
      JOIN order_refunds r USING (client_id, order_number, refund)
     WHERE i.product_id = $1 AND u.cancelled > 0
     GROUP BY r.client_id, r.order_number, r.refund, i.variation_key)
  SELECT moved_at, variation, on_hand_change, held_change, on_hand, held, reason, actor${more.columns ?? ''}
    FROM (SELECT e.*, e.variation_key AS variation,
                 coalesce(s.on_hand, 0) - coalesce(sum(on_hand_change) OVER later, 0)::int AS on_hand,
                 coalesce(s.held, 0) - coalesce(sum(held_change) OVER later, 0)::int AS held
            FROM (SELECT *, md5(concat_ws(' ', reason, variation_key)) AS tie FROM event) AS e
            LEFT JOIN stock_items s ON s.product_id = $1 AND s.variation_key = e.variation_key
          WINDOW later AS (PARTITION BY e.variation_key ORDER BY moved_at DESC, turn DESC, tie DESC
                           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS told
   WHERE ($2::text IS NULL OR variation = $2) AND ($3::timestamptz IS NULL OR moved_at >= $3)
     AND (NOT $4::boolean OR on_hand_change <> 0) ${more.rows ?? ''}
   ORDER BY moved_at DESC, turn DESC, tie DESC ${more.limit ?? ''}`;

const STOCK_HISTORY = stockHistory();

/** A page starts after an event, not at a position. It costs as much as the first rows of the whole list. */
const STOCK_HISTORY_PAGE = {
  text: stockHistory({
    columns: ", to_json(moved_at)#>>'{}' AS mark, turn::int, tie",
    rows: 'AND ($5::timestamptz IS NULL OR (moved_at, turn, tie) < ($5, $6::int, $7::text))',
    limit: 'LIMIT $8',
  }),
};

/** Open orders and stock history of a product. */
@Injectable()
export class OrderedGoods {
  constructor(
    private readonly database: Database,
    private readonly stock: StockAdministration,
  ) {}

  async openOrders(sku: string): Promise<OpenOrder[]> {
    const { productId } = await this.stock.find(sku);
    return this.database.query<OpenOrder>(OPEN_ORDERS, [productId]);
  }

  /** Newest first. */
  async stockHistory(
    sku: string,
    { variation, since, onlyOnHand = false }: StockHistoryFilter,
    limit?: number,
  ): Promise<AsyncGenerator<StockEvent, number>> {
    const { productId, variationKey } = await this.stock.find(sku, variation);
    return this.database.stream<StockEvent>(
      STOCK_HISTORY,
      [productId, variationKey, since ?? null, onlyOnHand],
      limit,
    );
  }

  async stockHistoryPage(
    sku: string,
    { variation, since, onlyOnHand = false }: StockHistoryFilter,
    after: StockEventMark | undefined,
    limit: number,
  ): Promise<MarkedStockEvent[]> {
    const { productId, variationKey } = await this.stock.find(sku, variation);
    const { mark = null, turn = null, tie = null } = after ?? {};
    const values = [productId, variationKey, since ?? null, onlyOnHand, mark, turn, tie, limit];
    return this.database.query<MarkedStockEvent>(STOCK_HISTORY_PAGE, values);
  }
}
