import { ApiSchema } from '@nestjs/swagger';
import { DryRunQuery } from '../../../platform/http/admin-route.js';
import {
  NestedList,
  OptionalFlag,
  OptionalText,
  OptionalWholeNumber,
  RequiredText,
  RequiredWholeNumber,
} from '../../../platform/validation/body-fields.decorator.js';
import type { FieldError } from '../../../platform/errors/domain-error.js';
import { OptionalReadAmount, OptionalStart } from '../../../platform/validation/typed-fields.decorator.js';
import { readAmount } from '../../../platform/money/read-amount.js';
import { OptionalClient } from '../../clients/admin/client-param.js';
import { NOTE_REASONS } from '../../invoices/rules/note-reasons.js';
import { NO_INVOICE_REASONS } from '../../invoices/rules/no-invoice.js';
import { hasReference, PAYMENT_METHODS } from '../actions/pay.js';
import { ORDER_LIMITS } from '../placing/create-order.request.js';
import { LineUnitsDto } from './line-units.dto.js';

const MAX_PARCELS = 1_000;

const Reason = (description = 'The reason, which the client can read.') =>
  RequiredText({ max: 200, description, example: 'Recorded by mistake' });

const Lines = (description: string) =>
  NestedList(() => LineUnitsDto, { min: 1, max: ORDER_LIMITS.items, description, optional: true });

const Parcel = () =>
  OptionalWholeNumber({
    min: 1,
    max: MAX_PARCELS,
    description: 'The number of the parcel in its order; the newest by default.',
    example: 1,
  });

const OfClient = () => OptionalClient('The client of the order, if two clients have its id');

export class OrderQuery {
  @OfClient() client?: string;
}

export class OrderActionQuery extends DryRunQuery {
  @OfClient() client?: string;
}

@ApiSchema({ name: 'PayOrder' })
export class PayOrderRequest {
  @OptionalText({
    max: 100,
    description: `How it was paid, such as ${PAYMENT_METHODS.join(', ')}; required without \`consent\`.`,
    example: 'Bank transfer',
  })
  method?: string;

  @OptionalText({
    max: 200,
    description: 'The number of the payment; required with a method other than Cash.',
    example: 'UTR 512345678901',
  })
  reference?: string;

  @OptionalText({
    max: 200,
    description: 'Pays from the wallet of the client: who agreed, and how. Without method and reference.',
    example: 'Asha by phone',
  })
  consent?: string;

  @OptionalFlag('Accept a reference that is recorded already: this is other money.') force?: boolean;
}

/** The desk requires the same. */
export function paymentFaults({ method, reference, consent }: PayOrderRequest): FieldError[] {
  const given = Object.entries({ method, reference }).filter(([, value]) => value !== undefined);
  if (consent !== undefined)
    return given.map(([field]) => ({
      field,
      code: 'not_combinable',
      message: 'cannot be combined with "consent"',
    }));
  if (method === undefined) return [{ field: 'method', code: 'required', message: 'is required' }];
  const lacksReference = hasReference(method) && reference === undefined;
  return lacksReference
    ? [{ field: 'reference', code: 'required', message: `is required with ${method}` }]
    : [];
}

class TrackingRequest {
  @OptionalText({ max: 100, description: 'The number of the parcel.', example: 'BD512345678' })
  tracking_number?: string;

  @OptionalText({
    max: 2_000,
    description: 'The page where the customer follows the parcel.',
    example: 'https://courier.example/BD512345678',
  })
  tracking_url?: string;

  @OptionalStart('When it left; now by default.', '2026-11-20T10:00:00Z') shipped_at?: string;
  @OptionalFlag('Accept the tracking number of another order: one parcel holds both orders.') force?: boolean;
}

@ApiSchema({ name: 'ShipOrder' })
export class ShipOrderRequest extends TrackingRequest {
  @RequiredText({ max: 100, description: 'The courier.', example: 'BlueDart' }) courier: string;
  @Lines('Only these units; all that are left by default.') lines?: LineUnitsDto[];
  @OptionalText({
    max: 200,
    description:
      `Without an invoice, because of: ${Object.keys(NO_INVOICE_REASONS).join(', ')}; more text may ` +
      'follow.',
    example: 'export',
  })
  no_invoice?: string;

