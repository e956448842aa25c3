import type { OrderStatus } from './order-transitions.js';

/** How a client's orders are told apart on its pages: by what is to be done about them. */
export const ORDER_GROUPS = ['to_pay', 'processing', 'paid', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderGroup = (typeof ORDER_GROUPS)[number];

interface Standing {
  status: OrderStatus;
  /** A payment for it is on its way. */
  isProcessing: boolean;
}

export function groupOf({ status, isProcessing }: Standing): OrderGroup {
  if (status === 'awaiting_payment') return isProcessing ? 'processing' : 'to_pay';
  return status === 'pending' ? 'paid' : status;
}

export function isPayable(order: Standing): boolean {
  return groupOf(order) === 'to_pay';
}
