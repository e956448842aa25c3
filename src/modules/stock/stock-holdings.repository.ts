import { Injectable } from '@nestjs/common';
import { StockItem } from '../catalog/product.entity.js';
import { WAS } from '../../shared/imports/import-guards.js';
import { columnsOf } from '../../platform/database/columns-of.js';
import { Database, type Queries } from '../../platform/database/database.js';
import type { StockRow } from './stock-import.js';

/** A variation of a product, or with an empty key the product itself. */
export type StockKey = Pick<StockItem, 'productId' | 'variationKey'>;

export type LockedStock = Pick<StockItem, 'id' | 'productId' | 'variationKey' | 'onHand' | 'held'>;

/** Added to both numbers. Either may be negative. */
export type StockChange = Pick<StockItem, 'id' | 'onHand' | 'held'>;

/** A variation that runs out. */
export interface LowStock {
  sku: string;
  name: string;
  variation: string;
  on_hand: number;
  held: number;
  for_sale: number;
  /** The threshold. */
  below: number;
}

/** Where a page of low stock ends. */
export interface LowStockMark {
  for_sale: number;
  sku: string;
  id: number;
}

// SQL: `unnest` reads or changes all lines of an order, up to a hundred, in one statement.

const READ = {
  name: 'stock-read',
  text: `
    SELECT ${columnsOf(StockItem, 's', ['id', 'productId', 'variationKey', 'onHand', 'held'])}
      FROM stock_items s
      JOIN unnest($1::int[], $2::text[]) AS wanted (product_id, variation_key)
     USING (product_id, variation_key)`,
};

/** All writers of stock lock rows in the order of their ids. So no deadlock is possible. */
const LOCK = {
  name: 'stock-lock',
  text: `${READ.text}
     ORDER BY s.id
       FOR UPDATE OF s`,
};

/** The rows must be locked. The parameters, from this number on, are `stockChangeValues`. */
export const changeStock = (first: number) => `
    UPDATE stock_items s
       SET on_hand = s.on_hand + change.on_hand, held = s.held + change.held
      FROM unnest($${first}::int[], $${first + 1}::int[], $${first + 2}::int[]) AS change (id, on_hand, held)
     WHERE s.id = change.id`;

const CHANGE = { name: 'stock-change', text: changeStock(1) };

const low = (below: string, products: string) => `
  SELECT p.sku, p.name, i.variation_key AS variation, i.on_hand, i.held,
         greatest(i.on_hand - i.held, 0) AS for_sale, ${below} AS below, i.id
    FROM stock_items i JOIN products p ON p.id = i.product_id
   WHERE p.active AND p.${products} AND greatest(i.on_hand - i.held, 0) < ${below}`;

/** Of most products only the low stock is joined. */
const lowStock = `${low('$1::int', 'low_stock = 0')} UNION ALL ${low('p.low_stock', 'low_stock > 0')}`;

/** SQL, because it is streamed from a cursor: a list of any length needs little memory. */
export const LOW_STOCK = `
  SELECT sku, name, variation, on_hand, held, for_sale, below
    FROM (${lowStock}) AS low
   ORDER BY for_sale, sku, id`;

/** A page starts after a row, not at a position. */
const LOW_STOCK_PAGE = {
  text: `
  SELECT sku, name, variation, on_hand, held, for_sale, below, id
    FROM (${lowStock}) AS low
   WHERE $2::int IS NULL OR (for_sale, sku, id) > ($2, $3::text, $4::int)
   ORDER BY for_sale, sku, id LIMIT $5`,
};

/** SQL, because a cursor streams it: memory does not grow with the number of counts. */
const COUNTS = `
  SELECT p.sku, i.variation_key AS variation, i.on_hand AS quantity, i.on_hand AS ${WAS}
    FROM stock_items i JOIN products p ON p.id = i.product_id
   ORDER BY p.id, i.id`;

/** The only code that locks stock rows and changes their numbers. */
@Injectable()
export class StockHoldings {
  constructor(private readonly database: Database) {}

  /** A key that is given twice gives two rows. */
  async lock(transaction: Queries, keys: StockKey[]): Promise<LockedStock[]> {
    return transaction.query<LockedStock>(LOCK, valuesOf(keys));
  }

  /** Without a lock. */
  async read(transaction: Queries, keys: StockKey[]): Promise<LockedStock[]> {
    return transaction.query<LockedStock>(READ, valuesOf(keys));
  }

  /** The rows must be locked. */
  async change(transaction: Queries, changes: StockChange[]): Promise<void> {
    await transaction.query(CHANGE, stockChangeValues(changes));
  }

  /** Variations of active products below the threshold of the product, or this one if it has none. */
  low(below: number, limit?: number): AsyncGenerator<LowStock, number> {
    return this.database.stream<LowStock>(LOW_STOCK, [below], limit);
  }

  lowPage(
    below: number,
    after: LowStockMark | undefined,
    limit: number,
  ): Promise<(LowStock & LowStockMark)[]> {
    const { for_sale: forSale = null, sku = null, id = null } = after ?? {};
    return this.database.query<LowStock & LowStockMark>(LOW_STOCK_PAGE, [below, forSale, sku, id, limit]);
  }

  /** The numbers on hand, as in the file of counts. */
  counts(): AsyncGenerator<StockRow> {
    return this.database.stream<StockRow>(COUNTS);
  }
}

export function stockChangeValues(changes: readonly StockChange[]): number[][] {
  return [changes.map(({ id }) => id), changes.map(({ onHand }) => onHand), changes.map(({ held }) => held)];
}

function valuesOf(keys: StockKey[]): [productIds: number[], variationKeys: string[]] {
  return [keys.map(({ productId }) => productId), keys.map(({ variationKey }) => variationKey)];
}
