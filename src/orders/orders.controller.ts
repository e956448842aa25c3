import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Authenticated, CurrentCaller } from '../platform/access/access.decorators.js';
import type { Caller } from '../read-model/access/caller.js';
import { ApiErrors, ApiConditional } from '../platform/http/api-errors.decorator.js';
import type { Representation } from '../platform/http/representation.js';
import { TakesJson } from '../platform/http/json-body.js';
import { type IgnoredField, IgnoredFields, tellIgnored } from '../platform/validation/ignored-fields.js';
import { Charged, forLines, forNamed, forOrder } from '../platform/rate-limit/prices.js';
import { LeavesPlace, TakesNoPlace, TakesPlace } from '../platform/rate-limit/takes-place.decorator.js';
import { ValidQuery } from '../platform/validation/valid.decorator.js';
import { CreateOrderRequest } from './placing/create-order.request.js';
import { LOCATION_HEADER, locate, OrderCreatedResponse } from './placing/order-created.response.js';
import { OrderBodyPipe } from './placing/order-body.pipe.js';
import { OrderPolling } from './store/order-polling.service.js';
import { ORDER_EXAMPLE } from './placing/order-example.js';
import { OrderQuoteResponse } from './placing/order-quote.response.js';
import { OrderQuotes } from './placing/order-quotes.js';
import { OrdersService } from './orders.service.js';
import { OrderListQuery, OrderStatusesQuery } from './store/order.queries.js';
import { OrderListResponse, OrderStatusesResponse, OrderStatusResponse } from './store/order.responses.js';
import { advisePolling, POLL_INTERVAL_HEADER } from './store/poll-interval.js';
import { QuoteOrderRequest } from './placing/quote-order.request.js';

const OrderNumberParam = () =>
  ApiParam({
    name: 'order_number',
    description:
      'Our order number or your own `store_order_id`, percent-encoded. An id of `.` or `..` most clients resolve away: use our order number, or ask `GET /api/orders/status?orders=`.',
    // No example: the docs page would fill it in, and nobody has an order that is called like it.
  });

@ApiTags('Orders')
@TakesPlace()
@Controller('api/orders')
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly quotes: OrderQuotes,
    private readonly polling: OrderPolling,
  ) {}

  @Post()
  @Authenticated()
  @LeavesPlace()
  @Charged(forOrder)
  @TakesJson()
  @ApiOperation({
    operationId: 'createOrder',
    summary: 'Create an order',
    description:
      'Holds the stock of all lines, or of none. Prices come from your plan. Repeat a request whose answer got lost with the same `store_order_id`: you get 201 or, if it was created already, 409 with the order. Fields that are not described here are ignored, and named in `ignored_fields`.',
  })
  @ApiBody({ type: CreateOrderRequest, examples: ORDER_EXAMPLE })
  @ApiCreatedResponse({
    type: OrderCreatedResponse,
    description: 'The order awaits payment.',
    headers: LOCATION_HEADER,
  })
  @ApiErrors('duplicate_order', 'price_changed', 'unpaid_limit_reached')
  async create(
    @CurrentCaller() caller: Caller,
    @Body(OrderBodyPipe) request: CreateOrderRequest,
    @IgnoredFields(CreateOrderRequest) ignored: IgnoredField[],
    @Res({ passthrough: true }) response: Response,
  ): Promise<OrderCreatedResponse> {
    return tellIgnored(locate(response, await this.orders.create(caller, request)), ignored);
  }

  @Post('quote')
  @HttpCode(200)
  @Authenticated()
  @Charged(forLines)
  @TakesJson()
  @ApiOperation({
    operationId: 'quoteOrder',
    summary: 'Ask what an order would cost',
    description:
      'Takes the body of an order and says what creating it right now would say: prices, delivery, and for each line whether there is enough. Nothing is created and nothing is held. A `store_order_id` that is taken is 409, and what cannot be priced, an unknown SKU say, is 422, as it would be there; what can be priced but not ordered is told in `errors`.',
  })
  @ApiBody({ type: QuoteOrderRequest, examples: ORDER_EXAMPLE })
  @ApiOkResponse({ type: OrderQuoteResponse })
  @ApiErrors('duplicate_order')
  async quote(
    @CurrentCaller() caller: Caller,
    @Body(OrderBodyPipe) request: QuoteOrderRequest,
    @IgnoredFields(QuoteOrderRequest) ignored: IgnoredField[],
  ): Promise<OrderQuoteResponse> {
    return tellIgnored(await this.quotes.quote(caller, request), ignored);
  }

  @Get()
  @Authenticated()
  @ApiOperation({
    operationId: 'listOrders',
    summary: 'List your orders',
    description:
      'Newest first, page by page. Keep the `sync_token` of the first page and pass it as `since` the next time: you get only the orders whose status changed, so that any number of open orders is one poll.',
  })
  @ApiConditional(OrderListResponse, POLL_INTERVAL_HEADER)
  @ApiErrors('validation_failed', 'sync_token_expired')
  async list(
    @CurrentCaller() caller: Caller,
    @ValidQuery() query: OrderListQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Representation> {
    return advisePolling(response, await this.polling.list(caller, query));
  }

  @Get('status')
  @Authenticated()
  @Charged(forNamed('orders'))
  @ApiOperation({
    operationId: 'getOrderStatuses',
    summary: 'Read the status of many orders',
    description: 'The status form of up to 100 orders in one request.',
  })
  @ApiConditional(OrderStatusesResponse, POLL_INTERVAL_HEADER)
  @ApiErrors('validation_failed')
  async statuses(
    @CurrentCaller() caller: Caller,
    @ValidQuery() query: OrderStatusesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Representation> {
    return advisePolling(response, await this.polling.statuses(caller, query.orders));
  }

  @Get(':order_number/status')
  @Authenticated()
  @TakesNoPlace()
  @ApiOperation({
    operationId: 'getOrderStatus',
    summary: 'Read the status of an order',
    description: 'With tracking and timeline.',
  })
  @OrderNumberParam()
  @ApiConditional(OrderStatusResponse, POLL_INTERVAL_HEADER)
  @ApiErrors('order_not_found', 'malformed_path')
  async status(
    @CurrentCaller() caller: Caller,
    @Param('order_number') number: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Representation> {
    return advisePolling(response, await this.polling.status(caller, number));
  }

  @Post(':order_number/cancel')
  @HttpCode(200)
  @Authenticated()
  @ApiOperation({
    operationId: 'cancelOrder',
    summary: 'Cancel an unpaid order',
    description:
      'Gives its stock back at once. Takes no body. Cancelling a cancelled order again changes nothing; one that was paid is cancelled by the wholesaler only.',
  })
  @OrderNumberParam()
  @ApiOkResponse({ type: OrderStatusResponse })
  @ApiErrors('order_not_found', 'not_cancellable', 'malformed_path')
  cancel(
    @CurrentCaller() caller: Caller,
    @Param('order_number') number: string,
  ): Promise<OrderStatusResponse> {
    return this.orders.cancel(caller, number);
  }
}
