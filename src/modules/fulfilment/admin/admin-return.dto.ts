import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PageQuery } from '../../../platform/http/admin-route.js';
import {
  AmountOrNull,
  ChoiceField,
  CountField,
  FlagField,
  TextField,
  TextOrNull,
  TimeField,
  TimeOrNull,
  WholeNumberField,
  WholeNumberOrNull,
} from '../../../platform/http/answer-fields.decorator.js';
import {
  NestedList,
  OptionalFlag,
  OptionalText,
  RequiredText,
} from '../../../platform/validation/body-fields.decorator.js';
import { OptionalChoice, OptionalStart } from '../../../platform/validation/typed-fields.decorator.js';
import { OptionalClient } from '../../clients/admin/client-param.js';
import { LineUnitsDto } from '../../orders/admin/line-units.dto.js';
import { ORDER_LIMITS } from '../../orders/placing/create-order.request.js';
import {
  MAX_ADDRESS_LENGTH,
  MAX_NOTE_LENGTH,
  MAX_REASON_LENGTH,
  RETURN_STATES,
  type ReturnState,
} from '../../orders/rules/return-request.js';

export class ReturnListQuery extends PageQuery {
  @OptionalClient('Only returns of this client') client?: string;
  @OptionalChoice(RETURN_STATES, 'Only returns in this state.') state?: ReturnState;
  @OptionalStart('Only returns from this time on.') from?: string;
}

const Lines = (description: string, optional = true) =>
  NestedList(() => LineUnitsDto, { min: 1, max: ORDER_LIMITS.items, description, optional });

const Note = (description: string) =>
  OptionalText({ max: MAX_NOTE_LENGTH, lines: true, description, example: 'The handle is broken.' });

@ApiSchema({ name: 'AdminAddReturn' })
export class AddReturnRequest {
  @RequiredText({
    max: 200,
    description: "The order number, also as pages shorten it, or the store's own id.",
    example: 'WO-20261120-7K3M9-QXA2B',
  })
  order_number: string;

  @OptionalClient('The client of the order, if two clients have its id') client?: string;
  @Lines('The units that come back, each line once.', false) lines: LineUnitsDto[];
  @RequiredText({ max: MAX_REASON_LENGTH, description: 'Why they come back.', example: 'Arrived damaged' })
  reason: string;

  @Note('A note to the reason.') note?: string;
}

@ApiSchema({ name: 'AdminAcceptReturn' })
export class AcceptReturnRequest {
  @RequiredText({
    max: MAX_ADDRESS_LENGTH,
    lines: true,
    description: 'The address for the goods.',
    example: 'Acme Wholesale, 12 MG Road, Pune 411001',
  })
  send_to: string;

  @RequiredText({ max: 10, description: 'The last day to send them.', example: '2026-12-12' })
  send_by: string;
}

@ApiSchema({ name: 'AdminReceiveReturn' })
export class ReceiveReturnRequest {
  @Lines('Only these units arrived; all by default.') lines?: LineUnitsDto[];
  @Lines('The units to put back on sale. The others are written off.') restock?: LineUnitsDto[];
  @OptionalFlag(
    'Whether the client gets the price of the units that arrived; left out, staff decide later. ' +
      'Needs the role `staff`.',
  )
  refund?: boolean;

  @Note('A note, which the client can read.') note?: string;
}

@ApiSchema({ name: 'AdminRefuseReturn' })
export class RefuseReturnRequest {
  @RequiredText({
    max: MAX_REASON_LENGTH,
    description: 'The reason, which the client can read.',
    example: 'The seal is broken.',
  })
  reason: string;
}

@ApiSchema({ name: 'AdminRefundReturn' })
export class RefundReturnRequest {
  @OptionalText({
    max: MAX_REASON_LENGTH,
    description: 'Closes it without a refund: the reason, for the audit log.',
    example: 'Replaced by a new parcel',
  })
  none?: string;
}

