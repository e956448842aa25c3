import { Controller, createParamDecorator, type ExecutionContext, Inject, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, CurrentKey, type RequestKey } from '../../../platform/access/admin-key.js';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import { keyMay, requireOfKey } from '../../../platform/access/key-permissions.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  DryRunQuery,
  pageOf,
} from '../../../platform/http/admin-route.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { amountFromMinor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { readStart } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { OrderDeskService } from '../../orders/records/order-desk.service.js';
import type { ReturnAction, ReturnChange } from '../returns/actions/return-action.js';
import * as actions from '../returns/actions/return-actions.js';
import { OrderReturnsService } from '../returns/order-returns.service.js';
import { type ReturnRecord, ReturnsRepository } from '../returns/returns.repository.js';
import {
  AcceptReturnRequest,
  AddReturnRequest,
  ReceiveReturnRequest,
  RefundReturnRequest,
  RefuseReturnRequest,
  ReturnAddedResponse,
  ReturnListQuery,
  ReturnEffectsResponse,
  ReturnRecordResponse,
} from './admin-return.dto.js';

const NUMBER = {
  name: 'number',
  description: 'The number of the return, also as pages shorten it.',
  example: 'RT-20261128-4HX2C-9TQ7M',
};

/** An action on a return. Its file says who may do it and what it does. */
const ActOnReturn = (
  { name, sentence, role }: Pick<ReturnAction<never>, 'name' | 'sentence' | 'role'>,
  body: new () => object,
) =>
  AdminRoute({
    method: 'POST',
    path: `:number/${name}`,
    role,
    operationId: `${name}Return`,
    summary: sentence,
    parameters: [NUMBER],
    body: { type: body },
    answer: {
      data: ReturnRecordResponse,
      trial: ReturnEffectsResponse,
      description: 'The return after it; with `dry_run`, what would be done.',
    },
    errors: ['return_not_found', 'conflict'],
    command: `return ${name}`,
  });

interface OnReturn {
  number: string;
  key: RequestKey;
}

const ReturnRequested = createParamDecorator((_: unknown, context: ExecutionContext): OnReturn => {
  const { params, adminKey } = context.switchToHttp().getRequest<ApiRequest>();
  return { number: params.number as string, key: adminKey! };
});

/** `AnsweredOnce` documents the header. */
const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<ApiRequest>().get('Idempotency-Key'),
);

/** Goods that come back. */
@ApiTags('Returns')
@Controller('api/admin/returns')
export class AdminReturnsController {
  constructor(
    private readonly returns: OrderReturnsService,
    private readonly returnList: ReturnsRepository,
    private readonly orders: OrderDeskService,
    private readonly clients: ClientFinderService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: roleWith('receive returns'),
    operationId: 'listReturns',
    summary: 'Lists returns, the newest first.',
    answer: { list: ReturnRecordResponse },
    errors: ['client_not_found', 'client_ambiguous'],
    command: 'return list',
  })
  async list(
    @CurrentKey() key: RequestKey,
    @ValidQuery() { client, state, from, after, limit = DEFAULT_LIMIT }: ReturnListQuery,
  ) {
    const clientId = await this.clients.findForFilter(client);
    const filter = { clientId, state, since: readStart(from, this.settings.timeZone) };
    const rows = await this.returnList.newest(filter, after, limit + 1);
    return pageOf(
      rows,
      limit,
      (row) => visibleTo(key, row),
      ({ number }) => number,
    );
  }

  @AdminRoute({
    method: 'POST',
    role: roleWith('ask for returns'),
    operationId: 'addReturn',
    summary: 'Records that a customer returns shipped units of an order.',
    description:
      'Without an `Idempotency-Key`, a return with the same units, reason and note is the one that the ' +
      'order has.',
    body: { type: AddReturnRequest },
    isOnce: true,
    answer: { data: ReturnAddedResponse, status: 201, description: 'The return.' },
    errors: ['order_not_found', 'order_ambiguous', 'client_not_found', 'client_ambiguous', 'conflict'],
    command: 'return add',
    commandArguments: ['order_number'],
  })
  async add(
    @Actor() by: string,
    @CheckedBody() { order_number: typed, client, ...request }: AddReturnRequest,
    @IdempotencyKey() key?: string,
  ) {
    const number = await this.orders.numberOf(typed, await this.clients.findForFilter(client));
    return answerWith(await this.returns.add(number, { ...request, key }, by));
  }

  @AdminRoute({
    method: 'GET',
    path: ':number',
    role: roleWith('receive returns'),
    operationId: 'getReturn',
    summary: 'Shows a return.',
    parameters: [NUMBER],
    answer: { data: ReturnRecordResponse },
    errors: ['return_not_found', 'conflict'],
    command: 'return show',
  })
  async show(@Param('number') number: string, @CurrentKey() key: RequestKey) {
    return answerWith(visibleTo(key, await this.returns.show(number)));
  }

  @ActOnReturn(actions.accept, AcceptReturnRequest)
  accept(
    @ReturnRequested() on: OnReturn,
    @ValidQuery() query: DryRunQuery,
    @CheckedBody() { send_to: sendTo, send_by: sendBy }: AcceptReturnRequest,
  ) {
    return this.act(on, query, actions.accept.change({ sendTo, sendBy }));
  }

  @ActOnReturn(actions.receive, ReceiveReturnRequest)
  async receive(
    @ReturnRequested() on: OnReturn,
    @ValidQuery() query: DryRunQuery,
    @CheckedBody() { restock = [], ...receipt }: ReceiveReturnRequest,
  ) {
    if (receipt.refund !== undefined) requireOfKey(on.key, 'decide about refunds', '`refund`');
    return this.act(on, query, actions.receive.change({ ...receipt, restock }));
  }

  @ActOnReturn(actions.refuse, RefuseReturnRequest)
  refuse(
    @ReturnRequested() on: OnReturn,
    @ValidQuery() query: DryRunQuery,
    @CheckedBody() input: RefuseReturnRequest,
  ) {
    return this.act(on, query, actions.refuse.change(input));
  }

  @ActOnReturn(actions.refund, RefundReturnRequest)
  refund(
    @ReturnRequested() on: OnReturn,
    @ValidQuery() query: DryRunQuery,
    @CheckedBody() input: RefundReturnRequest,
  ) {
    return this.act(on, query, actions.refund.change(input));
  }

  private async act({ number, key }: OnReturn, { dry_run: isTrial }: DryRunQuery, change: ReturnChange) {
    if (!isTrial) return answerWith(visibleTo(key, await this.returns.act(number, change, key.actor)));
    const view = await this.returns.show(number);
    const { arrived: lines, refund } = await this.returns.preview(view, change, key.actor);
    const amount = refund === undefined ? null : amountFromMinor(refund);
    const data: ReturnEffectsResponse = { number: view.number, lines: [...lines], refund: amount };
    return { success: true, dry_run: true, data } as const;
  }
}

/** As at the desk, packers see no amounts. */
function visibleTo(key: RequestKey, { lines, ...orderReturn }: ReturnRecord) {
  if (keyMay(key, 'see amounts')) return { ...orderReturn, lines };
  const hidden = lines.map((line) => ({ ...line, refunded: null }));
  return { ...orderReturn, refunded: null, refunded_otherwise: null, lines: hidden };
}
