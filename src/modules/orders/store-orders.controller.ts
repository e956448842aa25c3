import type { ServerResponse } from 'node:http';
import { Body, Controller, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentCaller } from '../../platform/access/access.decorators.js';
import { TOKEN_KINDS } from '../../platform/access/token-kind.js';
import { rowBoundOf } from '../../platform/database/row-bound.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { TimedResponse } from '../../platform/http/app-messages.js';
import type { Representation } from '../../platform/http/representation.js';
import { StoreRoute } from '../../platform/http/store-route.js';
import {
  type IgnoredField,
  IgnoredFields,
  withIgnoredFields,
} from '../../platform/validation/ignored-fields.js';
import { ValidQuery } from '../../platform/validation/valid.decorator.js';
import type { Caller, Visitor } from '../../read-model/callers/caller.js';
import { OrderCorrection } from './entities/order.entity.js';
import './order-error-facts.js';
import { OrderListQuery, OrderStatusesQuery } from './order.queries.js';
import {
  OrderDetailsResponse,
  OrderDocumentsResponse,
  OrderListResponse,
  OrderStatusesResponse,
  OrderStatusResponse,
} from './order.responses.js';
import { OrdersService } from './orders.service.js';
import {
  ChangeDeliveryRequest,
  CreateOrderRequest,
  DELIVERY_EXAMPLE,
  ORDER_EXAMPLE,
  QuoteOrderRequest,
} from './placing/create-order.request.js';
import { IDEMPOTENCY_KEY, REPLAYED_HEADER_NAME, REPLAYED_HEADER } from './placing/idempotency-key.js';
import { OrderBodyPipe } from './placing/order-body.pipe.js';
import {
  LOCATION_HEADER,
  locate,
  OrderCreatedResponse,
  OrderDeliveryResponse,
  OrderQuoteResponse,
} from './placing/placing.responses.js';
import { type PollResponse, type StoreOrders, TestOrders } from './store-orders.js';

const POLL_INTERVAL_HEADER_NAME = 'X-Poll-Interval';

const POLL_INTERVAL_HEADER = {
  [POLL_INTERVAL_HEADER_NAME]: {
    description: 'Seconds until the next poll makes sense; longer when nothing can change any more.',
    schema: { type: 'integer', minimum: 1 } as const,
  },
};

/** The docs page fills in the examples: they are orders of the demo. */
export const ORDER_NUMBER = {
  name: 'order_number',
  example: 'DEMO-0990',
  description:
    'Our order number or your own `store_order_id`, percent-encoded. An id is looked up among the orders ' +
    'of your domain, our number among all of yours. Most clients resolve an id of `.` or `../..`: use our ' +
    'order number, or `GET /api/orders/status?orders=`.',
};

