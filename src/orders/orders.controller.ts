import { Body, Controller, Get, Param, Post, UseInterceptors } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../auth/authenticated.decorator.js';
import type { Caller } from '../auth/caller.js';
import { CurrentCaller } from '../auth/current-caller.js';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { TakesJson } from '../http/takes-json.decorator.js';
import { CreateOrderRequest } from './create-order.request.js';
import { OrderCreatedResponse } from './order-created.response.js';
import { OrderStatusResponse } from './order-status.response.js';
import { OrdersService } from './orders.service.js';
import { RecordRefusals } from './record-refusals.interceptor.js';

@ApiTags('Orders')
@Controller('api/orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Post()
  @Authenticated()
  @UseInterceptors(RecordRefusals)
  @TakesJson()
  @ApiOperation({
    operationId: 'createOrder',
    summary: 'Create an order',
    description:
      'Holds the stock of all lines, or of none. Prices come from your plan. Repeat a request whose answer got lost with the same `store_order_id`: you get 201 or, if it was created already, 409 with the order.',
  })
  @ApiCreatedResponse({ type: OrderCreatedResponse, description: 'The order awaits payment.' })
  @ApiErrors('duplicate_order')
  create(
    @CurrentCaller() caller: Caller,
    @Body() request: CreateOrderRequest,
  ): Promise<OrderCreatedResponse> {
    return this.orders.create(caller, request);
  }

  @Get(':order_number/status')
  @Authenticated()
  @ApiOperation({
    operationId: 'getOrderStatus',
    summary: 'Read the status of an order',
    description: 'With tracking and timeline.',
  })
  @ApiParam({
    name: 'order_number',
    description: 'Our order number or your own `store_order_id`, percent-encoded.',
    example: 'WEB-1001',
  })
  @ApiOkResponse({ type: OrderStatusResponse })
  @ApiErrors('order_not_found', 'malformed_path')
  status(
    @CurrentCaller() caller: Caller,
    @Param('order_number') number: string,
  ): Promise<OrderStatusResponse> {
    return this.orders.status(caller, number);
  }
}
