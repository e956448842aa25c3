import { minorFromAmount } from '../../platform/money/money.js';
import type { SalesBy } from './sales-groups.js';
import type { MissingSums, SalesTotals } from './sold.repository.js';

/** The rows on a page. The file has all rows. */
export const MAX_REPORT_ROWS = 100;

export type SalesFigures = Record<
  'orders' | 'units' | 'refundedUnits' | 'goods' | 'delivery' | 'paid' | 'refunded' | 'net',
  number
>;

/** A row with amounts in minor units. */
export interface SoldRow extends SalesFigures {
  /** A day, a month, the number of a client, an SKU or a state. */
  key: string;
  name: string;
  currency: string;
}

export interface SalesReport {
  /** Newest first, or the highest net amount first. */
  rows: SoldRow[];
  /** There are too many rows to find the highest. */
  isTooMuch?: boolean;
  /** The job has not added up the period, so rows or also totals are missing. */
  missing?: MissingSums;
  /** Sums of all rows in the installation's currency. */
  totals?: SalesFigures;
}

const KEYS = { day: 'day', month: 'month', client: 'client_id', product: 'sku', state: 'state' } as const;

const ZERO_TOTALS: SalesFigures = {
  orders: 0,
  units: 0,
  refundedUnits: 0,
  goods: 0,
  delivery: 0,
  paid: 0,
  refunded: 0,
  net: 0,
};

export function isByTime(by: SalesBy): by is 'day' | 'month' {
  return by === 'day' || by === 'month';
}

/** Reads all rows of the report, oldest first. */
export async function buildReport(
  by: SalesBy,
  sold: AsyncIterable<SalesTotals>,
  currency: string,
): Promise<SalesReport & { totals: SalesFigures }> {
  const totals = { ...ZERO_TOTALS };
  const rows: SoldRow[] = [];
  for await (const one of sold) {
    const row = rowOf(by, one);
    rows.push(row);
    if (one.currency !== currency) continue;
    for (const name of Object.keys(totals) as (keyof SalesFigures)[]) totals[name] += row[name];
  }
  return { rows: rows.toReversed(), totals };
}

export function highestOf(
  by: SalesBy,
  rows: SalesTotals[] | undefined,
): Pick<SalesReport, 'rows' | 'isTooMuch'> {
  return rows ? { rows: rows.map((one) => rowOf(by, one)) } : { rows: [], isTooMuch: true };
}

function rowOf(by: SalesBy, one: SalesTotals): SoldRow {
  const key = one[KEYS[by]];
  const name = String(one.client ?? one.name ?? key);
  return { ...sumsOf(one), key: String(key), name, currency: one.currency };
}

function sumsOf({ orders, units, goods, delivery, paid, refunded, net, ...row }: SalesTotals): SalesFigures {
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
