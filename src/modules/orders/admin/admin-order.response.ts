import { ApiProperty, ApiPropertyOptional, ApiSchema, OmitType } from '@nestjs/swagger';
import {
  AmountField,
  AmountOrNull,
  DayOrNull,
  FlagField,
  NameField,
  TextField,
  TextOrNull,
  TimeField,
  TimeOrNull,
  WarningsField,
  WholeNumberField,
  WholeNumberOrNull,
} from '../../../platform/http/answer-fields.decorator.js';
import { type CorrectedFields, ORDER_ORIGINS, type OrderOrigin } from '../entities/order.entity.js';
import { LineUnitsDto } from './line-units.dto.js';
import {
  AddressResponse,
  LineQuantityResponse,
  OrderItemResponse,
  RecipientResponse,
  TrackingResponse,
} from '../order.responses.js';
import { GOODS_STATES, type GoodsState, PARCEL_EXCEPTIONS } from '../rules/goods-state.js';
import type { OrderMetadata } from '../rules/order-metadata.js';
import { REFUND_KINDS, type RefundKind } from '../rules/order-steps.js';
import {
  ORDER_STATUSES,
  type OrderStatus,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '../rules/order-transitions.js';
import { RETURN_STATES, type ReturnState } from '../rules/return-request.js';

const Metadata = (of: string) =>
  ApiPropertyOptional({
    description: `The metadata that the store sent with the ${of}, if any.`,
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { cart_id: 'C-3391' },
  });

/** A packer ships, but does not see money. */
const HIDDEN = 'Null for a key with the role packer.';

const By = (did: string) => TextField(`The person or program that ${did} it.`, 'key 3 (ERP)');

@ApiSchema({ name: 'AdminOrderItem' })
class AdminOrderItemResponse extends OmitType(OrderItemResponse, ['unit_price', 'line_total']) {
  @WholeNumberField('The number of the line; the first is 1.', 1) line: number;
  @AmountOrNull(`The price of one when the order was placed. ${HIDDEN}`, 159) unit_price: number | null;
  @AmountOrNull(`The price of the line. ${HIDDEN}`, 318) line_total: number | null;
  @WholeNumberField('Units that have left.', 2) shipped: number;
  @WholeNumberField('Units that were cancelled, alone or with the whole order.', 0) cancelled: number;
  @WholeNumberField('Units whose price was refunded.', 0) refunded: number;
  @WholeNumberField('Units that came back, or are expected back.', 0) returned: number;
  @Metadata('line') metadata?: OrderMetadata;
}

@ApiSchema({ name: 'AdminOrderPayment' })
class AdminOrderPaymentResponse {
  @TextOrNull('How it was paid.', 'wallet') method: string | null;
  @TextOrNull('The number of the payment, or who agreed to it.', 'UTR 512345678901') reference: string | null;
  @TimeField('An unpaid order expires at this time.', '2026-11-23T09:30:00.000Z') due_at: string;
  @TimeOrNull('When it was paid.', '2026-11-20T09:35:00.000Z') paid_at: string | null;
}

@ApiSchema({ name: 'AdminParcel' })
class AdminParcelResponse extends TrackingResponse {
  @WholeNumberField('The number of the parcel in its order; the first is 1.', 1) parcel: number;
  @TimeOrNull('When it arrived.', null) delivered_at: string | null;
  @ApiPropertyOptional({
    description: 'What the courier reports instead of a delivery.',
    enum: PARCEL_EXCEPTIONS,
    example: 'returning',
  })
  exception?: string;

  @TextOrNull('Why it has no invoice, if it was sent without one.', null) no_invoice: string | null;
  @TextOrNull('Why it left before its invoice had an IRN.', null) without_irn: string | null;
  @ApiProperty({
    description: 'Its units. A further box of the same shipment has none.',
    type: [LineQuantityResponse],
  })
  lines: LineQuantityResponse[];
}

@ApiSchema({ name: 'AdminPreparedParcel' })
class AdminPreparedParcelResponse {
  @WholeNumberField('The number that the parcel will have.', 2) parcel: number;
  @ApiProperty({ description: 'Its units.', type: [LineQuantityResponse] }) lines: LineQuantityResponse[];
  @TimeField('When its invoice was issued.', '2026-11-22T09:30:00.000Z') invoiced_at: string;
  @By('prepared') by: string;
  @FlagField('Its invoice waits for its IRN.', false) awaits_irn: boolean;
}

@ApiSchema({ name: 'AdminOrderReturnLine' })
class AdminReturnLineResponse extends LineQuantityResponse {
  @WholeNumberOrNull('Units that arrived. Null while the return is `requested`.', 1) received: number | null;
  @WholeNumberField('Received units that are for sale again.', 1) restocked: number;
  @AmountOrNull(`What was refunded for the line. ${HIDDEN}`, 159) refunded: number | null;
}

@ApiSchema({ name: 'AdminOrderReturn' })
class AdminOrderReturnResponse {
  @TextField('The number of the return.', 'RT-20261128-4HX2C-9TQ7M') number: string;
  @TextOrNull("The store's own id.", 'RET-1001') store_return_id: string | null;
  @NameField('Its state.', RETURN_STATES, 'ReturnState') state: ReturnState;
  @TextField('Why the units come back.', 'Arrived damaged') reason: string;
  @TextOrNull('The note of the client.', null) note: string | null;
  @TimeField('When it was asked for.', '2026-11-28T09:30:00.000Z') requested_at: string;
  @By('asked for') by: string;
  @TimeOrNull('When it was accepted.', null) accepted_at: string | null;
  @TextOrNull('The address for the goods of an accepted return.', null) send_to: string | null;
  @DayOrNull('The last day to send them.', null) send_by: string | null;
  @TimeOrNull('When its goods were received, or it was refused.', null) decided_at: string | null;
  @TextOrNull('The note of the decision.', null) decision: string | null;
  @AmountOrNull(`What was refunded for it, less amounts taken back. ${HIDDEN}`, 0)
  refunded: number | null;

  @ApiProperty({ description: 'Its units, and what became of them.', type: [AdminReturnLineResponse] })
  lines: AdminReturnLineResponse[];
}

@ApiSchema({ name: 'AdminRefundLine' })
class AdminRefundLineResponse {
  @WholeNumberField('The number of the line.', 1) line: number;
  @WholeNumberField('Units whose price it refunds; negative if it takes a refund back.', 1) refunded: number;
  @WholeNumberField('Units of them that were cancelled.', 0) cancelled: number;
  @WholeNumberField('Cancelled units that are not for sale again.', 0) written_off: number;
  @AmountField('The amount for these units.', 159) amount: number;
}

@ApiSchema({ name: 'AdminOrderRefund' })
class AdminOrderRefundResponse {
  @WholeNumberField('The number of the refund in its order; the first is 1.', 1) refund: number;
  @NameField('What it is for. `taken_back` takes an earlier refund back.', REFUND_KINDS, 'RefundKind')
  kind: RefundKind;

  @AmountField('The amount that went to the wallet; negative for `taken_back`.', 159) amount: number;
  @TextField('The reason, which the client can read.', 'Arrived damaged') reason: string;
  @TextOrNull('The return that it follows.', null) return_number: string | null;
  @WholeNumberOrNull('With `taken_back`: the number of the refund that it takes back.', null)
  takes_back: number | null;

  @TimeField('When it was made.', '2026-11-28T08:15:00.000Z') refunded_at: string;
  @By('made') by: string;
  @ApiProperty({
    description: 'The lines that it refunds. Empty for `delivery` and `amount`.',
    type: [AdminRefundLineResponse],
  })
  lines: AdminRefundLineResponse[];
}

@ApiSchema({ name: 'AdminTimelineEntry' })
class AdminTimelineEntryResponse {
  @NameField('The status.', ORDER_STATUSES, 'OrderStatus') status: OrderStatus;
  @TimeField('When the order got it.', '2026-11-20T09:30:00.000Z') changed_at: string;
  @TextField('The person or program that did it.', 'key 3 (ERP)') actor: string;
  @TextOrNull('The reason or a note.', null) note: string | null;
}

@ApiSchema({ name: 'AdminOrderChange' })
class AdminOrderChangeResponse {
  @TimeField('When it was changed.', '2026-11-21T09:30:00.000Z') changed_at: string;
  @TextField('The person or program that did it.', 'key 3 (ERP)') actor: string;
  @ApiProperty({
    description: 'The changed fields with their old values.',
    type: 'object',
    additionalProperties: true,
    example: { city: 'Bengaluru' },
  })
  before: object;

  @ApiProperty({
    description: 'The same fields with their new values.',
    type: 'object',
    additionalProperties: true,
    example: { city: 'Mysuru' },
  })
  after: object;

  @TextOrNull('The reason.', 'The customer moved') reason: string | null;
}

const VALUE = { type: 'string', nullable: true } as const;

@ApiSchema({ name: 'AdminOrder' })
export class AdminOrderResponse {
  @TextField('The number of the order.', 'WO-20261120-7K3M9-QXA2B') order_number: string;
  @WholeNumberField('The number of its client.', 3) client_id: number;
  @TextField('The name of its client.', 'Mango Market') client: string;
  @TextOrNull("The store's own id; null for an order that people entered.", 'WEB-1001')
  store_order_id: string | null;

  @TextOrNull('The domain of the token that sent it.', 'mango.example.com') domain: string | null;
  @NameField('Its status.', ORDER_STATUSES, 'OrderStatus') status: OrderStatus;
  @NameField('Its payment.', PAYMENT_STATUSES, 'PaymentStatus') payment_status: PaymentStatus;
  @TextField('The plan of the client when it was placed.', 'gold') plan: string;
  @TextField('The currency of its amounts.', 'INR') currency: string;
  @AmountOrNull(`The price of the goods. ${HIDDEN}`, 1_254) subtotal: number | null;
  @AmountOrNull(`The delivery charge. ${HIDDEN}`, 45) delivery: number | null;
  @AmountOrNull(`Goods and delivery together. ${HIDDEN}`, 1_299) total: number | null;
  @AmountOrNull(`The part that was refunded. ${HIDDEN}`, 0) refunded_amount: number | null;
  @NameField('Where it was placed.', ORDER_ORIGINS, 'OrderOrigin') origin: OrderOrigin;
  @TimeField('When it was placed.', '2026-11-20T09:30:00.000Z') placed_at: string;
  @ApiProperty({ description: 'Who receives the goods, as corrected.', type: RecipientResponse })
  customer: RecipientResponse;

  @ApiProperty({ description: 'Where the goods go, as corrected.', type: AddressResponse })
  shipping: AddressResponse;

  @TextOrNull('The special instructions, if any were sent.', 'Please call before delivery.')
  notes: string | null;

  @Metadata('order') metadata?: OrderMetadata;
  @WholeNumberOrNull('Its packing list.', 17) packing_list: number | null;
  @ApiProperty({ description: 'How and when it was paid.', type: AdminOrderPaymentResponse })
  payment: AdminOrderPaymentResponse;

  @ApiProperty({
    description: 'The newest parcel. Null until one has left.',
    type: TrackingResponse,
    nullable: true,
  })
  tracking: TrackingResponse | null;

  @TimeOrNull('When all of it had arrived.', null) delivered_at: string | null;
  @ApiProperty({
    description: 'What became of the goods that left; null while a parcel is on its way.',
    enum: GOODS_STATES,
    enumName: 'GoodsState',
    nullable: true,
  })
  goods_state: GoodsState | null;

  @TimeOrNull('When it was cancelled.', null) cancelled_at: string | null;
  @TextOrNull('Why it was cancelled.', null) cancel_reason: string | null;
  @ApiProperty({ description: 'Its lines.', type: [AdminOrderItemResponse] }) items: AdminOrderItemResponse[];
  @ApiProperty({ description: 'Its parcels, oldest first.', type: [AdminParcelResponse] })
  parcels: AdminParcelResponse[];

  @ApiProperty({
    description: 'The next parcel, if its invoice is issued already.',
    type: AdminPreparedParcelResponse,
    nullable: true,
  })
  prepared: AdminPreparedParcelResponse | null;

  @ApiProperty({ description: 'Goods that come back, oldest first.', type: [AdminOrderReturnResponse] })
  returns: AdminOrderReturnResponse[];

  @ApiProperty({ description: 'Its refunds, oldest first.', type: [AdminOrderRefundResponse] })
  refunds: AdminOrderRefundResponse[];

  @ApiProperty({ description: 'Each status it has had, oldest first.', type: [AdminTimelineEntryResponse] })
  timeline: AdminTimelineEntryResponse[];

  @ApiProperty({ description: 'Corrections, oldest first.', type: [AdminOrderChangeResponse] })
  changes: AdminOrderChangeResponse[];

  @WholeNumberField('Earlier corrections and returns that are not in this answer.', 0) unlisted: number;
  @WarningsField('Only after an action: what a person must know or do now.', [
    'Packing list 17 has the order: print its slip again.',
  ])
  warnings?: string[];
}

class RefundEffect {
  @ApiProperty({ description: 'What is refunded.', enum: REFUND_KINDS, example: 'amount' }) kind: RefundKind;
  @ApiProperty({ description: 'What goes to the wallet; less than 0 if it is taken back.', example: 100 })
  amount: number;

  @ApiProperty({ description: 'Why.', example: 'Arrived late' }) reason: string;
}

class FieldChange {
  @ApiProperty({ description: 'The old values, by field.', type: 'object', additionalProperties: VALUE })
  before: CorrectedFields;

  @ApiProperty({ description: 'The new values, by field.', type: 'object', additionalProperties: VALUE })
  after: CorrectedFields;
}

@ApiSchema({ name: 'OrderEffects' })
export class OrderEffectsResponse {
  @ApiProperty({ description: 'The number of the order.', example: 'WO-20261120-7K3M9-QXA2B' })
  order_number: string;

  @ApiProperty({ description: 'Its status then.', enum: ORDER_STATUSES, enumName: 'OrderStatus' })
  status: OrderStatus;

  @ApiProperty({ description: 'Its payment then.', enum: PAYMENT_STATUSES, enumName: 'PaymentStatus' })
  payment_status: PaymentStatus;

  @ApiProperty({ description: 'The units that move.', type: [LineUnitsDto] }) lines: LineUnitsDto[];
  @ApiProperty({ description: 'The units that are not for sale again.', type: [LineUnitsDto] })
  written_off: LineUnitsDto[];

  @ApiProperty({ description: 'The refunds.', type: [RefundEffect] }) refunds: RefundEffect[];
  @ApiProperty({ description: 'Corrected values, as the history keeps them.', type: [FieldChange] })
  changes: FieldChange[];

  @ApiProperty({ description: 'Whether tax documents are issued, if there is a seller.', example: true })
  issues_documents: boolean;
}
