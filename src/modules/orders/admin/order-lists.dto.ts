import { OptionalClient } from '../../clients/admin/client-param.js';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PageAfter, PageLimit, PageQuery } from '../../../platform/http/admin-route.js';
import {
  AmountField,
  NameField,
  TextField,
  TextOrNull,
  TimeField,
  TimeOrNull,
  WholeNumberField,
  WholeNumberOrNull,
} from '../../../platform/http/answer-fields.decorator.js';
import { amountFromNumeric } from '../../../platform/money/money.js';
import { OptionalText } from '../../../platform/validation/body-fields.decorator.js';
import {
  OptionalChoice,
  OptionalEnd,
  OptionalStart,
  readPeriodOf,
} from '../../../platform/validation/typed-fields.decorator.js';
import type { TimeZone } from '../../../platform/time/time.js';
import { ForExcel } from '../../../shared/imports/admin/export-route.js';
import { GOODS_STATES, type GoodsState } from '../rules/goods-state.js';
import { ORDER_ORIGINS, type OrderOrigin } from '../entities/order.entity.js';
import {
  ORDER_STATUSES,
  type OrderStatus,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '../rules/order-transitions.js';
import type { DeskFilter } from '../records/order-desk.repository.js';
import type { DeskOrderListItem } from '../records/order-desk.service.js';

/** The filters of orders that their sums have too. */
export class OrderFilterQuery {
  @OptionalClient('Only of this client') client?: string;
  @OptionalStart('Only orders placed from this time on.') from?: string;
  @OptionalEnd('Only orders placed before this time.') to?: string;
  @OptionalStart('Only orders paid from this time on.') paid_from?: string;
  @OptionalEnd('Only orders paid before this time.') paid_to?: string;
  @OptionalStart('Only orders shipped from this time on.') shipped_from?: string;
  @OptionalEnd('Only orders shipped before this time.') shipped_to?: string;
}

const InStatus = () =>
  OptionalChoice(ORDER_STATUSES, { description: 'Only orders in this status.', enumName: 'OrderStatus' });

export class OrderExportQuery extends OrderFilterQuery {
  @ForExcel() excel?: boolean;
  @InStatus() status?: OrderStatus;
}

export class OrdersQuery extends OrderFilterQuery {
  @PageAfter() after?: string;
  @PageLimit() limit?: number;
  @InStatus() status?: OrderStatus;

  @OptionalText({
    max: 100,
    description:
      "Only with this number, store's id, or part of a name, phone, e-mail, city or tracking number.",
    example: 'kumar bengaluru',
  })
  search?: string;
}

export class RefusedOrdersQuery extends PageQuery {
  @OptionalClient('Only of this client') client?: string;
  @OptionalStart('Only orders refused from this time on.') from?: string;
}

export function toOrderFilter(
  query: OrderFilterQuery,
  clientId: number | undefined,
  timeZone: TimeZone,
): DeskFilter {
  const paid = readPeriodOf({ from: query.paid_from, to: query.paid_to }, timeZone);
  const shipped = readPeriodOf({ from: query.shipped_from, to: query.shipped_to }, timeZone);
  return {
    clientId,
    ...readPeriodOf(query, timeZone),
    paidFrom: paid.from,
    paidTo: paid.to,
    shippedFrom: shipped.from,
    shippedTo: shipped.to,
  };
}

@ApiSchema({ name: 'AdminOrderRow' })
export class OrderRowResponse {
  @TextField('The number of the order.', 'WO-20261120-7K3M9-QXA2B') order_number: string;
  @WholeNumberField('The number of its client.', 3) client_id: number;
  @TextField('The name of its client.', 'Mango Market') client: string;
  @TextOrNull("The store's own id; null for an order that people entered.", 'WEB-1001')
  store_order_id: string | null;

  @TextOrNull('The domain of the token that sent it.', 'mango.example.com') domain: string | null;
  @NameField('Its status.', ORDER_STATUSES, 'OrderStatus') status: OrderStatus;
  @ApiProperty({
    description: 'What became of the goods that left; null while a parcel is on its way.',
    enum: GOODS_STATES,
    enumName: 'GoodsState',
    nullable: true,
  })
  goods_state: GoodsState | null;

  @NameField('Its payment.', PAYMENT_STATUSES, 'PaymentStatus') payment_status: PaymentStatus;
  @AmountField('Goods and delivery together.', 1_299) total: number;
  @AmountField('The part that was refunded.', 0) refunded_amount: number;
  @TextField('The currency of its amounts.', 'INR') currency: string;
  @WholeNumberField('The number of its lines.', 2) items_count: number;
  @NameField('Where it was placed.', ORDER_ORIGINS, 'OrderOrigin') origin: OrderOrigin;
  @TextField('Who receives the goods.', 'Ravi Kumar') customer_name: string;
  @TextField('Where the goods go.', 'Bengaluru') city: string;
  @TextOrNull('The number of its newest parcel.', 'DL123456789IN') tracking_number: string | null;
  @WholeNumberOrNull('Its packing list.', 17) packing_list: number | null;
  @TimeField('When it was placed.', '2026-11-20T09:30:00.000Z') placed_at: string;
  @TimeField('An unpaid order expires at this time.', '2026-11-23T09:30:00.000Z') payment_due_at: string;
  @TimeOrNull('When it was paid.', '2026-11-20T09:35:00.000Z') paid_at: string | null;
  @TimeOrNull('When its newest parcel left.', null) shipped_at: string | null;
  @TimeOrNull('When all of it had arrived.', null) delivered_at: string | null;
}

export const toOrderRow = (order: DeskOrderListItem) => ({
  order_number: order.orderNumber,
  client_id: order.clientId,
  client: order.client,
  store_order_id: order.storeOrderId,
  domain: order.domain,
  status: order.status,
  goods_state: order.goodsState,
  payment_status: order.paymentStatus,
  total: amountFromNumeric(order.total),
  refunded_amount: amountFromNumeric(order.refundedAmount),
  currency: order.currency,
  items_count: order.itemsCount,
  origin: order.origin,
  customer_name: order.customerName,
  city: order.shippingCity,
  tracking_number: order.trackingNumber,
  packing_list: order.packingList,
  placed_at: order.placedAt,
  payment_due_at: order.paymentDueAt,
  paid_at: order.paidAt,
  shipped_at: order.shippedAt,
  delivered_at: order.deliveredAt,
});

@ApiSchema({ name: 'RequestedItem' })
class RequestedItemResponse {
  @TextOrNull('The SKU, if it was readable.', 'TSHIRT-CLASSIC') sku: string | null;
  @WholeNumberOrNull('How many.', 2) quantity: number | null;
}

@ApiSchema({ name: 'RefusalReason' })
class RefusalReasonResponse {
  @TextField('The field of the order; empty for the whole.', 'items[0].quantity') field: string;
  @TextField('The code of the fault, as in the answer to the store.', 'insufficient_stock') code: string;
  @ApiProperty({
    description: 'Left out where it could repeat customer data.',
    required: false,
    example: 'is out of stock',
  })
  message?: string;

  @ApiProperty({ description: 'The SKU of the line.', required: false, example: 'TSHIRT-CLASSIC' })
  sku?: string;

  @ApiProperty({ description: 'How many were asked for.', required: false, type: 'integer', example: 2 })
  requested?: number;

  @ApiProperty({ description: 'How many are for sale.', required: false, type: 'integer', example: 0 })
  available?: number;
}

@ApiSchema({ name: 'RefusedOrder' })
export class RefusedOrderResponse {
  @TimeField('When it was refused.', '2026-11-20T09:30:00.000Z') refused_at: string;
  @WholeNumberField('The number of its client.', 3) client_id: number;
  @TextField('The name of its client.', 'Mango Market') client: string;
  @TextOrNull("The store's own id.", 'WEB-1001') store_order_id: string | null;
  @TextField('The code of the error; `not_kept` for further ones of an hour.', 'validation_failed')
  code: string;

  @ApiProperty({ description: 'Its lines.', type: [RequestedItemResponse] }) asked: RequestedItemResponse[];
  @ApiProperty({ description: 'All faults.', type: [RefusalReasonResponse] })
  reasons: RefusalReasonResponse[];
}
