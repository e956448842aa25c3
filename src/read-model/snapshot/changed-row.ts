import type { Minor } from '../../platform/money/money.js';
import type { Variation } from '../products/variations.js';

/** The columns of each relation in the order in which the change query names them. */
interface Columns {
  tombstones: [id: number, relation: string, key: TombstoneKey];
  plans: [id: number, code: string, name: string, discountBasisPoints: number, repriced: number];
  clients: [id: number, name: string, email: string, suspended: boolean];
  tokens: [
    id: number,
    clientId: number,
    hash: string,
    prefix: string,
    domain: string,
    createdAt: number,
    revoked: boolean,
  ];
  subscriptions: [id: number, clientId: number, planId: number, startsAt: EpochMs, endsAt: EpochMs];
  products: [
    id: number,
    sku: string,
    name: string,
    description: string,
    category: string,
    images: string[],
    basePrice: Minor,
    deliveryCharge: Minor,
    active: boolean,
    variations: Variation[],
    withdrawn: number | null,
  ];
  stock_items: [id: number, productId: number, variationKey: string, available: number];
  plan_prices: [planId: number, productId: number, price: Minor];
}

/** Text where it is infinite, which JSON has no number for. */
type EpochMs = number | string;

export interface TombstoneKey {
  id?: number;
  product_id?: number;
  plan_id?: number;
  sku?: string;
  active?: boolean;
  withdrawn?: number | null;
}

export type Relation = keyof Columns;

export type RowOf<Of extends Relation> = { relation: Of; changed: number; columns: Columns[Of] };

export type ChangedRow = { [Of in Relation]: RowOf<Of> }[Relation];

/** What identifies a row, in the same form as `tombstoneIdentity`. */
export function rowIdentity({ relation, columns: [first, second] }: ChangedRow): string {
  const composite = relation === 'stock_items' || relation === 'plan_prices';
  return composite ? `${relation}/${first}/${second}` : `${relation}/${first}`;
}

export function tombstoneIdentity({ columns: [, relation, key] }: RowOf<'tombstones'>): string {
  if (relation === 'stock_items') return `${relation}/${key.id}/${key.product_id}`;
  if (relation === 'plan_prices') return `${relation}/${key.plan_id}/${key.product_id}`;
  return `${relation}/${key.id}`;
}
