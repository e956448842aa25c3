import { OptionalClient, RequiredClient } from '../../clients/admin/client-param.js';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  AmountField,
  AmountOrNull,
  NameField,
  TextField,
  TextOrNull,
  TimeField,
  TimeOrNull,
  WholeNumberField,
} from '../../../platform/http/answer-fields.decorator.js';
import { PageQuery } from '../../../platform/http/admin-route.js';
import { readAmount } from '../../../platform/money/read-amount.js';
import {
  OptionalFlag,
  OptionalText,
  RequiredText,
} from '../../../platform/validation/body-fields.decorator.js';
import {
  OptionalChoice,
  OptionalReadAmount,
  RequiredAmount,
} from '../../../platform/validation/typed-fields.decorator.js';
import { TRANSFER_STATUSES, type TransferStatus } from '../rules/payment-status.js';
import { ACCEPT_REPEATED_REFERENCE } from './wallets.dto.js';

export class TransfersQuery extends PageQuery {
  @OptionalClient('Only of this client') client?: string;

  @OptionalChoice(TRANSFER_STATUSES, {
    description: 'Only transfers in this status.',
    enumName: 'TransferStatus',
  })
  status?: TransferStatus;

  @OptionalText({ max: 60, description: 'Only transfers whose UTR has this part.', example: '4711' })
  utr?: string;
}

@ApiSchema({ name: 'Transfer' })
export class TransferResponse {
  @WholeNumberField('The number of the transfer.', 12) transfer_id: number;
  @WholeNumberField('The number of its client.', 3) client_id: number;
  @TextField('The name of its client.', 'Mango Market') client: string;
  @AmountField('The amount as reported.', 25_000) amount: number;
  @AmountOrNull('The amount that came, if it differs.', null) received: number | null;
  @AmountField('The tax that the client deducted.', 0) tds: number;
  @TextField(
    'The number that the bank gave; of a cheque or cash the kind and its number.',
    'N324261120004711',
  )
  utr: string;

  @TextOrNull('The account holder, as the client reports it.', 'Asha Rao') payer: string | null;
  @NameField('Its status.', TRANSFER_STATUSES, 'TransferStatus') status: TransferStatus;
  @TimeField('When it was reported.', '2026-11-20T09:30:00.000Z') announced_at: string;
  @TextField('The person or program that reported it.', 'Asha Rao (person 7)') announced_by: string;
  @TimeOrNull('When it was confirmed, refused or withdrawn.', null) decided_at: string | null;
  @TextOrNull('The person or program that decided.', null) decided_by: string | null;
  @TextOrNull('Why it was refused, or has another amount.', null) reason: string | null;
  @TextOrNull('The payer on your bank statement.', null) received_from: string | null;
  @ApiProperty({ description: 'Transfers of other clients with the same UTR.', type: [Number], example: [] })
  other_claims: number[];
}

@ApiSchema({ name: 'AnnounceTransfer' })
export class AnnounceTransferRequest {
  @RequiredClient() client: string;

  @RequiredAmount({ read: readAmount, description: 'How much came.', example: '25000.00' }) amount: string;
  @RequiredText({
    max: 60,
    description: 'The number that the bank gave; of a cheque its number and bank, of cash the receipt.',
    example: 'N324261120004711',
  })
  utr: string;

  @OptionalChoice(['transfer', 'cheque', 'cash'], { description: 'How it came; a transfer by default.' })
  kind?: string;

  @OptionalReadAmount({
    read: readAnyTds,
    description: 'The tax that the client deducted from it; none by default.',
    example: '5.00',
  })
  tds?: string;

  @OptionalText({ max: 200, description: 'The holder of the account that sent it.', example: 'Asha Rao' })
  payer?: string;
}

/** The service compares it with what was received. */
function readAnyTds(text: string): unknown {
  return /^[0.]*$/.test(text) || readAmount(text);
}

@ApiSchema({ name: 'ConfirmTransfer' })
export class ConfirmTransferRequest {
  @OptionalText({ max: 200, description: "The payer's name on your bank statement.", example: 'Asha Rao' })
  payer?: string;

  @OptionalReadAmount({
    read: readAnyTds,
    description: 'The tax that the client deducted; as it reported by default.',
    example: '5.00',
  })
  tds?: string;

  @OptionalReadAmount({
    read: readAmount,
    description: 'The amount that came; as the client reported by default.',
    example: '4950.00',
  })
  amount?: string;

  @OptionalText({
    max: 200,
    description: 'Why it is another amount, which the client can read.',
    example: 'Bank charges',
  })
  reason?: string;

  @OptionalFlag(ACCEPT_REPEATED_REFERENCE) force?: boolean;
}

@ApiSchema({ name: 'RefuseTransfer' })
export class RefuseTransferRequest {
  @RequiredText({
    max: 200,
    description: 'The reason, which the client can read.',
    example: 'It has not come',
  })
  reason: string;
}
