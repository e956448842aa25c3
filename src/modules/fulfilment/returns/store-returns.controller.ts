import { Body, Controller, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { REPLAYED_HEADER_NAME, REPLAYED_HEADER } from '../../orders/placing/idempotency-key.js';
import { LOCATION_HEADER, locate } from '../../orders/placing/placing.responses.js';
import { ORDER_NUMBER } from '../../orders/store-orders.controller.js';
import { CurrentCaller } from '../../../platform/access/access.decorators.js';
import { StoreRoute } from '../../../platform/http/store-route.js';
import {
  type IgnoredField,
  IgnoredFields,
  withIgnoredFields,
} from '../../../platform/validation/ignored-fields.js';
import { RequestPipe } from '../../../platform/validation/valid.decorator.js';
import type { Visitor } from '../../../read-model/callers/caller.js';
import { RETURN_EXAMPLE, ReturnRequestedResponse, StoreReturnRequest } from './store-return.dto.js';
import { StoreReturnsService } from './store-returns.service.js';

@ApiTags('Orders')
@Controller('api/orders')
export class StoreReturnsController {
  constructor(private readonly returns: StoreReturnsService) {}

  @StoreRoute({
    method: 'POST',
    path: ':order_number/returns',
    subscription: 'not required',
    tokens: ['full', 'test'],
    operationId: 'requestReturn',
    summary: 'Ask for a return',
    description:
      'Tells the wholesaler that units of an order come back. They must have left, and be in no other ' +
      'return. If the answer is lost, repeat the request with the same `store_return_id`. The status of ' +
      'the order lists the return, and says for each line what was received and refunded, or why it was ' +
      'refused. A wholesaler may take returns in the dashboard only. Works without an active subscription.',
    parameter: ORDER_NUMBER,
    body: { type: StoreReturnRequest, examples: RETURN_EXAMPLE },
    slot: 'held',
    answer: {
      status: 201,
      type: ReturnRequestedResponse,
      description: 'The wholesaler expects the units.',
      headers: { ...LOCATION_HEADER, ...REPLAYED_HEADER },
    },
    errors: [
      'returns_in_dashboard',
      'order_not_found',
      'malformed_path',
      'not_returnable',
      'duplicate_return',
    ],
  })
  async request(
    @CurrentCaller() caller: Visitor,
    @Param('order_number') number: string,
    @Body(RequestPipe) request: StoreReturnRequest,
    @IgnoredFields(StoreReturnRequest) ignored: IgnoredField[],
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReturnRequestedResponse> {
    const { answer, isReplay } = await this.returns.request(caller, number, request);
    if (isReplay) response.setHeader(REPLAYED_HEADER_NAME, 'true');
    return withIgnoredFields(locate(response, answer), ignored);
  }
}
