import type { OrderStatus } from './order-transitions.js';

export type Correction = 'shipment' | 'delivery';

const RULES: Record<Correction, { when: readonly OrderStatus[]; refusal: (status: OrderStatus) => string }> =
  {
    shipment: {
      when: ['shipped', 'delivered'],
      refusal: (status) => `An order that is ${status} has no shipment that could be corrected.`,
    },
    delivery: {
      when: ['awaiting_payment', 'pending'],
      refusal: (status) =>
        `An order that is ${status} goes nowhere else: its address can no longer be changed.`,
    },
  };

/** Why this cannot be corrected any more, or not yet; nothing if it can. */
export function correctable(what: Correction, status: OrderStatus): string | undefined {
  return RULES[what].when.includes(status) ? undefined : RULES[what].refusal(status);
}
