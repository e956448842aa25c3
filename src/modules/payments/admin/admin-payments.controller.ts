import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor } from '../../../platform/access/admin-key.js';
import { roleToOpen } from '../../../platform/access/desk-permissions.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  pageOf,
} from '../../../platform/http/admin-route.js';
import { readUuidCursor } from '../../../platform/http/page-cursor.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { PaymentDeskService } from '../payment-desk.service.js';
import {
  PaymentDetailsResponse,
  PaymentRowResponse,
  PaymentsQuery,
  RefundPaymentRequest,
  ResolvePaymentRequest,
} from './payments.dto.js';

const PAYMENT_ID = {
  name: 'id',
  description: 'The id of the payment.',
  example: '019a9f3e-7c1b-7d2a-9b1e-3f5a7c9e1b2d',
};

/** What a route of one payment has besides. It has the role of the desk's page. */
const OnPayment = ({
  path,
  ...route
}: Omit<Parameters<typeof AdminRoute>[0], 'role' | 'parameters' | 'answer'> & { path: string }) =>
  AdminRoute({
    ...route,
    path,
    role: roleToOpen(`money/payments/${path}`),
    parameters: [PAYMENT_ID],
    answer: {
      data: PaymentDetailsResponse,
      description: 'The payment with its orders, receipts and refunds.',
    },
    errors: ['payment_not_found', ...(route.errors ?? [])],
  });

/** Payments through the gateway. The service settles most of them; a person looks at the others. */
@ApiTags('Payments')
@Controller('api/admin/payments')
export class AdminPaymentsController {
  constructor(
    private readonly payments: PaymentDeskService,
    private readonly clients: ClientFinderService,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: roleToOpen('money/payments'),
    operationId: 'listPayments',
    summary: 'Lists payments, the newest first.',
    answer: { list: PaymentRowResponse },
    errors: ['client_not_found', 'client_ambiguous'],
    command: 'payment list',
  })
  async list(@ValidQuery() { after, limit = DEFAULT_LIMIT, client, needs_person, ...filter }: PaymentsQuery) {
    const before = readUuidCursor(after);
    const clientId = await this.clients.findForFilter(client);
    const rows = await this.payments.newest(
      { ...filter, clientId, concerning: needs_person, before },
      limit + 1,
    );
    return pageOf(
      rows,
      limit,
      (row) => row,
      (row) => row.payment_id,
    );
  }

  @OnPayment({
    method: 'GET',
    path: ':id',
    operationId: 'getPayment',
    summary: 'Shows a payment with its orders and refunds.',
    command: 'payment show',
  })
  async show(@Param('id') id: string) {
    return answerWith(await this.payments.show(id));
  }

  @OnPayment({
    method: 'POST',
    path: ':id/settle',
    operationId: 'settlePayment',
    summary: 'Asks the gateway about a payment now, and records the answer.',
    errors: ['conflict', 'gateway_refused', 'gateway_unavailable'],
    command: 'payment settle',
  })
  async settle(@Param('id') id: string) {
    return answerWith(await this.payments.settle(id));
  }

  @OnPayment({
    method: 'POST',
    path: ':id/give-up',
    operationId: 'giveUpPayment',
    summary: 'Lets the orders of an open payment be paid in another way.',
    description: 'Money that comes late goes to the wallet.',
    errors: ['conflict'],
    command: 'payment give-up',
  })
  async giveUp(@Param('id') id: string, @Actor() by: string) {
    return answerWith(await this.payments.giveUp(id, by));
  }

  @OnPayment({
    method: 'POST',
    path: ':id/refund',
    operationId: 'refundPayment',
    summary: 'Sends money of a wallet back through the payment that brought it.',
    body: { type: RefundPaymentRequest },
    isOnce: true,
    errors: ['conflict', 'insufficient_balance', 'gateway_refused', 'gateway_unavailable'],
    command: 'payment refund',
  })
  async refund(
    @Param('id') id: string,
    @Actor() by: string,
    @CheckedBody() { amount }: RefundPaymentRequest,
  ) {
    return answerWith(await this.payments.refund(id, amount, by));
  }

  @OnPayment({
    method: 'POST',
    path: ':id/resolve',
    operationId: 'resolvePayment',
    summary: 'Records that a person has checked the problem of a payment.',
    body: { type: ResolvePaymentRequest },
    errors: ['conflict'],
    command: 'payment resolve',
  })
  async resolve(
    @Param('id') id: string,
    @Actor() by: string,
    @CheckedBody() { note }: ResolvePaymentRequest,
  ) {
    return answerWith(await this.payments.resolve(id, note, by));
  }
}
