import type { Response } from 'express';
import type { OrderCreatedResponse } from './order-created.response.js';

/** For the docs. */
export const LOCATION_HEADER = {
  Location: { description: 'Where the status of the order is read.', schema: { type: 'string' } as const },
};

/** Tells in the header where to follow the order, and leaves the answer. */
export function locate(response: Response, order: OrderCreatedResponse): OrderCreatedResponse {
  response.setHeader('Location', `/api/orders/${order.order_number}/status`);
  return order;
}
