import type { Minor } from '../../platform/money/money.js';

/** What a client has ordered and not paid yet, or how much of it there may be, of which 0 means any. */
export interface Unpaid {
  orders: number;
  value: Minor;
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

/**
 * Whether an order keeps within the limits whatever else is being placed at the same moment and cannot be seen yet: what is seen is at
 * most half of the limit, and as many orders like this one as there can be (`atOnce`) do not make up the other half. Take all orders
 * placed like that, and of them the one that looked last: it saw all that were done; the others were under way, each in a transaction
 * and so on a connection of its own, and of each the same is true.
 */
export function isFar(seen: Unpaid, total: Minor, limits: Unpaid, atOnce: number): boolean {
  const others = { orders: atOnce, value: total * atOnce };
  return shareOf(seen, limits) <= 1 / 2 && shareOf(others, limits) <= 1 / 2;
}

/** Of the limit that is nearer. */
function shareOf(unpaid: Unpaid, limits: Unpaid): number {
  const share = (amount: number, limit: number) => (limit === 0 ? 0 : amount / limit);
  return Math.max(share(unpaid.orders, limits.orders), share(unpaid.value, limits.value));
}
