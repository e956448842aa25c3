import type { TokenKind } from '../../platform/access/token-kind.js';
import type { Minor } from '../../platform/money/money.js';
import type { ProductView } from '../products/product-view.js';

/** The columns of a product's row, by their names in ProductView. Add new ones here. */
const PRODUCT = {
  sku: 'sku',
  name: 'name',
  description: 'description',
  category: 'category',
  images: 'images',
  basePrice: hundredths('base_price'),
  deliveryCharge: hundredths('delivery_charge'),
  active: 'active',
  variations: 'variations',
  withdrawn: 'withdrawn',
  hsn: 'hsn',
  gstRate: 'gst_rate',
  unit: 'unit',
  barcode: 'barcode',
  weightGrams: 'weight_grams',
  mrp: hundredths('mrp'),
  countryOfOrigin: 'country_of_origin',
  manufacturer: 'manufacturer',
  netQuantity: 'net_quantity',
  detailsUrl: 'details_url',
} satisfies { [Fact in keyof ProductView]?: string };

const PRODUCT_FIELDS = Object.keys(PRODUCT) as (keyof typeof PRODUCT)[];

/**
 * The columns of each relation. Tombstones come first. SQL, because one statement reads all tables at one
 * moment, as rows of JSON.
 */
const COLUMNS: Record<Relation, string> = {
  tombstones: 'id, relation, key',
  plans: `id, code, name, ${hundredths('discount')}, repriced`,
  clients: 'id, name, suspended_at IS NOT NULL',
  tokens: `id, client_id, kind, encode(hash, 'base64'), prefix, domain, ${milliseconds('created_at')},
    ${milliseconds('ends_at')}, revoked_at IS NOT NULL`,
  subscriptions: `id, client_id, plan_id, ${milliseconds('starts_at')}, ${milliseconds('ends_at')}`,
  products: `id, ${Object.values(PRODUCT).join(', ')}`,
  stock_items: 'id, product_id, variation_key, greatest(on_hand - held, 0)',
  plan_prices: `plan_id, product_id, ${hundredths('price')}`,
};

/** The types of these columns, in the same order: one JSON array per row. */
interface Columns {
  tombstones: [id: number, relation: string, key: TombstoneKey];
  plans: [id: number, code: string, name: string, discountBasisPoints: number, repriced: number];
  clients: [id: number, name: string, suspended: boolean];
  tokens: [
    id: number,
    clientId: number,
    kind: TokenKind,
    hash: string,
    prefix: string,
    domain: string,
    createdAt: Milliseconds,
    endsAt: Milliseconds | null,
    revoked: boolean,
  ];
  subscriptions: [id: number, clientId: number, planId: number, startsAt: Milliseconds, endsAt: Milliseconds];
  products: [id: number, ...facts: ProductView[keyof typeof PRODUCT][]];
  stock_items: [id: number, productId: number, variationKey: string, available: number];
  plan_prices: [planId: number, productId: number, price: Minor];
}

/** A text for infinity, which JSON has no number for. */
type Milliseconds = number | string;

interface TombstoneKey {
  id?: number;
  product_id?: number;
  plan_id?: number;
  sku?: string;
  active?: boolean;
  withdrawn?: number | null;
}

type Relation = keyof Columns;

export type RowOf<Of extends Relation> = { relation: Of; changeVersion: number; columns: Columns[Of] };

export type ChangedRow = { [Of in Relation]: RowOf<Of> }[Relation];

/** The database snapshot of the query. */
export interface ChangeHeader {
  identity: string;
  /** The database was restored, or another server took over: a new generation must begin. */
  isForeign: boolean;
  /** All transactions with lower ids had ended. */
  xmin: number;
  /** No transaction with this id or a higher one had ended. */
  xmax: number;
  /** The transactions below `xmax` that had not ended. */
  open: number[];
  /** How far the clock of this node is ahead of the database's, or behind it. */
  clockSkewMs: number;
}

/**
 * One statement reads all relations at one moment, so no commit can fall between two of them. The header has
 * the moment and the generation. A row that was visible before is not read again.
 */
export const CHANGE_QUERY = {
  name: 'snapshot-changes',
  text: [
    `SELECT 'header', 0::bigint,
            json_build_array(
              md5(concat_ws('/', epoch, $2::text)),
              table_oid <> 'history'::regclass::oid::bigint OR server <> $2,
              pg_snapshot_xmin(view)::text::bigint, pg_snapshot_xmax(view)::text::bigint,
              array(SELECT id::text::bigint FROM pg_snapshot_xip(view) AS id),
              ${milliseconds('clock_timestamp()')})::text
       FROM history, pg_current_snapshot() AS view
      WHERE $1::bigint IS NOT NULL`,
    ...Object.entries(COLUMNS).map(
      ([relation, columns]) =>
        `SELECT '${relation}', changed, json_build_array(${columns})::text
           FROM ${relation} WHERE changed >= $1 OR changed = ANY ($3::bigint[])`,
    ),
  ].join('\nUNION ALL\n'),
};

export function copyProductRow(product: ProductView, { columns }: RowOf<'products'>): void {
  const fields = product as unknown as Record<string, unknown>;
  PRODUCT_FIELDS.forEach((fact, index) => (fields[fact] = columns[index + 1]));
}

/** The row's key, in the same form as `deletedRowKeyOf`. */
export function rowKeyOf({ relation, columns: [first, second] }: ChangedRow): string {
  const isComposite = relation === 'stock_items' || relation === 'plan_prices';
  return isComposite ? `${relation}/${first}/${second}` : `${relation}/${first}`;
}

export function deletedRowKeyOf({ columns: [, relation, key] }: RowOf<'tombstones'>): string {
  if (relation === 'stock_items') return `${relation}/${key.id}/${key.product_id}`;
  if (relation === 'plan_prices') return `${relation}/${key.plan_id}/${key.product_id}`;
  return `${relation}/${key.id}`;
}

/** Money in minor units, a discount in basis points. */
function hundredths(column: string): string {
  return `(${column} * 100)::int`;
}

/** Rounded up, so that start and end agree in whole milliseconds. */
function milliseconds(column: string): string {
  return `ceil(extract(epoch FROM ${column}) * 1000)`;
}
