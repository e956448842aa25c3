import { DomainError } from '../../../platform/errors/domain-error.js';
import { amountFromMinor, type Minor } from '../../../platform/money/money.js';
import type { Obstacle } from './obstacle.js';

/** Unpaid orders and their value, or the limits of both, where 0 means no limit. */
export interface Unpaid {
  orders: number;
  value: Minor;
}

/** Unpaid totals with their limits. */
export interface UnpaidTotals {
  unpaid: Unpaid;
  limits: Unpaid;
}

/** From this share of a limit on, the metrics and the page of the client warn. */
export const NEAR_LIMIT_SHARE = 0.8;

export function withOrder({ orders, value }: Unpaid, total: Minor): Unpaid {
  return { orders: orders + 1, value: value + total };
}

export function exceedsLimits(unpaid: Unpaid, limits: Unpaid): boolean {
  return shareOf(unpaid, limits) > 1;
}

export function isNearLimits(unpaid: Unpaid, limits: Unpaid): boolean {
  return shareOf(unpaid, limits) >= NEAR_LIMIT_SHARE;
}

/** The totals and limits as stores read them. Null: no limit. */
export function toUnpaidFacts({ unpaid, limits }: UnpaidTotals) {
  return {
    unpaid_orders: unpaid.orders,
    unpaid_orders_limit: limits.orders || null,
    unpaid_value: amountFromMinor(unpaid.value),
    unpaid_value_limit: limits.value ? amountFromMinor(limits.value) : null,
  };
}

export type UnpaidFacts = ReturnType<typeof toUnpaidFacts>;

/** The order would exceed the client's limit of unpaid orders. */
export function unpaidObstacle(totals: UnpaidTotals, total: Minor): Obstacle | undefined {
  const { unpaid, limits } = totals;
  if (!exceedsLimits(withOrder(unpaid, total), limits)) return undefined;
  const facts = toUnpaidFacts(totals);
  const [code, message] = ['unpaid_limit_reached', describeUnpaidLimit(facts)] as const;
  return {
    error: new DomainError(code, message, { facts }),
    rows: [{ field: 'items', code, message, ...facts }],
  };
}

/** For the store, or for another person about this client. */
export function describeUnpaidLimit(facts: UnpaidFacts, client?: string): string {
  const { unpaid_orders_limit: orders, unpaid_value_limit: value } = facts;
  const limit = [orders !== null && `${orders} orders`, value !== null && `a value of ${value.toFixed(2)}`];
  const unpaid = `${facts.unpaid_orders} unpaid orders worth ${facts.unpaid_value.toFixed(2)}`;
  const limits = limit.filter(Boolean).join(' and ');
  return client === undefined
    ? `You have ${unpaid}. Your limit is ${limits}. Pay for orders or cancel some, then order again.`
    : `${client} has ${unpaid}. The limit is ${limits}. Some must be paid or cancelled first.`;
}

/** The larger share of the two limits. */
function shareOf(unpaid: Unpaid, limits: Unpaid): number {
  const share = (amount: number, limit: number) => (limit === 0 ? 0 : amount / limit);
  return Math.max(share(unpaid.orders, limits.orders), share(unpaid.value, limits.value));
}
