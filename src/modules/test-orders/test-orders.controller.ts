import { Body, Controller, Param } from '@nestjs/common';
import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import '../orders/order-error-facts.js';
import { OrderStatusResponse } from '../orders/order.responses.js';
import { ORDER_NUMBER } from '../orders/store-orders.controller.js';
import { CurrentCaller } from '../../platform/access/access.decorators.js';
import { StoreRoute } from '../../platform/http/store-route.js';
import { Fault, Required } from '../../platform/validation/fault-decorator.js';
import { type IgnoredField, IgnoredFields } from '../../platform/validation/ignored-fields.js';
import { RequestPipe } from '../../platform/validation/valid.decorator.js';
import type { Caller } from '../../read-model/callers/caller.js';
import { type NextStep, STEPS } from './advance-order.js';
import { TEST_ORDER_RETENTION_DAYS, MAX_TEST_ORDERS } from './test-orders.repository.js';
import { TestOrdersService } from './test-orders.service.js';

@ApiSchema({ name: 'AdvanceTestOrder' })
export class AdvanceRequest {
  @Fault('unknown_value', `must be one of ${STEPS.join(', ')}`, (step) => STEPS.includes(step as NextStep))
  @Required()
  @ApiProperty({
    description: 'What happens to the order. A return has all units of the order.',
    enum: STEPS,
    enumName: 'TestOrderStep',
    example: 'paid',
  })
  step: NextStep;
}

@ApiTags('Test orders')
@Controller('api/test/orders')
export class TestOrdersController {
  constructor(private readonly orders: TestOrdersService) {}

  @StoreRoute({
    method: 'POST',
    path: ':order_number/advance',
    tokens: ['test'],
    operationId: 'advanceTestOrder',
    summary: 'Move a test order on',
    description:
      'For test tokens: plays the part of the wholesaler, the courier and time, so that you can try your ' +
      'whole flow. With a test token all routes of orders answer as they do for real ones, but nothing is ' +
      `held, owed or sent. The newest ${MAX_TEST_ORDERS} test orders are kept for ` +
      `${TEST_ORDER_RETENTION_DAYS} days.`,
    parameter: ORDER_NUMBER,
    body: { type: AdvanceRequest },
    slot: 'held',
    answer: { type: OrderStatusResponse },
    errors: ['order_not_found', 'illegal_transition', 'malformed_path'],
  })
  advance(
    @CurrentCaller() caller: Caller,
    @Param('order_number') number: string,
    @Body(new RequestPipe()) { step }: AdvanceRequest,
    // A refusal lists them.
    @IgnoredFields(AdvanceRequest) _: IgnoredField[],
  ): Promise<OrderStatusResponse> {
    return this.orders.advance(caller, number, step);
  }
}
