import type { OrderStatus } from '../rules/order-transitions.js';

export interface OrderFilter {
  status?: OrderStatus;
  clientId?: number;
  /** Placed at this time or later. */
  since?: Date;
  /** Placed before this time. */
  to?: Date;
  /** Paid at this time or later. */
  paidFrom?: Date;
}

/** Which rows of `orders o` a filter lets through; its values are the first five. */
export const MATCHES = `
  ($1::text IS NULL OR o.status = $1) AND ($2::int IS NULL OR o.client_id = $2) AND ($3::timestamptz IS NULL OR o.placed_at >= $3)
  AND ($4::timestamptz IS NULL OR o.placed_at < $4) AND ($5::timestamptz IS NULL OR o.paid_at >= $5)`;

export function filterValues({ status, clientId, since, to, paidFrom }: OrderFilter): unknown[] {
  return [status, clientId, since, to, paidFrom].map((value) => value ?? null);
}
