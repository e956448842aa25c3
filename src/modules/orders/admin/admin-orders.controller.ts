import {
  applyDecorators,
  Controller,
  createParamDecorator,
  Inject,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { RequestKey } from '../../../platform/access/admin-key.js';
import { keyMay } from '../../../platform/access/key-permissions.js';
import { roleToOpen, roleWith } from '../../../platform/access/desk-permissions.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  pageOf,
} from '../../../platform/http/admin-route.js';
import { readPagePosition } from '../../../platform/http/page-cursor.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { DomainError, validationFailed } from '../../../platform/errors/domain-error.js';
import { amountFromMinor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import type { TimeZone } from '../../../platform/time/time.js';
import { readPeriodOf, readStart } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import type { OrderAction, OrderChanges, OrderEffects } from '../actions/order-action.js';
import * as actions from '../actions/order-actions.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import {
  readRefusedCursor,
  writeRefusedCursor,
} from '../../request-log/kept-requests/request-history.repository.js';
import { cursorOf, readOrderCursor, writeOrderCursor } from '../records/order-cursor.js';
import { sortOfFilter } from '../records/order-filter.js';
import { OrderDeskService } from '../records/order-desk.service.js';
import type { OrderOutput } from '../records/order-for-file.js';
import { OrderWarningsService } from '../records/order-warnings.service.js';
import type { ReviewedOrder } from '../records/refuse-if-changed.js';
import { AdminOrderResponse, OrderEffectsResponse } from './admin-order.response.js';
import {
  OrderRowResponse,
  OrdersQuery,
  RefusedOrderResponse,
  RefusedOrdersQuery,
  toOrderFilter,
  toOrderRow,
} from './order-lists.dto.js';
import {
  CancelOrderRequest,
  ChangeAddressRequest,
  CorrectShipmentRequest,
  DeliverOrderRequest,
  InvoiceFirstRequest,
  OrderActionQuery,
  OrderQuery,
  paymentFaults,
  PayOrderRequest,
  RefundOrderRequest,
  ShipOrderRequest,
  TakeBackRequest,
  UndoParcelRequest,
  UnpayOrderRequest,
} from './order-actions.dto.js';

const NUMBER = {
  name: 'order_number',
  description: "The order number, also as pages shorten it, or the store's own id.",
  example: 'WO-20261120-7K3M9-QXA2B',
};

const UNCLEAR_ORDER = ['order_not_found', 'order_ambiguous', 'client_not_found', 'client_ambiguous'] as const;

/** An action on an order. Its file says who may do it and what it does. */
const Act = (
  { name, sentence, role }: Pick<OrderAction<never, OrderChanges>, 'name' | 'sentence' | 'role'>,
  operationId: string,
  body: new () => object,
  more: { isOnce?: true } = {},
) =>
  applyDecorators(
    AdminRoute({
      method: 'POST',
      path: `:order_number/${name}`,
      role,
      operationId,
      summary: sentence,
      parameters: [NUMBER],
      body: { type: body },
      answer: {
        data: AdminOrderResponse,
        trial: OrderEffectsResponse,
        description: 'The order after it, with its new `ETag`; with `dry_run`, what would be done.',
      },
      errors: [...UNCLEAR_ORDER, 'illegal_transition', 'conflict', 'precondition_failed'],
      command: `order ${name}`,
      ...more,
    }),
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: 'The `ETag` of the order as you read it. If it was changed since, the action is refused.',
      example: '"d41d8cd98f00b204"',
    }),
  );

/** An action that a program asks for, besides its body. */
interface RequestOnOrder {
  /** The number as it was typed. */
  typed: string;
  key: RequestKey;
  response: Response;
  /** The ETag of the order as the program read it. */
  ifMatch: string | undefined;
  /** A refund with another one is another refund, even if all else is equal. */
  idempotencyKey: string | undefined;
}

/** The warnings of an action, from the order after it. */
type WarningsAfter = (order: OrderOutput) => string[] | Promise<string[]>;

