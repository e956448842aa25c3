import { addMonths, isMonth, type Month } from '../../../platform/time/time.js';

/** A month, or a quarter of a small seller (QRMP): 2026-Q4 is October to December. */
export type ReturnPeriod = Month;

const QUARTER = /^(\d{4})-Q([1-4])$/;

export function isReturnPeriod(text: string): text is ReturnPeriod {
  return isMonth(text) || QUARTER.test(text);
}

/** The first and the last month of it. */
export function monthsOf(period: ReturnPeriod): [first: Month, last: Month] {
  const match = QUARTER.exec(period);
  if (!match) return [period, period];
  const last = `${match[1]}-${String(Number(match[2]) * 3).padStart(2, '0')}`;
  return [addMonths(last, -2), last];
}

/** The quarter that ends with this month. */
export function quarterEndedBy(month: Month): ReturnPeriod | undefined {
  const [year, number] = month.split('-') as [string, string];
  const quarter = `${year}-Q${Number(number) / 3}`;
  return isReturnPeriod(quarter) ? quarter : undefined;
}
