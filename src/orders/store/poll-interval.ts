import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { TimedResponse } from '../../platform/http/app-messages.js';
import type { Representation } from '../../platform/http/representation.js';
import type { OrderStatus } from '../rules/order-transitions.js';

/** In how many seconds something may have happened to an order: payment is a matter of minutes, a parcel takes days. */
const SECONDS: Record<OrderStatus, number> = {
  awaiting_payment: 300,
  pending: 900,
  shipped: 3_600,
  delivered: 86_400,
  cancelled: 86_400,
};

/** Where new orders may appear as well, or nothing is known yet. */
export const LIST_POLL_SECONDS = 300;

const HEADER = 'X-Poll-Interval';

/** For the docs. */
export const POLL_INTERVAL_HEADER = {
  [HEADER]: {
    description: 'After how many seconds asking again makes sense; longer when nothing can change any more.',
    schema: { type: 'integer', minimum: 1 } as const,
  },
};

/** An answer that is asked for again and again, and how soon that makes sense. */
export interface Polled {
  answer: Representation;
  seconds: number;
}

/** The order that may change first counts. */
export function pollSeconds(statuses: OrderStatus[]): number {
  return statuses.length === 0 ? LIST_POLL_SECONDS : Math.min(...statuses.map((status) => SECONDS[status]));
}

/** Tells the interval in the header and leaves the answer. */
export function advisePolling(response: Response, { answer, seconds }: Polled): Representation {
  const timed = response as ServerResponse as TimedResponse;
  timed.requestLines = [...timed.requestLines, HEADER, seconds];
  return answer;
}
