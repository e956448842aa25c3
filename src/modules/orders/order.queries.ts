import { ApiPropertyOptional } from '@nestjs/swagger';
import { Since } from '../../read-model/synced-lists/sync-token.js';
import { Fault, Optional, Required } from '../../platform/validation/fault-decorator.js';
import { parseInstant } from '../../platform/time/time.js';
import {
  ListParameter,
  OptionalNumberParameter,
} from '../../platform/validation/query-parameters.decorator.js';
import type { SentList } from '../../platform/validation/read-query.js';
import { OptionalText } from '../../platform/validation/body-fields.decorator.js';
import { readOrderCursor } from './records/order-cursor.js';
import { ORDER_LIMITS } from './placing/create-order.request.js';
import {
  ORDER_STATUSES,
  type OrderStatus,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from './rules/order-transitions.js';

const TIME_FAULT =
  'must be an ISO 8601 date or time, such as 2026-01-31 or 2026-01-31T18:00:00Z; in a URL, write + as %2B';

/** Dates of the API are UTC. */
function readInstant(text: string): Date | null {
  return parseInstant(text, 'UTC');
}

export class OrderListQuery {
  @Optional()
  @Fault('unknown_value', `must be one of ${ORDER_STATUSES.join(', ')}`, isOneOf(ORDER_STATUSES))
  @ApiPropertyOptional({
    description: 'Only orders in this status.',
    enum: ORDER_STATUSES,
    enumName: 'OrderStatus',
  })
  status?: OrderStatus;

  @Optional()
  @Fault('unknown_value', `must be one of ${PAYMENT_STATUSES.join(', ')}`, isOneOf(PAYMENT_STATUSES))
  @ApiPropertyOptional({
    description: 'Only orders whose payment is in this status.',
    enum: PAYMENT_STATUSES,
    enumName: 'PaymentStatus',
  })
  payment_status?: PaymentStatus;

  @OptionalText({
    max: ORDER_LIMITS.storeOrderId,
    description: 'Only the order with this id of yours.',
    example: 'WEB-1001',
    isId: true,
  })
  store_order_id?: string;

  @Optional()
  @Fault('malformed', TIME_FAULT, isText(readInstant))
  @ApiPropertyOptional({
    description: 'Only orders placed at this time or later; a bare date begins at midnight UTC.',
    type: String,
    example: '2026-11-01',
  })
  created_from?: string;

  @Optional()
  @Fault('malformed', TIME_FAULT, isText(readInstant))
  @ApiPropertyOptional({
    description: 'Only orders placed before this time; a bare date includes that day (UTC).',
    type: String,
    example: '2026-11-30',
  })
  created_to?: string;

  @OptionalNumberParameter({
    min: 1,
    max: 100,
    description: 'The maximum number of orders on a page; 50 by default.',
    example: 50,
  })
  limit?: number;

  @Optional()
  @Fault('malformed', 'is not a cursor; send the "next_cursor" of the previous page', isText(readOrderCursor))
  @ApiPropertyOptional({
    description: 'The `next_cursor` of the previous page.',
    type: String,
    example: 'AAAABwAGYLHjS5YBV08tMjAyNjExMjAtN0szTTktUVhBMkIoan3b',
  })
  cursor?: string;

  @Since('status', 'payment_status', 'store_order_id', 'created_from', 'created_to', 'limit', 'cursor')
  since?: string;
}

export class OrderStatusesQuery {
  @ListParameter({
    of: 'order numbers',
    max: 100,
    description: 'Our order numbers or your own ids.',
    example: ['WO-20261120-7K3M9-QXA2B', 'WEB-1001'],
    required: true,
  })
  @Required()
  orders: SentList;
}

function isOneOf(values: readonly string[]) {
  return (value: unknown) => values.some((allowed) => allowed === value);
}

/** A parameter that is given twice is an array, and refused. */
function isText(read: (text: string) => unknown) {
  return (value: unknown) => typeof value === 'string' && (read(value) ?? undefined) !== undefined;
}
