import { OptionalClient } from '../../clients/admin/client-param.js';
import { ApiProperty, ApiSchema, OmitType } from '@nestjs/swagger';
import {
  AmountField,
  NameField,
  TextField,
  TextOrNull,
  TimeField,
  TimeOrNull,
  WholeNumberField,
} from '../../../platform/http/answer-fields.decorator.js';
import { PageQuery } from '../../../platform/http/admin-route.js';
import { readAmount } from '../../../platform/money/read-amount.js';
import { RequiredText } from '../../../platform/validation/body-fields.decorator.js';
import { OptionalChoice, OptionalReadAmount } from '../../../platform/validation/typed-fields.decorator.js';
import { OptionalBooleanParameter } from '../../../platform/validation/query-parameters.decorator.js';
import { REFUND_STATUSES } from '../entities/gateway.entity.js';
import { CONCERNS, PAYMENT_STATUSES, type PaymentStatus } from '../rules/payment-status.js';

const STATUS = 'GatewayPaymentStatus';

export class PaymentsQuery extends PageQuery {
  @OptionalClient('Only of this client') client?: string;

  @OptionalChoice(PAYMENT_STATUSES, { description: 'Only payments in this status.', enumName: STATUS })
  status?: PaymentStatus;

  @OptionalBooleanParameter({ description: 'Only payments that a person must check.', example: true })
  needs_person?: boolean;

  @OptionalBooleanParameter({ description: 'Only payments with a refund that is not over.', example: true })
  refunding?: boolean;
}

const Concern = () =>
  ApiProperty({
    description:
      'Why a person must check it. ' +
      Object.entries(CONCERNS)
        .map(([name, words]) => `\`${name}\`: ${words}.`)
        .join(' '),
    enum: Object.keys(CONCERNS),
    nullable: true,
    example: null,
  });

@ApiSchema({ name: 'GatewayPayment' })
export class PaymentRowResponse {
  @TextField('The id of the payment.', '019a9f3e-7c1b-7d2a-9b1e-3f5a7c9e1b2d') payment_id: string;
  @WholeNumberField('The number of its client.', 3) client_id: number;
  @TextField('The name of its client.', 'Mango Market') client: string;
  @TextField('The gateway.', 'razorpay') provider: string;
  @TextOrNull('The number that the gateway gave.', 'order_R9Zx1k2m3n4o5p') gateway_order_id: string | null;
  @AmountField('The amount to pay.', 363) amount: number;
  @NameField('Its status.', PAYMENT_STATUSES, STATUS) status: PaymentStatus;
  @TimeField('When it was started.', '2026-11-20T09:30:00.000Z') created_at: string;
  @TimeOrNull('When it was paid.', '2026-11-20T09:31:00.000Z') paid_at: string | null;
  @Concern() concern: string | null;
  @AmountField('What came into the wallet; twice the amount after a double payment.', 363) received: number;
  @AmountField('What has gone back to the source.', 0) refunded: number;
  @AmountField('What is on its way back to the source.', 0) refunding: number;
}

@ApiSchema({ name: 'GatewayPaymentOrder' })
class PaymentOrderResponse {
  @TextField('The order that it is for.', 'WO-20261120-7K3M9-QXA2B') order_number: string;
  @AmountField('Its total.', 363) amount: number;
}

@ApiSchema({ name: 'GatewayReceipt' })
class PaymentReceiptResponse {
  @TextField('The id that the gateway gave the money.', 'pay_R9Zx1k2m3n4o5p') gateway_payment_id: string;
  @AmountField('What came.', 363) amount: number;
  @AmountField('The part that can still be sent back.', 363) refundable: number;
}

@ApiSchema({ name: 'GatewayRefund' })
class PaymentRefundResponse {
  @TextField('The id of the refund.', '019a9f3e-7c1b-7d2a-9b1e-3f5a7c9e1b2e') refund_id: string;
  @TextOrNull('The id that the gateway gave it.', 'rfnd_R9Zx1k2m3n4o5p') gateway_refund_id: string | null;
  @AmountField('How much goes back.', 100) amount: number;
  @NameField('Its status.', REFUND_STATUSES) status: string;
  @TimeField('When it was asked for.', '2026-11-21T09:30:00.000Z') created_at: string;
  @TextField('The person or program that asked for it.', 'key 3 (ERP)') actor: string;
  @Concern() concern: string | null;
}

@ApiSchema({ name: 'GatewayPaymentDetails' })
export class PaymentDetailsResponse extends OmitType(PaymentRowResponse, [
  'client',
  'received',
  'refunded',
  'refunding',
]) {
  @TextField('The currency of its amounts.', 'INR') currency: string;
  @TextField('The person or program that started it.', 'Asha Rao (person 7)') actor: string;
  @TimeOrNull('When the gateway last answered.', '2026-11-20T09:31:00.000Z') answered_at: string | null;
  @TimeOrNull('When the gateway is asked next.', null) next_check_at: string | null;
  @WholeNumberField('How often the gateway was asked.', 1) checks: number;
  @TextOrNull('What a person found out about the concern.', null) resolution: string | null;
  @ApiProperty({
    description: 'The orders that it is for. Empty for a top-up.',
    type: [PaymentOrderResponse],
  })
  orders: PaymentOrderResponse[];

  @ApiProperty({ description: 'The money that came.', type: [PaymentReceiptResponse] })
  receipts: PaymentReceiptResponse[];

  @ApiProperty({ description: 'The money that went back.', type: [PaymentRefundResponse] })
  refunds: PaymentRefundResponse[];
}

@ApiSchema({ name: 'RefundPayment' })
export class RefundPaymentRequest {
  @OptionalReadAmount({
    read: readAmount,
    description: 'How much; all that is left of the payment by default.',
    example: '100.00',
  })
  amount?: string;
}

@ApiSchema({ name: 'ResolvePayment' })
export class ResolvePaymentRequest {
  @RequiredText({ max: 200, description: 'What you found out.', example: 'Paid back by hand' }) note: string;
}
