import { dayOf } from './exact-time.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** In between nobody counts on their fingers; beyond it a date says more. */
const FARTHEST = 14 * DAY;

const WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Making the words takes longer than looking them up, and there are less than two hundred. */
const known = new Map<string, string>();

/** How people tell a time that is near: "just now", "5 minutes ago", "in 6 hours", "yesterday". */
export function relativeTime(at: Date, now: number): string {
  const distance = at.getTime() - now;
  const far = Math.abs(distance);
  if (far < MINUTE) return distance > 0 ? 'in a moment' : 'just now';
  if (far < HOUR) return words(Math.trunc(distance / MINUTE), 'minute');
  if (far < DAY) return words(Math.trunc(distance / HOUR), 'hour');
  if (far < FARTHEST) return words(Math.trunc(distance / DAY), 'day');
  return dayOf(at);
}

function words(count: number, unit: 'minute' | 'hour' | 'day'): string {
  const key = `${count} ${unit}`;
  let text = known.get(key);
  if (text === undefined) known.set(key, (text = WORDS.format(count, unit)));
  return text;
}
