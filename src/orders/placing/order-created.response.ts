import { ApiProperty, ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import type { Response } from 'express';
import { OrderStatusResponse, OrderSummaryResponse } from '../store/order.responses.js';
import { OrderQuoteResponse } from './order-quote.response.js';

@ApiSchema({ name: 'OrderCreated' })
export class OrderCreatedResponse extends IntersectionType(
  PickType(OrderStatusResponse, ['success', 'order_number', 'store_order_id']),
  PickType(OrderQuoteResponse, ['subtotal', 'delivery', 'total', 'currency', 'ignored_fields']),
  PickType(OrderSummaryResponse, ['items_count']),
) {
  @ApiProperty({ description: 'The number of the order, made to be read aloud.' })
  override order_number: string;

  @ApiProperty({
    description: 'Always `awaiting_payment` here.',
    enum: ['awaiting_payment'],
    example: 'awaiting_payment',
  })
  status: string;

  @ApiProperty({
    description: 'What happens next, for people.',
    example: 'Order received. Pay for it in the dashboard to have it shipped.',
  })
  message: string;

  @ApiProperty({
    description:
      'Until when the order waits for payment. After that it is cancelled and its stock goes back.',
    format: 'date-time',
    example: '2026-11-23T09:30:00.000Z',
  })
  payment_due_at: string;
}

export const LOCATION_HEADER = {
  Location: { description: 'Where the status of the order is read.', schema: { type: 'string' } as const },
};

/** Sets the Location header and returns the answer. */
export function locate(response: Response, order: OrderCreatedResponse): OrderCreatedResponse {
  response.setHeader('Location', `/api/orders/${order.order_number}/status`);
  return order;
}