const Request = createParamDecorator((_: unknown, context: ExecutionContext): RequestOnOrder => {
  const http = context.switchToHttp();
  const { params, adminKey, headers } = http.getRequest<ApiRequest>();
  return {
    typed: params.order_number as string,
    key: adminKey!,
    response: http.getResponse<Response>(),
    ifMatch: headers['if-match'],
    idempotencyKey: headers['idempotency-key'] as string | undefined,
  };
});

/** Orders of all clients, for programs of the wholesaler. Actions are those of the desk. */
@ApiTags('Orders')
@Controller('api/admin/orders')
export class AdminOrdersController {
  constructor(
    private readonly orders: OrderDeskService,
    private readonly clients: ClientFinderService,
    private readonly warnings: OrderWarningsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: roleToOpen('orders/orders.csv'),
    operationId: 'listOrders',
    summary: 'Lists orders, the newest first.',
    description:
      'With `paid_from` or `paid_to` the oldest payment comes first. With `shipped_from` or `shipped_to` ' +
      'it is the oldest shipment. A search has the newest order first.',
    answer: { list: OrderRowResponse },
    errors: ['client_not_found', 'client_ambiguous'],
    command: 'order list',
  })
  async list(@ValidQuery() { after, limit = DEFAULT_LIMIT, status, search, ...query }: OrdersQuery) {
    readPagePosition(after, readOrderCursor);
    const clientId = await this.clients.findForFilter(query.client);
    const filter = { ...toOrderFilter(query, clientId, this.settings.timeZone), status, search };
    const rows = await this.orders.page(filter, { after, sort: sortOfFilter(filter), limit: limit + 1 });
    return pageOf(rows, limit, toOrderRow, (order) => writeOrderCursor(cursorOf(order.clientId, order)));
  }

  @AdminRoute({
    method: 'GET',
    path: 'refused',
    role: roleWith('see sales and problems'),
    operationId: 'listRefusedOrders',
    summary: 'Lists refused orders with the reasons, the newest first.',
    answer: { list: RefusedOrderResponse },
    errors: ['client_not_found', 'client_ambiguous'],
    command: 'order refused',
  })
  async refused(@ValidQuery() { after, limit = DEFAULT_LIMIT, client, ...query }: RefusedOrdersQuery) {
    const position = readPagePosition(after, readRefusedCursor);
    const { from } = readPeriodOf(query, this.settings.timeZone);
    const clientId = await this.clients.findForFilter(client);
    const rows = await this.orders.refusedPage({ clientId, from }, position, limit + 1);
    return pageOf(rows, limit, ({ id: _, at: __, ...row }) => row, writeRefusedCursor);
  }

  @AdminRoute({
    method: 'GET',
    path: ':order_number',
    role: 'staff',
    operationId: 'getOrder',
    summary: 'Shows an order with its lines, parcels, returns, refunds and history.',
    parameters: [NUMBER],
    answer: { data: AdminOrderResponse, description: 'Its `ETag` is for `If-Match` of an action.' },
    errors: [...UNCLEAR_ORDER],
    command: 'order show',
  })
  async show(@Request() { typed, key, response }: RequestOnOrder, @ValidQuery() { client }: OrderQuery) {
    return this.answerWithTag(response, key, await this.numberOf(typed, client));
  }

  @Act(actions.pay, 'payOrder', PayOrderRequest)
  pay(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() { force, ...input }: PayOrderRequest,
  ) {
    const faults = paymentFaults(input);
    if (faults.length > 0) throw validationFailed(faults);
    return this.act(
      request,
      query,
      actions.pay.change({ ...input, acceptedUses: force ? 'any' : undefined }),
    );
  }

  @Act(actions.unpay, 'unpayOrder', UnpayOrderRequest)
  async unpay(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() input: UnpayOrderRequest,
  ) {
    const { packing_list: list } = await this.orders.show(await this.numberOf(request.typed, query.client));
    return this.act(request, query, actions.unpay.change(input), (order) =>
      this.warnings.afterUnpay(order, list),
    );
  }

  @Act(actions.ship, 'shipOrder', ShipOrderRequest, { isOnce: true })
  ship(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() { courier, lines, no_invoice, without_irn, old_slip, ...tracking }: ShipOrderRequest,
  ) {
    const {
      trackingNumber = null,
      trackingUrl = null,
      shippedAt = null,
      ...more
    } = readTracking(tracking, this.settings.timeZone);
    const input = {
      courier,
      lines,
      trackingNumber,
      trackingUrl,
      shippedAt,
      noInvoice: no_invoice,
      withoutIrn: without_irn,
      oldSlip: old_slip,
      ...more,
    };
    return this.act(request, query, actions.ship.change(input), (order) =>
      this.warnings.afterShipping(order),
    );
  }

  @Act(actions.correctShipment, 'correctShipment', CorrectShipmentRequest)
  correct(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() { courier, parcel, ...tracking }: CorrectShipmentRequest,
  ) {
    const values = {
      ...readTracking(tracking, this.settings.timeZone),
      ...(courier !== undefined && { courier }),
    };
    const change = actions.correctShipment.change({ ...values, parcel });
    return this.act(request, query, change, (order) =>
      values.shippedAt ? this.warnings.afterCorrection(order, parcel) : [],
    );
  }

  @Act(actions.invoiceFirst, 'invoiceOrderFirst', InvoiceFirstRequest)
  invoiceFirst(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() input: InvoiceFirstRequest,
  ) {
    return this.act(request, query, actions.invoiceFirst.change(input));
  }

  @Act(actions.changeDelivery, 'changeDelivery', ChangeAddressRequest)
  address(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() input: ChangeAddressRequest,
  ) {
    return this.act(request, query, actions.changeDelivery.change(input), (order) =>
      this.warnings.ofPacking(order),
    );
  }

  @Act(actions.deliver, 'deliverOrder', DeliverOrderRequest)
  deliver(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() input: DeliverOrderRequest,
  ) {
    return this.act(request, query, actions.deliver.change(input));
  }

  @Act(actions.withdraw, 'undoShipment', UndoParcelRequest, { isOnce: true })
  withdraw(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() input: UndoParcelRequest,
  ) {
    const onlySent = !keyMay(request.key, 'take back invoices');
    return this.act(request, query, actions.withdraw.change({ ...input, onlySent }));
  }

  @Act(actions.undeliver, 'undoDelivery', UndoParcelRequest, { isOnce: true })
  undeliver(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() input: UndoParcelRequest,
  ) {
    return this.act(request, query, actions.undeliver.change(input));
  }

  @Act(actions.reissue, 'reissueInvoice', UndoParcelRequest, { isOnce: true })
  reissue(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() input: UndoParcelRequest,
  ) {
    return this.act(request, query, actions.reissue.change(input));
  }

  @Act(actions.cancel, 'cancelOrder', CancelOrderRequest, { isOnce: true })
  cancel(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() { write_off: writtenOff, ...input }: CancelOrderRequest,
  ) {
    return this.act(
      request,
      query,
      actions.cancel.change({ ...input, writtenOff, key: request.idempotencyKey }),
      (order) => this.warnings.ofPacking(order),
    );
  }

  @Act(actions.refund, 'refundOrder', RefundOrderRequest, { isOnce: true })
  refund(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() { reason_code: reasonCode, ...input }: RefundOrderRequest,
  ) {
    return this.act(
      request,
      query,
      actions.refund.change({ ...input, reasonCode, key: request.idempotencyKey }),
    );
  }

  @Act(actions.takeBack, 'takeBackRefund', TakeBackRequest, { isOnce: true })
  takeBack(
    @Request() request: RequestOnOrder,
    @ValidQuery() query: OrderActionQuery,
    @CheckedBody() input: TakeBackRequest,
  ) {
    return this.act(request, query, actions.takeBack.change({ ...input, key: request.idempotencyKey }));
  }

  /** The order after the changes or, as a trial, what they would do. */
  private async act(
    { typed, key, ifMatch, response }: RequestOnOrder,
    { dry_run: isTrial, client }: OrderActionQuery,
    change: OrderChanges,
    warningsAfter: WarningsAfter = () => [],
  ) {
    const number = await this.numberOf(typed, client);
    const read = readTag(ifMatch);
    if (isTrial) {
      await this.orders.dryRun(number, change, key.actor, read);
      const steps = this.orders.previewChanges(await this.orders.orderPage(number), [change].flat());
      return { success: true, dry_run: true, data: toEffects(number, steps) } as const;
    }
    await this.orders.change(number, change, key.actor, read);
    return this.answerWithTag(response, key, number, warningsAfter);
  }

  private async numberOf(typed: string, client: string | undefined): Promise<string> {
    return this.orders.numberOf(typed, await this.clients.findForFilter(client));
  }

  private async answerWithTag(
    response: Response,
    key: RequestKey,
    number: string,
    warningsAfter?: WarningsAfter,
  ) {
    const { order, fingerprint } = await this.orders.showTagged(number);
    const warnings = await warningsAfter?.(order);
    response.setHeader('ETag', `"${fingerprint}"`);
    return answerWith({ ...visibleTo(key, order), ...(warnings && { warnings }) });
  }
}

