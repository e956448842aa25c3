import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/database/columns-of.js';
import type { Queries } from '../platform/database/database.js';
import { StockItem } from './stock-item.entity.js';

/** A variation of a product, or with an empty key the product itself. */
export type StockKey = Pick<StockItem, 'productId' | 'variationKey'>;

export type LockedStock = Pick<StockItem, 'id' | 'productId' | 'variationKey' | 'onHand' | 'held'>;

/** Added to both numbers. Either may be negative. */
export type StockChange = Pick<StockItem, 'id' | 'onHand' | 'held'>;

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

const CHANGE = {
  name: 'stock-change',
  text: `
    UPDATE stock_items s
       SET on_hand = s.on_hand + change.on_hand, held = s.held + change.held
      FROM unnest($1::int[], $2::int[], $3::int[]) AS change (id, on_hand, held)
     WHERE s.id = change.id`,
};

/** The only code that locks stock rows and changes their numbers. */
@Injectable()
export class StockHoldings {
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
    await transaction.query(CHANGE, [
      changes.map(({ id }) => id),
      changes.map(({ onHand }) => onHand),
      changes.map(({ held }) => held),
    ]);
  }
}

function valuesOf(keys: StockKey[]): [productIds: number[], variationKeys: string[]] {
  return [keys.map(({ productId }) => productId), keys.map(({ variationKey }) => variationKey)];
}
