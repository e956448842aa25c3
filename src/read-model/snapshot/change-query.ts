import type { Relation } from './changed-row.js';

/**
 * What each relation tells the snapshot, as one JSON array for each row. The tombstones come first. Money comes in minor
 * units and times in milliseconds, rounded up, so that "begins" and "ends" mean the same in whole milliseconds.
 */
const COLUMNS: Record<Relation, string> = {
  tombstones: 'id, relation, key',
  plans: 'id, code, name, (discount * 100)::int, repriced',
  clients: 'id, name, email, suspended_at IS NOT NULL',
  tokens: `id, client_id, encode(hash, 'base64'), prefix, domain, ${milliseconds('created_at')}, revoked_at IS NOT NULL`,
  subscriptions: `id, client_id, plan_id, ${milliseconds('starts_at')}, ${milliseconds('ends_at')}`,
  products: `id, sku, name, description, category, images, (base_price * 100)::int, (delivery_charge * 100)::int, active, variations, withdrawn`,
  stock_items: 'id, product_id, variation_key, greatest(on_hand - held, 0)',
  plan_prices: 'plan_id, product_id, (price * 100)::int',
};

function milliseconds(column: string): string {
  return `ceil(extract(epoch FROM ${column}) * 1000)`;
}

/**
 * One statement has one view of the database, so the relations agree with one another, and no commit can fall between two of
 * them. The header tells which view that was, and of which history: history_identity() with the server's part as a parameter.
 */
export const CHANGE_QUERY = {
  name: 'snapshot-changes',
  text: [
    `SELECT 'header', 0::bigint,
            json_build_array(md5(concat_ws('/', epoch, $2::text)), table_oid <> 'history'::regclass::oid::bigint,
              pg_snapshot_xmin(view)::text::bigint, pg_snapshot_xmax(view)::text::bigint)::text
       FROM history, pg_current_snapshot() AS view
      WHERE $1::bigint IS NOT NULL`,
    ...Object.entries(COLUMNS).map(
      ([relation, columns]) =>
        `SELECT '${relation}', changed, json_build_array(${columns})::text FROM ${relation} WHERE changed >= $1`,
    ),
  ].join('\nUNION ALL\n'),
};
