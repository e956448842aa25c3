import type { Overview } from '../../orders/browsing/client-overview.js';
import { countOf } from './count-of.js';

/** What is the matter with a client's orders. */
export function matterOf({ toPay, processing }: Overview): string {
  if (toPay.orders > 0) return `${countOf(toPay.orders, 'order waits', 'orders wait')} for payment`;
  if (processing.orders > 0) return `${countOf(processing.orders, 'order is', 'orders are')} being paid`;
  return 'No order waits for payment';
}
