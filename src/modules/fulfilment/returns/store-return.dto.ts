import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { OrderAnswer, ReturnResponse } from '../../orders/order.responses.js';
import { ORDER_LIMITS } from '../../orders/placing/create-order.request.js';
import { MAX_NOTE_LENGTH, MAX_REASON_LENGTH } from '../../orders/rules/return-request.js';
import {
  NestedList,
  OptionalText,
  RequiredText,
  RequiredWholeNumber,
} from '../../../platform/validation/body-fields.decorator.js';
import { IgnoredField } from '../../../platform/validation/ignored-fields.js';

@ApiSchema({ name: 'ReturnLine' })
export class ReturnLineRequest {
  @RequiredWholeNumber({
    min: 1,
    max: ORDER_LIMITS.items,
    description: 'The number of the line, as in `items` of the status.',
    example: 1,
  })
  line: number;

  @RequiredWholeNumber({
    min: 1,
    max: ORDER_LIMITS.quantity,
    description: 'How many units come back.',
    example: 1,
  })
  quantity: number;
}

@ApiSchema({ name: 'RequestReturn' })
export class StoreReturnRequest {
  @RequiredText({
    max: ORDER_LIMITS.storeOrderId,
    description:
      "The store's own id of the return. It names one return of the order for ever: a repeat with the " +
      'same content gets the existing return, with other content 409 `duplicate_return`.',
    example: 'RET-1001',
    isId: true,
  })
  store_return_id: string;

  @NestedList(() => ReturnLineRequest, {
    min: 1,
    max: ORDER_LIMITS.items,
    description: 'The units that come back, each line once.',
  })
  lines: ReturnLineRequest[];

  @RequiredText({ max: MAX_REASON_LENGTH, description: 'Why they come back.', example: 'Arrived damaged' })
  reason: string;

  @OptionalText({
    max: MAX_NOTE_LENGTH,
    lines: true,
    description: 'More details for the wholesaler.',
    example: 'The handle is broken.',
  })
  note?: string;
}

/** The docs send it as it stands. */
export const RETURN_EXAMPLE = {
  return: {
    summary: 'One unit of the first line',
    value: { store_return_id: 'RET-1001', lines: [{ line: 1, quantity: 1 }], reason: 'Arrived damaged' },
  },
};

@ApiSchema({ name: 'ReturnRequested' })
export class ReturnRequestedResponse extends OrderAnswer {
  @ApiProperty({ description: 'The number of the order.', example: 'WO-20261120-7K3M9-QXA2B' })
  order_number: string;

  @ApiProperty({ description: 'The return as it is now.', type: ReturnResponse })
  data: ReturnResponse;

  @ApiPropertyOptional({
    description: 'Ignored fields of the body. Only if there are any; the first 20.',
    type: [IgnoredField],
  })
  ignored_fields?: IgnoredField[];
}