@ApiTags('Orders')
@Controller('api/orders')
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly tests: TestOrders,
  ) {}

  /** The only code that chooses between test orders and real ones. */
  private ordersFor({ token }: Visitor): StoreOrders {
    return token.kind === 'test' ? this.tests : this.orders;
  }

  @StoreRoute({
    method: 'POST',
    tokens: ['full', 'test'],
    operationId: 'createOrder',
    summary: 'Create an order',
    description:
      'Holds the stock of all lines, or of none. Prices come from your plan. If the answer is lost, ' +
      'repeat the request with the same `store_order_id`: you get 201, or 409 with the order if it ' +
      'exists. An order that was cancelled or has expired stays so, also if `same_content` is true: read ' +
      '`status`, and order again with a new `store_order_id`. Unknown fields are ignored and listed in ' +
      '`ignored_fields`.',
    body: { type: CreateOrderRequest, examples: ORDER_EXAMPLE },
    share: 'ordering',
    slot: 'until the body is read',
    answer: {
      status: 201,
      type: OrderCreatedResponse,
      description: 'The order awaits payment.',
      headers: { ...LOCATION_HEADER, ...REPLAYED_HEADER },
    },
    headers: [IDEMPOTENCY_KEY],
    errors: ['duplicate_order', 'price_changed', 'idempotency_key_reused', 'unpaid_limit_reached'],
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body(OrderBodyPipe) request: CreateOrderRequest,
    @IgnoredFields(CreateOrderRequest) ignored: IgnoredField[],
    @Req() sent: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OrderCreatedResponse> {
    const { answer, isReplay } = await this.ordersFor(caller).create(caller, request, sent);
    if (isReplay) response.setHeader(REPLAYED_HEADER_NAME, 'true');
    return withIgnoredFields(locate(response, answer), ignored);
  }

  @StoreRoute({
    method: 'POST',
    path: 'quote',
    tokens: TOKEN_KINDS,
    operationId: 'quoteOrder',
    summary: 'Ask what an order would cost',
    description:
      'Takes the body of an order and returns what creating it now would return: prices, delivery and the ' +
      'stock of each line. Creates and holds nothing. A taken `store_order_id` is 409. An order without a ' +
      'price, for example with an unknown SKU, is 422. `errors` lists why an order with a price cannot be ' +
      'placed.',
    body: { type: QuoteOrderRequest, examples: ORDER_EXAMPLE },
    share: 'ordering',
    slot: 'held',
    answer: { type: OrderQuoteResponse },
    errors: ['duplicate_order'],
  })
  async quote(
    @CurrentCaller() caller: Caller,
    @Body(OrderBodyPipe) request: QuoteOrderRequest,
    @IgnoredFields(QuoteOrderRequest) ignored: IgnoredField[],
    @Req() { testFailure }: ApiRequest,
  ): Promise<OrderQuoteResponse> {
    return withIgnoredFields(await this.ordersFor(caller).quote(caller, request, testFailure), ignored);
  }

  @StoreRoute({
    method: 'GET',
    tokens: TOKEN_KINDS,
    operationId: 'listOrders',
    summary: 'List your orders',
    description:
      "The orders of your token's domain, and those that people entered. Newest first, page by page. Keep " +
      'the `sync_token` of the first page and pass it as `since` the next time: you get only the orders ' +
      'whose status form changed: new orders, status, payment, parcels and their delivery, tracking, ' +
      'cancelled lines, refunds and returns. So one poll covers any number of open orders. A corrected ' +
      'address, a document and an e-way bill bring their order too.',
    slot: 'held',
    answer: { type: OrderListResponse, headers: POLL_INTERVAL_HEADER, isConditional: true },
    errors: ['sync_token_expired'],
  })
  async list(
    @CurrentCaller() caller: Caller,
    @ValidQuery({
      orders: '"orders" of GET /api/orders/status, or GET /api/orders/{order_number}',
    })
    query: OrderListQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Representation> {
    return advisePolling(response, await this.ordersFor(caller).list(caller, query));
  }

  @StoreRoute({
    method: 'GET',
    path: 'status',
    tokens: TOKEN_KINDS,
    operationId: 'getOrderStatuses',
    summary: 'Read the status of many orders',
    description: 'The status form of up to 100 orders in one request.',
    slot: 'held',
    answer: { type: OrderStatusesResponse, headers: POLL_INTERVAL_HEADER, isConditional: true },
  })
  async statuses(
    @CurrentCaller() caller: Caller,
    @ValidQuery() query: OrderStatusesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Representation> {
    return advisePolling(response, await this.ordersFor(caller).statuses(caller, query.orders));
  }

  @StoreRoute({
    method: 'GET',
    path: ':order_number',
    subscription: 'not required',
    tokens: ['full', 'test'],
    operationId: 'getOrder',
    summary: 'Read a whole order',
    description:
      'The status form with recipient, address, notes, subtotal, delivery, refunds and documents. Read it ' +
      'when the list of changes names the order, for example after a corrected address. Read-only tokens ' +
      'do not see recipients. Without an active subscription you read only orders that were paid. Ids of ' +
      '`status` and `quote` need our order number here.',
    parameter: ORDER_NUMBER,
    slot: 'held',
    answer: { type: OrderDetailsResponse, isConditional: true },
    errors: ['subscription_inactive', 'order_not_found', 'malformed_path'],
  })
  details(@CurrentCaller() caller: Visitor, @Param('order_number') number: string): Promise<Representation> {
    return this.ordersFor(caller).details(caller, number);
  }

  @StoreRoute({
    method: 'GET',
    path: ':order_number/status',
    tokens: TOKEN_KINDS,
    operationId: 'getOrderStatus',
    summary: 'Read the status of an order',
    description: 'With tracking and timeline.',
    parameter: ORDER_NUMBER,
    slot: 'held',
    answer: { type: OrderStatusResponse, headers: POLL_INTERVAL_HEADER, isConditional: true },
    errors: ['order_not_found', 'malformed_path'],
  })
  async status(
    @CurrentCaller() caller: Caller,
    @Param('order_number') number: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Representation> {
    return advisePolling(response, await this.ordersFor(caller).status(caller, number));
  }

  @StoreRoute({
    method: 'GET',
    path: ':order_number/documents',
    subscription: 'not required',
    tokens: TOKEN_KINDS,
    operationId: 'listOrderDocuments',
    summary: 'List the invoices of an order',
    description:
      'Oldest first: an invoice for each parcel that left, a credit note for each refund of invoiced ' +
      'goods, and a debit note if such a refund is taken back. Each has its PDF under `url`, which takes ' +
      'the same credentials. The list is empty if the wholesaler issues no invoices here. Works without ' +
      'an active subscription.',
    parameter: ORDER_NUMBER,
    slot: 'held',
    answer: { type: OrderDocumentsResponse, isConditional: true },
    errors: ['order_not_found', 'malformed_path'],
  })
  documents(
    @CurrentCaller() caller: Visitor,
    @Param('order_number') number: string,
  ): Promise<Representation> {
    return this.ordersFor(caller).documents(caller, number);
  }

  @StoreRoute({
    method: 'POST',
    path: ':order_number/cancel',
    tokens: ['full', 'test'],
    operationId: 'cancelOrder',
    summary: 'Cancel a whole unpaid order',
    description:
      'Releases its stock at once. Takes no body: single lines cannot be cancelled. Cancelling a cancelled ' +
      'order again changes nothing. Only the wholesaler can cancel a paid order.',
    parameter: { ...ORDER_NUMBER, example: 'DEMO-0998' },
    slot: 'held',
    answer: { type: OrderStatusResponse },
    errors: ['order_not_found', 'not_cancellable', 'malformed_path'],
  })
  cancel(
    @CurrentCaller() caller: Caller,
    @Param('order_number') number: string,
  ): Promise<OrderStatusResponse> {
    return this.ordersFor(caller).cancel(caller, number);
  }

  @StoreRoute({
    method: 'PUT',
    path: ':order_number/delivery',
    tokens: ['full', 'test'],
    operationId: 'changeDelivery',
    summary: 'Change recipient and address',
    description:
      'Replaces the whole delivery until the order is packed. Send all fields, as for a new order; they ' +
      'are checked in the same way. The e-mail address of the customer stays. A repeat changes nothing. ' +
      `The history of the order keeps the old values, of ${rowBoundOf(OrderCorrection).max / 2} changes at ` +
      'most.',
    parameter: { ...ORDER_NUMBER, example: 'DEMO-0996' },
    body: { type: ChangeDeliveryRequest, examples: DELIVERY_EXAMPLE },
    slot: 'held',
    answer: { type: OrderDeliveryResponse, description: 'The delivery as it is now.' },
    errors: ['order_not_found', 'not_changeable', 'malformed_path'],
  })
  async redirect(
    @CurrentCaller() caller: Caller,
    @Param('order_number') number: string,
    @Body(OrderBodyPipe) delivery: ChangeDeliveryRequest,
    @IgnoredFields(ChangeDeliveryRequest) ignored: IgnoredField[],
  ): Promise<OrderDeliveryResponse> {
    return withIgnoredFields(await this.ordersFor(caller).redirect(caller, number, delivery), ignored);
  }
}

/** Sets the header of the interval and returns the answer. */
function advisePolling(response: Response, { answer, seconds }: PollResponse): Representation {
  (response as ServerResponse as TimedResponse).lines.push(POLL_INTERVAL_HEADER_NAME, seconds);
  return answer;
}
