import { formatDay } from '../../../platform/formats.js';
import type { Day } from '../../../platform/time/time.js';

/**
 * The day on which the time for a credit of tax ended, if it did: 30 November after the financial year of the
 * supply (section 34(2) of the CGST Act). Later notes change no tax.
 */
export function creditEndedOn(suppliedOn: Day, today: Day): Day | null {
  const [year, month] = suppliedOn.split('-').map(Number) as [number, number];
  const last = `${month < 4 ? year : year + 1}-11-30`;
  return today > last ? last : null;
}

/** "the time for a credit of tax ended on 30 Nov 2027". */
export const creditEndedText = (endedOn: Day): string =>
  `the time for a credit of tax ended on ${formatDay(endedOn)}`;
