import { Injectable } from '@nestjs/common';
import type { Queries } from '../platform/database/database.js';
import type { StockItem } from './stock-item.entity.js';

/** A thing that can be sold: a variation of a product, or the product itself with the empty key. */
export type StockKey = Pick<StockItem, 'productId' | 'variationKey'>;

export type LockedStock = Pick<StockItem, 'id' | 'productId' | 'variationKey' | 'onHand' | 'held'>;

/** What to add to a count and to what orders hold of it; either may be negative. */
export type StockChange = Pick<StockItem, 'id' | 'onHand' | 'held'>;

// An order may have a hundred lines: they are one statement each by `unnest`, which only SQL can say.

const READ = {
  name: 'stock-read',
  text: `
    SELECT s.id, s.product_id AS "productId", s.variation_key AS "variationKey", s.on_hand AS "onHand", s.held
      FROM stock_items s
      JOIN unnest($1::int[], $2::text[]) AS wanted (product_id, variation_key) USING (product_id, variation_key)`,
};

/** The order of the ids is the one order in which all writers of stock lock their rows, so that none can wait in a circle. */
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

/** The only ways in which counts are locked and changed. */
@Injectable()
export class StockHoldings {
  /** Each key at most once, please: a row is locked and told once for each time it is asked for. */
  async lock(transaction: Queries, keys: StockKey[]): Promise<LockedStock[]> {
    return transaction.query<LockedStock>(LOCK, columnsOf(keys));
  }

  /** What stands there at the moment, with no hold on it. */
  async read(transaction: Queries, keys: StockKey[]): Promise<LockedStock[]> {
    return transaction.query<LockedStock>(READ, columnsOf(keys));
  }

  /** Only rows that were locked before. */
  async change(transaction: Queries, changes: StockChange[]): Promise<void> {
    await transaction.query(CHANGE, [
      changes.map(({ id }) => id),
      changes.map(({ onHand }) => onHand),
      changes.map(({ held }) => held),
    ]);
  }
}

function columnsOf(keys: StockKey[]): [productIds: number[], variationKeys: string[]] {
  return [keys.map(({ productId }) => productId), keys.map(({ variationKey }) => variationKey)];
}
