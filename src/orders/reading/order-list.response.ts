import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { TrackingResponse } from './order-status.response.js';
import {
  ORDER_STATUSES,
  type OrderStatus,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '../rules/order-transitions.js';

@ApiSchema({ name: 'OrderSummary' })
export class OrderSummaryResponse {
  @ApiProperty({ description: 'The number of the order.', example: 'WO-20261120-7K3M9-QXA2B' })
  order_number: string;

  @ApiProperty({
    description: "The store's own order id, if one was sent.",
    type: String,
    nullable: true,
    example: 'WEB-1001',
  })
  store_order_id: string | null;

  @ApiProperty({ enum: ORDER_STATUSES, enumName: 'OrderStatus', example: 'shipped' })
  status: OrderStatus;

  @ApiProperty({ enum: PAYMENT_STATUSES, enumName: 'PaymentStatus', example: 'paid' })
  payment_status: PaymentStatus;

  @ApiProperty({ description: 'subtotal + delivery.', example: 363 })
  total_amount: number;

  @ApiProperty({ description: 'The currency of all amounts.', example: 'INR' })
  currency: string;

  @ApiProperty({ description: 'The number of lines as sent.', type: 'integer', example: 1 })
  items_count: number;

  @ApiProperty({ description: 'Null until the order is shipped.', type: TrackingResponse, nullable: true })
  tracking: TrackingResponse | null;

  @ApiProperty({
    description: 'When the order was placed.',
    format: 'date-time',
    example: '2026-11-20T09:30:00.000Z',
  })
  created_at: string;

  @ApiProperty({
    description: 'Since when it has its status.',
    format: 'date-time',
    example: '2026-11-21T11:00:00.000Z',
  })
  status_changed_at: string;

  @ApiProperty({
    description: 'Until when it waits for payment.',
    format: 'date-time',
    example: '2026-11-23T09:30:00.000Z',
  })
  payment_due_at: string;

  @ApiPropertyOptional({ description: 'Why it was cancelled; only where it was.', example: 'expired' })
  cancel_reason?: string;
}

@ApiSchema({ name: 'OrderList' })
export class OrderListResponse {
  @ApiProperty({ example: true })
  success: boolean;

  @ApiProperty({
    description: 'Newest first; with `since` in the order of their changes.',
    type: [OrderSummaryResponse],
  })
  data: OrderSummaryResponse[];

  @ApiPropertyOptional({
    description: 'The `cursor` of the next page; absent on the last one.',
    example: 'AAAABwAGYLHjS5YBV08tMjAyNjExMjAtN0szTTktUVhBMkIoan3b',
  })
  next_cursor?: string;

  @ApiPropertyOptional({
    description:
      'The `since` of your next call. On changes, and on the first page without filters: keep it from there, then read the other pages.',
    example: 'AXDDQnhvwuz____WAAAAAAOHx5KiHg',
  })
  sync_token?: string;

  @ApiPropertyOptional({
    description: 'With `since`: whether there is more right now, to be had with the new `sync_token`.',
    example: false,
  })
  has_more?: boolean;
}
