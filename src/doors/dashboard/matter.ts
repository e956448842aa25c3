import type { Overview } from '../../orders/browsing/client-overview.js';
import { countOf } from './count-of.js';

/** What is the matter with a client's orders. */
export function matterOf({ toPay, processing }: Overview): string {
  if (toPay.orders > 0) return `${countOf(toPay.orders, 'order waits', 'orders wait')} for payment`;
  if (processing.orders > 0) return `${countOf(processing.orders, 'order is', 'orders are')} being paid`;
  return 'No order waits for payment';
}

const LOOKED_AFTER_MS = 15 * 60_000;
const LOOK_AGAIN_SECONDS = 10;

/** A page looks again by itself while somebody may be waiting for it, and not for as long as a payment may be left open. */
export function lookAgain(since: Date | null): number | undefined {
  return since !== null && Date.now() - since.getTime() < LOOKED_AFTER_MS ? LOOK_AGAIN_SECONDS : undefined;
}
