import { ApiProperty, ApiPropertyOptional, ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import {
  AlwaysTrue,
  CountField,
  TimeField,
  WholeNumberField,
} from '../../../platform/http/answer-fields.decorator.js';
import type { Response } from 'express';
import { FieldErrorResponse } from '../../../platform/http/error.response.js';
import { IgnoredField } from '../../../platform/validation/ignored-fields.js';
import { OrderItemResponse, OrderStatusResponse, OrderSummaryResponse } from '../order.responses.js';
import { ChangeDeliveryRequest } from './create-order.request.js';

@ApiSchema({ name: 'OrderWarning' })
class WarningResponse {
  @ApiProperty({ description: 'Which field, as a path into the body.', example: 'shipping.pincode' })
  field: string;

  @ApiProperty({
    description: '`other_state` or `unknown_state`; more codes may follow.',
    example: 'other_state',
  })
  code: string;

  @ApiProperty({
    description: 'What looks wrong, for people.',
    example: '560038 is not in Kerala: one of the two is probably mistyped.',
  })
  message: string;
}

@ApiSchema({ name: 'QuoteStock' })
class QuoteStockResponse {
  @WholeNumberField('The ordered quantity of this variation, all lines together.', 2)
  requested: number;

  @CountField('How many can be sold now.', 14)
  available: number;

  @ApiProperty({ description: 'Whether the stock is enough.', example: true })
  sufficient: boolean;
}

@ApiSchema({ name: 'QuoteItem' })
export class QuoteItemResponse extends OrderItemResponse {
  @ApiProperty({ type: QuoteStockResponse })
  stock: QuoteStockResponse;
}

@ApiSchema({ name: 'QuoteDelivery' })
class QuoteDeliveryResponse {
  @ApiProperty({ example: 'TSHIRT-CLASSIC' })
  sku: string;

  @ApiProperty({ description: 'The delivery charge of the product, for any quantity.', example: 45 })
  charge: number;
}

@ApiSchema({ name: 'Quote' })
export class OrderQuoteResponse {
  @AlwaysTrue()
  success: true;

  @ApiProperty({ description: 'Whether creating the order right now would succeed.', example: true })
  orderable: boolean;

  @ApiProperty({
    description:
      'Why it would fail: `insufficient_stock` at its line, else `price_changed` at `expected_total`, else ' +
      '`unpaid_limit_reached` at `items`.',
    type: [FieldErrorResponse],
    example: [],
  })
  errors: FieldErrorResponse[];

  @ApiProperty({ description: 'The lines in the order in which they were sent.', type: [QuoteItemResponse] })
  items: QuoteItemResponse[];

  @ApiProperty({ description: 'Sum of wholesale price × quantity.', example: 318 })
  subtotal: number;

  @ApiProperty({ description: 'The delivery charge.', example: 45 })
  delivery: number;

  @ApiProperty({
    description: 'The delivery charge of each product, once per product.',
    type: [QuoteDeliveryResponse],
  })
  delivery_breakdown: QuoteDeliveryResponse[];

  @ApiProperty({ description: 'subtotal + delivery.', example: 363 })
  total: number;

  @ApiProperty({ description: 'The currency of all amounts.', example: 'INR' })
  currency: string;

  @ApiPropertyOptional({
    description:
      'Ignored fields of the body: prices, which are never taken, and names that may be misspelt. Only if ' +
      'there are any; the first 20.',
    type: [IgnoredField],
  })
  ignored_fields?: IgnoredField[];

  @ApiPropertyOptional({
    description: 'What looks wrong, but does not stop the order. Only if there are warnings.',
    type: [WarningResponse],
  })
  warnings?: WarningResponse[];
}

export const ORDER_RECEIVED =
  'Order received. It ships when it is paid: in the dashboard, or by auto-pay if that is on.';

@ApiSchema({ name: 'OrderCreated' })
export class OrderCreatedResponse extends IntersectionType(
  PickType(OrderStatusResponse, ['success', 'order_number', 'store_order_id']),
  PickType(OrderQuoteResponse, ['subtotal', 'delivery', 'total', 'currency', 'ignored_fields', 'warnings']),
  PickType(OrderSummaryResponse, ['items_count', 'metadata']),
) {
  @ApiProperty({ description: 'The number of the order, made to be read aloud.' })
  override order_number: string;

  @ApiProperty({
    description: 'The lines as they were understood, with the key of each variation.',
    type: [OrderItemResponse],
  })
  items: OrderItemResponse[];

  @ApiProperty({
    description: 'Always `awaiting_payment` here.',
    enum: ['awaiting_payment'],
    example: 'awaiting_payment',
  })
  status: string;

  @ApiProperty({
    description: 'What happens next, for people.',
    example: ORDER_RECEIVED,
  })
  message: string;

  @TimeField(
    'The order waits for payment until this time. Then it is cancelled and its stock is released.',
    '2026-11-23T09:30:00.000Z',
  )
  payment_due_at: string;
}

@ApiSchema({ name: 'OrderDelivery' })
export class OrderDeliveryResponse extends IntersectionType(
  PickType(OrderStatusResponse, ['success', 'order_number', 'store_order_id', 'status']),
  ChangeDeliveryRequest,
  PickType(OrderQuoteResponse, ['ignored_fields', 'warnings']),
) {}

export const LOCATION_HEADER = {
  Location: { description: 'The address of the order status.', schema: { type: 'string' } as const },
};

/** Adds the header that says where to follow the order. */
export function locate<Answer extends { order_number: string }>(response: Response, order: Answer): Answer {
  response.setHeader('Location', `/api/orders/${order.order_number}/status`);
  return order;
}