@ApiSchema({ name: 'AdminReturnLine' })
class ReturnLineRecordResponse {
  @WholeNumberField('The number of the line in the order.', 1) line: number;
  @TextField('The SKU.', 'MUG-350') sku: string;
  @TextField('The name of the product.', 'Mug') name: string;
  @TextField('The variation, or the text for a product without one.', '') variation: string;
  @CountField('How many units come back.', 2) quantity: number;
  @WholeNumberOrNull('How many arrived; null: not yet.', 2) received: number | null;
  @CountField('How many are for sale again.', 1) restocked: number;
  @AmountOrNull('The amount refunded for them; null for a key that sees no amounts.', 499)
  refunded: number | null;
}

@ApiSchema({ name: 'AdminReturn' })
export class ReturnRecordResponse {
  @TextField('The number of the return.', 'RT-20261128-4HX2C-9TQ7M') number: string;
  @TextField('The number of the order.', 'WO-20261120-7K3M9-QXA2B') order_number: string;
  @WholeNumberField('The number of the client.', 3) client_id: number;
  @TextField('The name of the client.', 'Mango Market') client: string;
  @TextOrNull("The store's own id of the order.", 'WEB-1001') store_order_id: string | null;
  @TextOrNull("The store's own id of the return.", 'RET-1001') store_return_id: string | null;
  @ChoiceField('Its state.', RETURN_STATES) state: ReturnState;
  @FlagField('Whether it was requested, and is not accepted.', true) awaits_answer: boolean;
  @FlagField('Whether a courier brought the parcel back.', false) is_rto: boolean;
  @TextField('Why the units come back.', 'Arrived damaged') reason: string;
  @TextOrNull('A note to the reason.', null) note: string | null;
  @TimeField('When it was requested.', '2026-11-28T09:30:00.000Z') requested_at: Date;
  @TextField('Who requested it.', 'key 3 (ERP)') requested_by: string;
  @TimeOrNull('When it was accepted.', null) accepted_at: Date | null;
  @TextOrNull('Who accepted it.', null) accepted_by: string | null;
  @TextOrNull('The address for the goods of an accepted return.', null) send_to: string | null;
  @TextOrNull('The last day to send them.', null) send_by: string | null;
  @TimeOrNull('When it was received or refused.', null) decided_at: Date | null;
  @TextOrNull('Who received or refused it.', null) decided_by: string | null;
  @TextOrNull('The note to the receipt, or the reason of the refusal.', null) decision: string | null;
  @AmountOrNull('The amount refunded for it; null for a key that sees no amounts.', 499)
  refunded: number | null;
  @AmountOrNull('The amount that other refunds paid for its lines.', 0) refunded_otherwise: number | null;
  @FlagField('Whether a person must still decide about its refund.', false) refund_open: boolean;
  @TextField('The currency of the amounts.', 'INR') currency: string;
  @ApiProperty({ description: 'Its units.', type: [ReturnLineRecordResponse] })
  lines: ReturnLineRecordResponse[];
}

@ApiSchema({ name: 'AdminReturnAdded' })
export class ReturnAddedResponse extends ReturnRecordResponse {
  @FlagField('False: the order had this return already.', true) is_new: boolean;
}

class ArrivedLine {
  @WholeNumberField('The number of the line.', 1) line: number;
  @CountField('How many units arrive.', 2) received: number;
  @CountField('How many of them are for sale again.', 1) restocked: number;
}

@ApiSchema({ name: 'ReturnEffects' })
export class ReturnEffectsResponse {
  @TextField('The number of the return.', 'RT-20261121-4M8K2-PXQ7C') number: string;
  @ApiProperty({ description: 'The units that arrive.', type: [ArrivedLine] }) lines: ArrivedLine[];
  @AmountOrNull('What goes to the wallet of the client; null without a refund.', 100) refund: number | null;
}
