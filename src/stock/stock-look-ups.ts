import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Product } from '../catalog/product.entity.js';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { findStockKey } from './find-stock-key.js';
import { forSale } from './rules/on-hand.js';
import { StockItem } from './stock-item.entity.js';

interface StockCounts {
  on_hand: number;
  held: number;
  for_sale: number;
}

export type VariationStock = StockCounts & { variation: string };

export interface ProductStock extends StockCounts {
  sku: string;
  name: string;
  active: boolean;
  variations: VariationStock[];
}

export type LowStock = VariationStock & { sku: string; name: string };

/** What happened to one thing, and what there was of it afterwards. */
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

/** Read through a cursor, for there may be any number of them: that is SQL. */
const LOW = `
  SELECT p.sku, p.name, i.variation_key AS variation, i.on_hand, i.held, greatest(i.on_hand - i.held, 0) AS for_sale
    FROM stock_items i JOIN products p ON p.id = i.product_id
   WHERE p.active AND i.on_hand - i.held < $1
   ORDER BY for_sale, p.sku, i.id`;

/**
 * Movements are written down for what people did; what orders held, gave back and took follows from their lines and timelines, which belong
 * to the floor above. What there was after each is counted back from what there is.
 */
const HISTORY = `
  WITH event AS (
    SELECT m.moved_at, m.variation_key, m.delta AS on_hand_change, 0 AS held_change, m.reason, m.actor, m.id AS turn
      FROM stock_movements m
     WHERE m.product_id = $1
    UNION ALL
    SELECT t.changed_at, i.variation_key, CASE t.status WHEN 'shipped' THEN -i.quantity ELSE 0 END,
           CASE t.status WHEN 'awaiting_payment' THEN i.quantity ELSE -i.quantity END,
           concat_ws(': ', CASE t.status WHEN 'awaiting_payment' THEN 'ordered' ELSE t.status END || ' ' || t.order_number, t.note),
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

/** What the wholesaler asks of the stock every day. */
@Injectable()
export class StockLookUps {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
  ) {}

  async show(sku: string): Promise<ProductStock> {
    const product = await this.product(sku);
    const items = await this.dataSource
      .getRepository(StockItem)
      .find({ where: { productId: product.id }, order: { id: 'ASC' } });
    const { name, active } = product;
    const variations = items.map((item) => ({ variation: item.variationKey, ...countsOf(item) }));
    return { sku, name, active, ...sumOf(variations), variations };
  }

  /** Of active products, each thing of which fewer can be sold. */
  low(below: number, limit?: number): AsyncGenerator<LowStock, number> {
    return this.database.stream<LowStock>(LOW, [below], limit);
  }

  /** The newest first; of one variation if that is named. */
  async history(
    sku: string,
    { variation, since }: { variation?: string; since?: Date },
    limit?: number,
  ): Promise<AsyncGenerator<StockEvent, number>> {
    const { id } = await this.product(sku);
    const key =
      variation === undefined
        ? null
        : (await findStockKey(this.dataSource.manager, sku, variation)).variationKey;
    return this.database.stream<StockEvent>(HISTORY, [id, key, since ?? null], limit);
  }

  private async product(sku: string): Promise<Product> {
    const product = await this.dataSource.getRepository(Product).findOneBy({ sku });
    if (!product) throw new DomainError('product_not_found', `There is no product "${sku}".`);
    return product;
  }
}

function countsOf(item: StockItem): StockCounts {
  return { on_hand: item.onHand, held: item.held, for_sale: forSale(item) };
}

function sumOf(counts: StockCounts[]): StockCounts {
  const sum = (field: keyof StockCounts) => counts.reduce((total, each) => total + each[field], 0);
  return { on_hand: sum('on_hand'), held: sum('held'), for_sale: sum('for_sale') };
}
