import { LRUCache } from 'lru-cache';

const EXACT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** Making the words of a time takes longer than looking them up, and a page of a list has a hundred of them. */
const words = new LRUCache<number, string>({ max: 5_000 });

/** "20 Nov 2026, 14:05 GMT+5:30", by the clock of the service's own machine (`TZ`): nobody tells us the reader's. */
export function exactTime(at: Date): string {
  const minute = Math.floor(at.getTime() / 60_000);
  let text = words.get(minute);
  if (text === undefined) words.set(minute, (text = EXACT.format(at)));
  return text;
}

/** "20 Nov 2026". */
export function dayOf(at: Date | number): string {
  return DAY.format(at);
}
