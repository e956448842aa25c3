import type { Minor } from '../../platform/money/money.js';

/** What a client has ordered and not paid yet, or how much of it there may be, of which 0 means any. */
export interface Unpaid {
  orders: number;
  value: Minor;
}

/** What a client has open, and how much that may be. */
export interface Standing {
  unpaid: Unpaid;
  limits: Unpaid;
}

/** From here on the operator is told. */
export const NEAR = 0.8;

export function withOrder({ orders, value }: Unpaid, total: Minor): Unpaid {
  return { orders: orders + 1, value: value + total };
}

export function isBeyond(unpaid: Unpaid, limits: Unpaid): boolean {
  return shareOf(unpaid, limits) > 1;
}

export function isNear(unpaid: Unpaid, limits: Unpaid): boolean {
  return shareOf(unpaid, limits) >= NEAR;
}

/** Of the limit that is nearer. */
function shareOf(unpaid: Unpaid, limits: Unpaid): number {
  const share = (amount: number, limit: number) => (limit === 0 ? 0 : amount / limit);
  return Math.max(share(unpaid.orders, limits.orders), share(unpaid.value, limits.value));
}
