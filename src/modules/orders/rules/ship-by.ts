import type { Settings } from '../../../platform/settings/settings.js';
import { addDays, type Day, dayAt, daysBetween } from '../../../platform/time/time.js';

/** The last day on which a paid order leaves in time. */
export interface ShippingDeadline {
  day: Day;
  daysLate: number;
}

/** Days are the wholesaler's. The day of the payment does not count. */
export function shipBy(
  paidAt: Date,
  { shipWithinDays, timeZone }: Pick<Settings, 'shipWithinDays' | 'timeZone'>,
  now = Date.now(),
): ShippingDeadline {
  const day = addDays(dayAt(paidAt, timeZone), shipWithinDays);
  return { day, daysLate: Math.max(0, daysBetween(day, dayAt(now, timeZone))) };
}
