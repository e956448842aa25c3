import { minorFromAmount } from '../platform/money/money.js';
import type { SalesBy } from './sales-groups.js';
import type { Sold } from './sold.repository.js';

export type Sums = Record<
  'orders' | 'units' | 'refundedUnits' | 'goods' | 'delivery' | 'paid' | 'refunded' | 'net',
  number
>;

/** A row with amounts in minor units. */
export interface SoldRow extends Sums {
  /** A day, a month, the number of a client, an SKU or a state. */
  key: string;
  name: string;
  currency: string;
}

export interface Report {
  /** Newest first, or the highest net amount first. */
  rows: SoldRow[];
  /** Sums of the rows in the house's currency. */
  totals: Sums;
}

const KEYS = { day: 'day', month: 'month', client: 'client_id', product: 'sku', state: 'state' } as const;

/** Reads the rows of the report. */
export async function addUp(by: SalesBy, sold: AsyncIterable<Sold>, currency: string): Promise<Report> {
  const totals: Sums = {
    orders: 0,
    units: 0,
    refundedUnits: 0,
    goods: 0,
    delivery: 0,
    paid: 0,
    refunded: 0,
    net: 0,
  };
  const rows: SoldRow[] = [];
  for await (const one of sold) {
    const sums = sumsOf(one);
    rows.push({
      ...sums,
      key: String(one[KEYS[by]]),
      name: String(one.client ?? one.name ?? one[KEYS[by]]),
      currency: one.currency,
    });
    if (one.currency !== currency) continue;
    for (const name of Object.keys(totals) as (keyof Sums)[]) totals[name] += sums[name];
  }
  const isByTime = by === 'day' || by === 'month';
  return { rows: isByTime ? rows.toReversed() : rows.toSorted((one, two) => two.net - one.net), totals };
}

function sumsOf({ orders, units, goods, delivery, paid, refunded, net, ...row }: Sold): Sums {
  return {
    orders,
    units,
    refundedUnits: row.refunded_units,
    goods: minorFromAmount(goods),
    delivery: minorFromAmount(delivery),
    paid: minorFromAmount(paid),
    refunded: minorFromAmount(refunded),
    net: minorFromAmount(net),
  };
}
