const EXACT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** "20 Nov 2026, 14:05 GMT+5:30", by the clock of the service's own machine (`TZ`): nobody tells us the reader's. */
export function exactTime(at: Date): string {
  return EXACT.format(at);
}

/** "20 Nov 2026". */
export function dayOf(at: Date | number): string {
  return DAY.format(at);
}
