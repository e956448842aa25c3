import { DomainError } from '../../platform/errors/domain-error.js';
import { amountFromMinor, type Minor, numericFromMinor } from '../../platform/money/money.js';

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

/** Refuses an order that its client would have to pay or cancel something for first. */
export function checkUnpaidLimit({ unpaid, limits }: Standing, total: Minor): void {
  if (isBeyond(withOrder(unpaid, total), limits)) throw unpaidLimitReached(unpaid, limits);
}

/** A limit of 0 is none. */
function unpaidLimitReached(unpaid: Unpaid, limits: Unpaid): DomainError {
  return new DomainError('unpaid_limit_reached', unpaidLimitMessage(unpaid, limits), {
    facts: {
      unpaid_orders: unpaid.orders,
      unpaid_orders_limit: limits.orders || null,
      unpaid_value: amountFromMinor(unpaid.value),
      unpaid_value_limit: limits.value ? amountFromMinor(limits.value) : null,
    },
  });
}

export function unpaidLimitMessage(unpaid: Unpaid, limits: Unpaid): string {
  const most = [
    limits.orders > 0 && `${limits.orders} orders`,
    limits.value > 0 && `a value of ${numericFromMinor(limits.value)}`,
  ];
  return `You have ${unpaid.orders} unpaid orders worth ${numericFromMinor(unpaid.value)}, and may have ${most.filter(Boolean).join(' and ')}. Pay for orders or cancel some, then order again.`;
}

/** Of the limit that is nearer. */
function shareOf(unpaid: Unpaid, limits: Unpaid): number {
  const share = (amount: number, limit: number) => (limit === 0 ? 0 : amount / limit);
  return Math.max(share(unpaid.orders, limits.orders), share(unpaid.value, limits.value));
}
