import { addDays, type Day, daysBetween, type Month, monthsBetween } from '../../platform/time/time.js';
import type { SalesReport, SalesFigures } from './sales-report.js';

/** A longer period is plotted by month. */
const MAX_DAYS = 92;

interface SalesByTimeQuery {
  by: 'day' | 'month';
  from?: Day;
  to?: Day;
}

type PlottedSums = Pick<SalesFigures, 'net' | 'orders'>;

export interface SalesByTime {
  by: 'day' | 'month';
  /** Oldest first, and without gaps. */
  periods: (PlottedSums & { key: Day | Month })[];
}

export function salesByTime(
  report: SalesReport,
  { by, from, to }: SalesByTimeQuery,
  currency: string,
): SalesByTime {
  const keys = report.rows.map(({ key }) => key);
  const [first, last] = [from ?? keys.at(-1)!, to ?? keys[0]!];
  const isByDay = by === 'day' && daysBetween(first, last) < MAX_DAYS;
  const keyOf = (day: string) => (isByDay ? day : day.slice(0, 7));
  const sums = new Map<string, PlottedSums>();
  for (const { key, net, orders } of report.rows.filter((row) => row.currency === currency)) {
    const before = sums.get(keyOf(key)) ?? { net: 0, orders: 0 };
    sums.set(keyOf(key), { net: before.net + net, orders: before.orders + orders });
  }
  const all = isByDay
    ? Array.from({ length: daysBetween(first, last) + 1 }, (_, at) => addDays(first, at))
    : monthsBetween(keyOf(first), keyOf(last)).toReversed();
  const periods = all.map((key) => ({ key, ...(sums.get(key) ?? { net: 0, orders: 0 }) }));
  return { by: isByDay ? 'day' : 'month', periods };
}
