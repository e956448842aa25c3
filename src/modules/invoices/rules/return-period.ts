import { addMonths, type Month, parseMonth } from '../../../platform/time/time.js';

/** A month, or a quarter of a small seller (QRMP): 2026-Q4 is October to December. */
export type ReturnPeriod = Month;

const QUARTER = /^(20\d\d)-Q([1-4])$/;

export function parseReturnPeriod(text: string): ReturnPeriod | undefined {
  return parseMonth(text) ?? QUARTER.exec(text.trim())?.[0];
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
  return parseReturnPeriod(`${year}-Q${Number(number) / 3}`);
}
