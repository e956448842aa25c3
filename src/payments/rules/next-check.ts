import type { PaymentStatus } from './payment-status.js';

const FIRST_SECONDS = 15;
const SLOWEST_SECONDS = 6 * 3_600;

/** The gateway's own retries end after a day; ours go on for as long as a bank may take. */
export const GIVE_UP_AFTER_SECONDS = 7 * 24 * 3_600;

/** Money that comes a second time is found a day later, if no event told of it. */
const ONCE_MORE_SECONDS = 24 * 3_600;

interface Checked {
  status: PaymentStatus;
  /** How often it was asked for. */
  checks: number;
  ageSeconds: number;
}

/** In how many seconds the gateway is asked again, unless it says something by itself; null: not any more. */
export function nextCheck({ status, checks, ageSeconds }: Checked): number | null {
  if (status === 'failed' || ageSeconds >= GIVE_UP_AFTER_SECONDS) return null;
  if (status === 'paid') return ageSeconds >= ONCE_MORE_SECONDS ? null : ONCE_MORE_SECONDS;
  return backOff(checks);
}

/** Longer each time. */
export function backOff(checks: number): number {
  return Math.min(FIRST_SECONDS * 2 ** Math.min(checks, 20), SLOWEST_SECONDS);
}