/** The state of the order that a program read. A proxy that compresses makes tags weak. */
function readTag(header: string | undefined): ReviewedOrder | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const [, fingerprint] = /^\s*(?:W\/)?"([^",]+)"\s*$/.exec(header) ?? [];
  if (fingerprint !== undefined) return { fingerprint, isRead: true };
  throw new DomainError('invalid_value', 'If-Match must be the ETag of the order, or *.');
}

/** As at the desk, packers see no amounts and no payment. */
function visibleTo(key: RequestKey, order: OrderOutput) {
  if (keyMay(key, 'see amounts')) return order;
  const { items, returns, payment } = order;
  const hidden = { subtotal: null, delivery: null, total: null, refunded_amount: null, refunds: [] };
  return {
    ...order,
    ...hidden,
    payment: { ...payment, method: null, reference: null },
    items: items.map((item) => ({ ...item, unit_price: null, line_total: null })),
    returns: returns.map((one) => ({
      ...one,
      refunded: null,
      lines: one.lines.map((line) => ({ ...line, refunded: null })),
    })),
  };
}

type Tracking = Pick<CorrectShipmentRequest, 'tracking_number' | 'tracking_url' | 'shipped_at' | 'force'>;

const readTracking = ({ tracking_number, tracking_url, shipped_at, force }: Tracking, zone: TimeZone) => ({
  ...(tracking_number !== undefined && { trackingNumber: tracking_number.trim() }),
  ...(tracking_url !== undefined && { trackingUrl: tracking_url }),
  ...(shipped_at !== undefined && { shippedAt: readStart(shipped_at, zone)! }),
  sharedWithOrders: force ? ('any' as const) : undefined,
});

/** What actions would do, as a program reads it. */
function toEffects(order_number: string, steps: readonly OrderEffects[]): OrderEffectsResponse {
  const last = steps.at(-1)!;
  const refunds = steps.flatMap(({ refund }) => refund ?? []);
  return {
    order_number,
    status: last.status,
    payment_status: last.paymentStatus,
    lines: steps.flatMap(({ units = [] }) => units),
    written_off: steps.flatMap(({ writtenOff = [] }) => writtenOff),
    refunds: refunds.map(({ kind, amount, reason }) => ({ kind, amount: amountFromMinor(amount), reason })),
    changes: steps.flatMap(({ correction }) =>
      correction ? [{ before: correction.before, after: correction.after }] : [],
    ),
    issues_documents: steps.some(({ documents }) => Boolean(documents)),
  };
}
