import type { PaymentStatus } from './payment-status.js';

const FIRST_SECONDS = 15;
const MAX_INTERVAL_SECONDS = 6 * 3_600;

/** An open payment that no bank has authorized is given up then. Late money is still credited. */
export const OPEN_SECONDS = 3_600;

/** The gateway retries for a day. A bank may take longer. */
export const GIVE_UP_AFTER_SECONDS = 7 * 24 * 3_600;

/** The last check, a day after the payment. It finds a double payment that caused no event. */
const FINAL_CHECK_SECONDS = 24 * 3_600;

interface CheckState {
  status: PaymentStatus;
  /** The number of checks so far. */
  checks: number;
  ageSeconds: number;
}

/** Seconds until the next check; null: no further check. */
export function nextCheck({ status, checks, ageSeconds }: CheckState): number | null {
  if (status === 'failed' || ageSeconds >= GIVE_UP_AFTER_SECONDS) return null;
  if (status === 'paid') return ageSeconds >= FINAL_CHECK_SECONDS ? null : FINAL_CHECK_SECONDS;
  const seconds = backOff(checks);
  return status === 'open' && ageSeconds < OPEN_SECONDS
    ? Math.min(seconds, OPEN_SECONDS - ageSeconds)
    : seconds;
}

/** Each interval is twice as long as the last. */
export function backOff(checks: number): number {
  return Math.min(FIRST_SECONDS * 2 ** Math.min(checks, 20), MAX_INTERVAL_SECONDS);
}
