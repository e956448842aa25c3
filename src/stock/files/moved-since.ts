import { asked } from '../../imports/import-tables.js';
import { COUNT } from '../stock-movement.entity.js';

/**
 * By how much each thing has moved since the time of the count that was asked for, if one was. What orders took when they were shipped
 * stands in their timelines, not among the movements. It is read with the counts in one statement, and so of the same moment.
 */
export const MOVED_SINCE = `
  SELECT product_id, variation_key, sum(delta)::int AS delta
    FROM (SELECT product_id, variation_key, delta
            FROM stock_movements
           WHERE ${asked('counted_at')} IS NOT NULL AND moved_at > ${asked('counted_at')}
          UNION ALL
          SELECT i.product_id, i.variation_key, -i.quantity
            FROM order_timeline t JOIN order_items i USING (client_id, order_number)
           WHERE ${asked('counted_at')} IS NOT NULL AND t.status = 'shipped' AND t.changed_at > ${asked('counted_at')}) AS movement
   GROUP BY product_id, variation_key`;

/** Whether a thing was counted again after that time. */
export function isCountedSince(item: string): string {
  return `EXISTS (SELECT FROM stock_movements m
                   WHERE m.product_id = ${item}.product_id AND m.variation_key = ${item}.variation_key
                     AND m.moved_at > ${asked('counted_at')} AND m.reason = '${COUNT}')`;
}

export const COUNTED_SINCE = 'was counted again after that time: the later count stands';
