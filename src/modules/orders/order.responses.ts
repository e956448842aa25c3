import { ApiProperty, ApiPropertyOptional, ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import {
  AlwaysTrue,
  TextOrNull,
  TimeField,
  TimeOrNull,
  WholeNumberField,
  WholeNumberOrNull,
} from '../../platform/http/answer-fields.decorator.js';
import { IgnoredParametersField } from '../../platform/validation/ignored-parameters.js';
import { DocumentResponse } from '../invoices/document.responses.js';
import type { OrderMetadata } from './rules/order-metadata.js';
import { REFUND_KINDS, type RefundKind } from './rules/order-steps.js';
import { RETURN_STATES, type ReturnState } from './rules/return-request.js';
import {
  ORDER_STATUSES,
  type OrderStatus,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from './rules/order-transitions.js';

const MetadataField = (description: string, example: OrderMetadata) =>
  ApiPropertyOptional({ description, type: 'object', additionalProperties: { type: 'string' }, example });

@ApiSchema({ name: 'Tracking' })
export class TrackingResponse {
  @ApiProperty({ description: 'The courier of the parcel.', example: 'Delhivery' })
  courier: string;

  @TextOrNull("The courier's number for the parcel.", 'DL123456789IN')
  tracking_number: string | null;

  @TextOrNull('The page that tracks the parcel.', 'https://www.delhivery.com/track/package/DL123456789IN')
  tracking_url: string | null;

  @TimeField('When it was shipped.', '2026-11-21T11:00:00.000Z')
  shipped_at: string;
}

@ApiSchema({ name: 'OrderTimelineEntry' })
class TimelineEntryResponse {
  @ApiProperty({ enum: ORDER_STATUSES, enumName: 'OrderStatus', example: 'awaiting_payment' })
  status: OrderStatus;

  @TimeField('The time of this status.', '2026-11-20T09:30:00.000Z')
  changed_at: string;
}

@ApiSchema({ name: 'OrderItem' })
export class OrderItemResponse {
  @ApiProperty({ example: 'TSHIRT-CLASSIC' })
  sku: string;

  @ApiProperty({
    description: "The product's name; of an order, its name when the order was placed.",
    example: 'Classic Cotton T-Shirt',
  })
  name: string;

  @TextOrNull(
    'The stock key of the variation; for a product without variations the text that was sent, if any.',
    'Color:Navy|Size:M',
  )
  variation: string | null;

  @ApiProperty({ type: 'integer', example: 2 })
  quantity: number;

  @ApiProperty({
    description: 'The wholesale price of your plan; of an order, the price when it was placed.',
    example: 159,
  })
  unit_price: number;

  @ApiProperty({ description: 'unit_price × quantity.', example: 318 })
  line_total: number;
}

@ApiSchema({ name: 'OrderedItem' })
export class OrderedItemResponse extends OrderItemResponse {
  @WholeNumberField('The number of the line; the first is 1.', 1)
  line: number;

  @WholeNumberField('Units that have left.', 2)
  shipped: number;

  @WholeNumberField('Units that were cancelled, alone or with the whole order.', 0)
  cancelled: number;

  @WholeNumberField('Units whose price was refunded.', 0)
  refunded: number;

  @WholeNumberField('Units that came back, or are expected back.', 0)
  returned: number;

  @MetadataField('The metadata that you sent with the line, if any.', { engraving: 'R.K.' })
  metadata?: OrderMetadata;
}

@ApiSchema({ name: 'LineQuantity' })
export class LineQuantityResponse {
  @WholeNumberField('The number of the line.', 1)
  line: number;

  @ApiProperty({ type: 'integer', example: 2 })
  quantity: number;
}

@ApiSchema({ name: 'Shipment' })
class ShipmentResponse extends TrackingResponse {
  @WholeNumberField('The number of the parcel in its order; the first is 1.', 1)
  parcel: number;

  @TimeOrNull('Null until the parcel has arrived.', null)
  delivered_at: string | null;

  @ApiProperty({
    description: 'Its units. A further box of the same shipment has none.',
    type: [LineQuantityResponse],
  })
  lines: LineQuantityResponse[];
}

@ApiSchema({ name: 'ReturnedLine' })
class ReturnedLineResponse extends LineQuantityResponse {
  @WholeNumberOrNull('Units that arrived. Null while the return is `requested`.', 1)
  received: number | null;

  @WholeNumberField('Received units that are for sale again.', 1)
  restocked: number;

  @WholeNumberField('Received units that cannot be sold.', 0)
  written_off: number;

  @ApiProperty({ description: 'The amount refunded for this line, less amounts taken back.', example: 159 })
  refunded_amount: number;
}

@ApiSchema({ name: 'Return' })
export class ReturnResponse {
  @ApiProperty({ description: 'The number of the return.', example: 'RT-20261128-4HX2C-9TQ7M' })
  number: string;

  @ApiPropertyOptional({
    description: 'Your own id, only for returns that you requested by the API.',
    example: 'RET-1001',
  })
  store_return_id?: string;

  @ApiProperty({ enum: RETURN_STATES, enumName: 'ReturnState', example: 'requested' })
  state: ReturnState;

  @ApiProperty({ description: 'Why the units come back.', example: 'Arrived damaged' })
  reason: string;

  @ApiPropertyOptional({
    description:
      'When the wholesaler accepted the return, for accepted returns only. Then send the goods. The state ' +
      'stays `requested` until they arrive.',
    example: '2026-11-28T10:00:00.000Z',
  })
  accepted_at?: string;

  @ApiPropertyOptional({
    description: 'The address for the goods of an accepted return. It may have several lines.',
    example: 'Acme Wholesale, 12 MG Road, Pune 411001',
  })
  send_to?: string;

  @ApiPropertyOptional({
    description: 'The last day to send the goods of an accepted return.',
    example: '2026-12-12',
  })
  send_by?: string;

  @ApiProperty({
    description: 'The units of the return, and what became of them.',
    type: [ReturnedLineResponse],
  })
  lines: ReturnedLineResponse[];

  @ApiProperty({ description: 'The amount refunded for it, less amounts taken back.', example: 0 })
  refunded: number;

  @ApiPropertyOptional({
    description: 'The reason, for refused returns only. A return that you withdrew is refused too.',
    example: 'The seal is broken.',
  })
  refusal_reason?: string;

  @ApiPropertyOptional({
    description: 'The note of the wholesaler, for received and partly received returns only.',
    example: 'The other unit was not in the parcel.',
  })
  answer?: string;
}

@ApiSchema({ name: 'OrderSummary' })
export class OrderSummaryResponse {
  @ApiProperty({ description: 'The number of the order.', example: 'WO-20261120-7K3M9-QXA2B' })
  order_number: string;

  @TextOrNull("The store's own order id, if one was sent.", 'WEB-1001')
  store_order_id: string | null;

  @ApiProperty({ enum: ORDER_STATUSES, enumName: 'OrderStatus', example: 'shipped' })
  status: OrderStatus;

  @ApiProperty({ enum: PAYMENT_STATUSES, enumName: 'PaymentStatus', example: 'paid' })
  payment_status: PaymentStatus;

  @ApiProperty({ description: 'subtotal + delivery.', example: 363 })
  total_amount: number;

  @ApiProperty({
    description:
      'The part of the total that went back to your wallet. With all of it, `paid` becomes `refunded`. If ' +
      'the wholesaler takes back a mistaken refund, it falls, and `refunded` becomes `paid` again.',
    example: 0,
  })
  refunded_amount: number;

  @ApiProperty({ description: 'The currency of all amounts.', example: 'INR' })
  currency: string;

  @WholeNumberField('The number of lines as sent.', 1)
  items_count: number;

  @ApiProperty({
    description: 'The newest parcel. Null until one has left.',
    type: TrackingResponse,
    nullable: true,
  })
  tracking: TrackingResponse | null;

  @TimeField('When the order was placed.', '2026-11-20T09:30:00.000Z')
  created_at: string;

  @TimeField('The time of its current status.', '2026-11-21T11:00:00.000Z')
  status_changed_at: string;

  @TimeField('An unpaid order expires at this time.', '2026-11-23T09:30:00.000Z')
  payment_due_at: string;

  @ApiPropertyOptional({ description: 'The reason, for cancelled orders only.', example: 'expired' })
  cancel_reason?: string;

  @MetadataField('The metadata that you sent with the order, if any.', {
    cart_id: 'C-3391',
    campaign: 'diwali',
  })
  metadata?: OrderMetadata;
}

export class OrderAnswer {
  @AlwaysTrue()
  success: true;
}

class OrderContents {
  @ApiProperty({
    description:
      'One entry for each status the order has had, oldest first. If a parcel or a delivery that was ' +
      'recorded by mistake is taken back, an earlier status comes again.',
    type: [TimelineEntryResponse],
  })
  timeline: TimelineEntryResponse[];

  @ApiProperty({
    description: 'The lines as sent, with the prices at that time.',
    type: [OrderedItemResponse],
  })
  items: OrderedItemResponse[];
}

class AfterSale {
  @ApiProperty({
    description: 'All parcels, oldest first. An order is `shipped` when everything has left.',
    type: [ShipmentResponse],
  })
  shipments: ShipmentResponse[];

  @ApiProperty({
    description:
      'Goods that come back, oldest first. Ask for a return with `POST ' +
      '/api/orders/{order_number}/returns`, or in the dashboard.',
    type: [ReturnResponse],
  })
  returns: ReturnResponse[];
}

// A mixed class has its fields in the order of its parts, which is the contract's order.
@ApiSchema({ name: 'OrderStatusForm' })
export class OrderStatusResponse extends IntersectionType(
  OrderAnswer,
  PickType(OrderSummaryResponse, [
    'order_number',
    'store_order_id',
    'status',
    'payment_status',
    'total_amount',
    'refunded_amount',
    'currency',
    'tracking',
  ]),
  OrderContents,
  PickType(OrderSummaryResponse, ['created_at', 'payment_due_at']),
  AfterSale,
  PickType(OrderSummaryResponse, ['cancel_reason', 'metadata']),
) {}

@ApiSchema({ name: 'RefundedLine' })
class RefundedLineResponse {
  @WholeNumberField('The number of the line.', 1)
  line: number;

  @WholeNumberField('The units whose price it refunds; negative if it takes a refund back.', 1)
  quantity: number;

  @ApiProperty({ description: 'The amount for these units.', example: 159 })
  amount: number;
}

@ApiSchema({ name: 'Refund' })
class RefundResponse {
  @WholeNumberField('The number of the refund in its order; the first is 1.', 1)
  refund: number;

  @ApiProperty({
    description:
      'What it is for: cancelled goods, lines, the delivery, an amount, or returned goods. `taken_back` ' +
      'takes an earlier refund back.',
    enum: REFUND_KINDS,
    enumName: 'RefundKind',
    example: 'returned',
  })
  kind: RefundKind;

  @ApiProperty({
    description: 'The amount that went to your wallet; negative for `taken_back`.',
    example: 159,
  })
  amount: number;

  @ApiProperty({
    description:
      'The part of `amount` that refunds the delivery charge. The rest is for `lines`, or for none.',
    example: 0,
  })
  delivery: number;

  @ApiProperty({ description: 'The reason that the wholesaler gave.', example: 'Arrived damaged' })
  reason: string;

  @ApiProperty({
    description: 'The lines that it refunds. Empty for `delivery` and `amount`.',
    type: [RefundedLineResponse],
  })
  lines: RefundedLineResponse[];

  @TextOrNull('The return that it follows.', 'RT-20261128-4HX2C-9TQ7M')
  return_number: string | null;

  @WholeNumberOrNull('With `taken_back`: the number of the refund that it takes back.', null)
  takes_back: number | null;

  @TimeField('When it was made.', '2026-11-28T08:15:00.000Z')
  refunded_at: string;

  @ApiProperty({
    description:
      'The numbers of its credit or debit notes, one for each invoice that it changes. Goods that were ' +
      'never invoiced have none.',
    type: [String],
    example: ['CN-2627-0000007'],
  })
  documents: string[];
}

@ApiSchema({ name: 'OrderCustomerDetails' })
export class RecipientResponse {
  @ApiProperty({ example: 'Ravi Kumar' })
  name: string;

  @ApiProperty({ example: '+91 98765 43210' })
  phone: string;

  @TextOrNull('The e-mail address, if one was sent.', 'ravi@example.com')
  email: string | null;
}

@ApiSchema({ name: 'OrderAddress' })
export class AddressResponse {
  @ApiProperty({ example: '12, MG Road, Indiranagar' })
  address: string;

  @ApiProperty({ example: 'Bengaluru' })
  city: string;

  @ApiProperty({ example: 'Karnataka' })
  state: string;

  @ApiProperty({ example: '560038' })
  pincode: string;

  @ApiProperty({ example: 'India' })
  country: string;
}

class OrderAmounts {
  @ApiProperty({ description: 'Sum of wholesale price × quantity.', example: 318 })
  subtotal: number;

  @ApiProperty({ description: 'The delivery charge.', example: 45 })
  delivery: number;
}

class DeliveryDetails {
  @ApiProperty({ description: 'Who receives the goods, as corrected.', type: RecipientResponse })
  customer: RecipientResponse;

  @ApiProperty({ description: 'Where the goods go, as corrected.', type: AddressResponse })
  shipping: AddressResponse;

  @TextOrNull('The special instructions, if any were sent.', 'Please call before delivery.')
  notes: string | null;
}

class RefundsAndDocuments {
  @ApiProperty({
    description: 'All refunds, oldest first. Their amounts add up to `refunded_amount`.',
    type: [RefundResponse],
  })
  refunds: RefundResponse[];

  @ApiProperty({ description: 'Invoices and notes, oldest first.', type: [DocumentResponse] })
  documents: DocumentResponse[];
}

@ApiSchema({ name: 'OrderDetails' })
export class OrderDetailsResponse extends IntersectionType(
  OrderStatusResponse,
  OrderAmounts,
  DeliveryDetails,
  RefundsAndDocuments,
) {}

@ApiSchema({ name: 'OrderDocuments' })
export class OrderDocumentsResponse extends OrderAnswer {
  @ApiProperty({ description: 'Oldest first.', type: [DocumentResponse] })
  documents: DocumentResponse[];
}

@ApiSchema({ name: 'OrderStatuses' })
export class OrderStatusesResponse extends OrderAnswer {
  @ApiProperty({
    description: 'In the order of the request, each order once.',
    type: [OrderStatusResponse],
  })
  data: OrderStatusResponse[];

  @ApiProperty({
    description: 'The requested numbers that match none of your orders.',
    type: [String],
    example: [],
  })
  unknown: string[];

  @IgnoredParametersField()
  ignored_parameters?: string[];
}

@ApiSchema({ name: 'OrderList' })
export class OrderListResponse extends OrderAnswer {
  @ApiProperty({
    description: 'Newest first. With `since`, in the order of changes.',
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
      'The `since` of your next call. Sent with changes and with the first page without filters. Keep it, ' +
      'then read the other pages.',
    example: 'A6cf3k0TbP____kAAAAAA4YAAAAAA4XhFPH4CBInc8a52Bo',
  })
  sync_token?: string;

  @ApiProperty({
    description:
      'True if there is another page: ask for it with `next_cursor`. With `since`, true if there are more ' +
      'changes: ask again with the new `sync_token`.',
    example: false,
  })
  has_more: boolean;

  @IgnoredParametersField()
  ignored_parameters?: string[];
}
