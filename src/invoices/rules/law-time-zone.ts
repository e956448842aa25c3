import type { TimeZone } from '../../platform/time/time.js';

/** The law counts days and years in Indian time. The setting of the zone does not matter. */
export const LAW_TIME_ZONE: TimeZone = 'Asia/Kolkata';
