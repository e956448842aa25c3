import { addDays, type Day, daysBetween, type Month, monthsBetween } from '../../platform/time/time.js';
import type { Report, Sums } from './sales-report.js';

/** A longer period is plotted by month. */
const MOST_DAYS = 92;

interface Asked {
  by: 'day' | 'month';
  from?: Day;
  to?: Day;
}

type Drawn = Pick<Sums, 'net' | 'orders'>;

export interface SalesByTime {
  by: 'day' | 'month';
  /** Oldest first, and without gaps. */
  periods: (Drawn & { key: Day | Month })[];
}

export function salesByTime(report: Report, { by, from, to }: Asked, currency: string): SalesByTime {
  const keys = report.rows.map(({ key }) => key);
  const [first, last] = [from ?? keys.at(-1)!, to ?? keys[0]!];
  const isByDay = by === 'day' && daysBetween(first, last) < MOST_DAYS;
  const keyOf = (day: string) => (isByDay ? day : day.slice(0, 7));
  const sums = new Map<string, Drawn>();
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
