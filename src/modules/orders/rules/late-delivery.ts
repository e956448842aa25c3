import type { Settings } from '../../../platform/settings/settings.js';
import { DAY_MS } from '../../../platform/time/time.js';

/** Older parcels are not reported. This also bounds the rows that are read. */
export const MAX_REPORTED_DAYS = 90;

/** The filter of orders that should be delivered by now. Those that do not arrive are listed apart. */
export function lateDelivery({ deliverWithinDays }: Pick<Settings, 'deliverWithinDays'>, now = Date.now()) {
  return {
    status: 'shipped',
    shippedFrom: new Date(now - MAX_REPORTED_DAYS * DAY_MS),
    shippedTo: new Date(now - deliverWithinDays * DAY_MS),
    goods: 'arriving',
  } as const;
}
