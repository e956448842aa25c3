import { amountFromMinor, type Minor } from './money/money.js';
import type { BoundedCount } from './lists/bounded-lists.js';
import {
  clockAt,
  type Day,
  DAY_MS,
  dayAt,
  daysBetween,
  isMidnight,
  MINUTE_MS,
  type Month,
  type TimeZone,
} from './time/time.js';

/** "12,500", with Indian grouping. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-IN');
}

/** "12", or "1,000+" if more rows were not counted. */
export function formatCount({ count, orMore }: BoundedCount): string {
  return `${formatNumber(count)}${orMore ? '+' : ''}`;
}

/** "1 order", "12,500 orders". */
export function countOf(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** A cache: creating a format takes longer than rendering a page. */
const formats = new Map<string, Intl.NumberFormat>();

/** "₹3,12,307.50": Indian grouping, and a minus sign as wide as a plus. */
export function formatMoney(minor: Minor, currency: string, signed = false): string {
  return formatOf(currency, signed).format(amountFromMinor(minor)).replace('-', '−');
}

/** "₹", for the prefix of an amount field. */
export function currencySign(currency: string): string {
  const parts = formatOf(currency, false).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')!.value;
}

function formatOf(currency: string, signed: boolean) {
  const key = `${currency}${signed ? '±' : ''}`;
  let format = formats.get(key);
  if (!format) {
    const signDisplay = signed ? 'exceptZero' : 'auto';
    format = new Intl.NumberFormat('en-IN', { style: 'currency', currency, signDisplay });
    formats.set(key, format);
  }
  return format;
}

const CLOCK = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** "20 Nov 2026, 14:05". The page says which zone it is. */
export function exactTime(at: Date, timeZone: TimeZone): string {
  return CLOCK.format(clockAt(at, timeZone));
}

/** "20 Nov 2026". */
export function dayOf(at: Date | number, timeZone: TimeZone): string {
  return DAY.format(clockAt(at, timeZone));
}

/** "20 Nov 2026", of a day that no zone changes. */
export function formatDay(day: Day): string {
  return dayOf(Date.parse(day), 'UTC');
}

/** The last day of a period, or the time of its end. */
export function formatLastDay(until: string, timeZone: TimeZone): string {
  return until.includes('T') ? exactTime(new Date(until), timeZone) : formatDay(until);
}

/** " from 15 Dec 2026 to 31 Dec 2026": the last day is included. Empty without a start and an end. */
export function periodText({ from, to }: { from?: Date; to?: Date }, timeZone: TimeZone): string {
  const format = (at: Date, last: number) =>
    isMidnight(at, timeZone) ? dayOf(at.getTime() - last, timeZone) : exactTime(at, timeZone);
  return (from ? ` from ${format(from, 0)}` : '') + (to ? ` to ${format(to, 1)}` : '');
}

/** "November 2026". */
export function formatMonth(month: Month): string {
  return MONTH.format(Date.parse(`${month}-01`));
}

/** Deadlines within this time are shown in hours. */
const SOON_MS = 3 * DAY_MS;

/** Times further away are shown as a date. */
const MAX_RELATIVE_DAYS = 14;

const RELATIVE_TIME = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** "just now", "5 minutes ago", "in 71 hours", "yesterday". Days begin at midnight of the zone. */
export function relativeTime(at: Date, now: number, timeZone: TimeZone): string {
  const distance = at.getTime() - now;
  const far = Math.abs(distance);
  if (far < MINUTE_MS) return distance > 0 ? 'in a moment' : 'just now';
  // A window of 72 hours that has just begun is 72 hours long.
  const minutes = distance > 0 ? Math.ceil(distance / MINUTE_MS) : Math.trunc(distance / MINUTE_MS);
  if (Math.abs(minutes) < 60) return RELATIVE_TIME.format(minutes, 'minute');
  if (far < DAY_MS || (distance > 0 && far < SOON_MS))
    return RELATIVE_TIME.format(Math.trunc(minutes / 60), 'hour');
  const days = daysBetween(dayAt(now, timeZone), dayAt(at, timeZone));
  return Math.abs(days) < MAX_RELATIVE_DAYS ? RELATIVE_TIME.format(days, 'day') : dayOf(at, timeZone);
}

const MAX_REFRESH_MS = 15 * 60_000;
const REFRESH_SECONDS = 10;

/** Seconds until a page reloads while a recent action is in progress. A page that stays open stops. */
export function refreshSecondsAfter(since: Date | null): number | undefined {
  return since !== null && Date.now() - since.getTime() < MAX_REFRESH_MS ? REFRESH_SECONDS : undefined;
}