  @OptionalText({
    max: 200,
    description: 'The reason to ship it before its invoice has an IRN.',
    example: 'The portal is down',
  })
  without_irn?: string;

  @OptionalFlag('Confirm the parcel of an order that was changed after its slip was printed.')
  old_slip?: boolean;
}

@ApiSchema({ name: 'CorrectShipment' })
export class CorrectShipmentRequest extends TrackingRequest {
  @OptionalText({ max: 100, description: 'The courier.', example: 'BlueDart' }) courier?: string;
  @Parcel() parcel?: number;
}

@ApiSchema({ name: 'InvoiceFirst' })
export class InvoiceFirstRequest {
  @Lines('Only these units; all that are left by default.') lines?: LineUnitsDto[];
}

@ApiSchema({ name: 'ChangeAddress' })
export class ChangeAddressRequest {
  @OptionalText({ max: 200, description: 'The recipient.', example: 'Asha Rao' }) name?: string;
  @OptionalText({ max: 40, description: 'The phone number for the courier.', example: '9876543210' })
  phone?: string;

  @OptionalText({ max: 1_000, description: 'The street address.', example: '14 MG Road' }) address?: string;
  @OptionalText({ max: 200, description: 'The city.', example: 'Bengaluru' }) city?: string;
  @OptionalText({ max: 200, description: 'The state.', example: 'Karnataka' }) state?: string;
  @OptionalText({ max: 12, description: 'The PIN code.', example: '560001' }) pincode?: string;
  @OptionalText({ max: 200, description: 'The country.', example: 'India' }) country?: string;
  @OptionalText({
    max: 200,
    description: 'Kept in the history; needed for another recipient.',
    example: 'The customer moved',
  })
  reason?: string;
}

@ApiSchema({ name: 'DeliverOrder' })
export class DeliverOrderRequest {
  @OptionalWholeNumber({
    min: 1,
    max: MAX_PARCELS,
    description: 'Only this parcel; all that are on their way by default.',
    example: 1,
  })
  parcel?: number;
}

@ApiSchema({ name: 'UndoParcel' })
export class UndoParcelRequest {
  @Parcel() parcel?: number;
  @Reason() reason: string;
}

@ApiSchema({ name: 'UnpayOrder' })
export class UnpayOrderRequest {
  @Reason() reason: string;
}

@ApiSchema({ name: 'CancelOrder' })
export class CancelOrderRequest {
  @Lines('Only these units of a paid order; all that have not left by default. Needs a reason.')
  lines?: LineUnitsDto[];

  @Lines('The cancelled units that are not for sale again. Needs a reason.') write_off?: LineUnitsDto[];
  @OptionalText({ max: 200, description: 'The reason, which the store can read.', example: 'Out of stock' })
  reason?: string;
}

@ApiSchema({ name: 'RefundOrder' })
export class RefundOrderRequest {
  @Reason() reason: string;
  @Lines('The price of these units.') lines?: LineUnitsDto[];
  @OptionalFlag('The delivery charge.') delivery?: boolean;
  @OptionalReadAmount({
    read: readAmount,
    description: 'An amount, without lines and delivery.',
    example: '100.00',
  })
  amount?: string;

  @OptionalText({
    max: 2,
    description:
      `The code on the credit note: ${Object.keys(NOTE_REASONS).join(', ')}. By the kind of refund by ` +
      'default.',
    example: '02',
  })
  reason_code?: string;

  @OptionalFlag('The credit note of an amount changes no tax.') commercial?: boolean;
}

@ApiSchema({ name: 'TakeBackRefund' })
export class TakeBackRequest {
  @RequiredWholeNumber({
    min: 1,
    max: 1_000,
    description: 'The number of the refund in its order.',
    example: 1,
  })
  refund: number;

  @OptionalReadAmount({
    read: readAmount,
    description: 'A part of a refund of an amount; all that is left by default.',
    example: '100.00',
  })
  amount?: string;

  @Reason() reason: string;
}
