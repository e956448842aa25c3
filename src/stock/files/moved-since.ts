import { asked } from '../../imports/import-tables.js';
import { COUNT } from '../stock-movement.entity.js';

/**
 * By how much each thing has moved since the time of the count. Shipments of orders are no stock movements:
 * `shippedGoods` is the SQL of their product_id, variation_key, quantity and shipped_at. The counts are read in the
 * same statement, and so at the same moment.
 */
export const movedSince = (shippedGoods: string) => `
  SELECT product_id, variation_key, sum(delta)::int AS delta
    FROM (SELECT product_id, variation_key, delta
            FROM stock_movements
           WHERE ${asked('counted_at')} IS NOT NULL AND moved_at > ${asked('counted_at')}
          UNION ALL
          SELECT product_id, variation_key, -quantity
            FROM (${shippedGoods}) AS shipped
           WHERE ${asked('counted_at')} IS NOT NULL AND shipped_at > ${asked('counted_at')}) AS movement
   GROUP BY product_id, variation_key`;

/** Whether a thing was counted again after that time. */
export function isCountedSince(item: string): string {
  return `EXISTS (SELECT FROM stock_movements m
                   WHERE m.product_id = ${item}.product_id AND m.variation_key = ${item}.variation_key
                     AND m.moved_at > ${asked('counted_at')} AND m.reason = '${COUNT}')`;
}

export const COUNTED_SINCE = 'was counted again after that time: the later count stands';
