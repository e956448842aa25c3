import { ApiSchema } from '@nestjs/swagger';
import {
  AmountField,
  AmountOrNull,
  FlagField,
  NameField,
  TextField,
  TextOrNull,
  TimeField,
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
  OptionalDay,
  OptionalEnd,
  OptionalReadAmount,
  OptionalStart,
  RequiredAmount,
  RequiredRead,
  RequiredTexts,
} from '../../../platform/validation/typed-fields.decorator.js';
import { OptionalClient } from '../../clients/admin/client-param.js';
import { parseCap } from '../../orders/auto-pay/auto-pay.service.js';
import { LEDGER_ACCOUNTS, POSTING_KINDS, type PostingKind } from '../../wallet/rules/posting.js';
import { readAdjustmentAmount } from '../../wallet/wallet.service.js';
import { readUtr } from '../rules/read-inputs.js';

@ApiSchema({ name: 'Wallet' })
export class WalletResponse {
  @WholeNumberField('The number of the client.', 3) client_id: number;
  @AmountField('The money in the wallet.', 2_500) balance: number;
  @AmountField('The part of it that open payments will spend.', 0) reserved: number;
}

@ApiSchema({ name: 'WalletEntry' })
export class WalletEntryResponse {
  @WholeNumberField('The number of the entry; the first is 1.', 17) entry: number;
  @TimeField('When it was posted.', '2026-11-20T09:30:00.000Z') created_at: string;
  @NameField('What happened.', POSTING_KINDS, 'PostingKind') kind: PostingKind;
  @NameField('The account on the other side.', LEDGER_ACCOUNTS, 'LedgerAccount') against: string;
  @AmountField('Negative for money that leaves the wallet.', -363) amount: number;
  @AmountField('The balance after it.', 2_137) balance_after: number;
  @TextOrNull('The order that it pays or refunds.', 'WO-20261120-7K3M9-QXA2B') order_number: string | null;
  @TextOrNull('The payment through the gateway.', null) payment_id: string | null;
  @TextField('The person or program that made it.', 'key 3 (ERP)') actor: string;
  @TextOrNull('Its reference or reason.', null) note: string | null;
}

export class WalletEntriesQuery extends PageQuery {
  @OptionalChoice(POSTING_KINDS, { description: 'Only entries of this kind.', enumName: 'PostingKind' })
  kind?: PostingKind;

  @OptionalStart('Only entries from this time on.') from?: string;
  @OptionalEnd('Only entries before this time.') to?: string;
}

/** The label of `force`. */
export const ACCEPT_REPEATED_REFERENCE = 'Accept a reference that is recorded already: this is other money.';

@ApiSchema({ name: 'AdjustWallet' })
export class AdjustWalletRequest {
  @RequiredAmount({
    read: readAdjustmentAmount,
    description: 'How much to add or, with a minus, to take.',
    example: '-12.50',
  })
  amount: string;

  @RequiredText({ max: 200, description: 'The reason, kept with the entry.', example: 'Rounding' })
  reason: string;

  @OptionalFlag(ACCEPT_REPEATED_REFERENCE) force?: boolean;
}

@ApiSchema({ name: 'PayOut' })
export class PayOutRequest {
  @RequiredAmount({ read: readAmount, description: 'How much you sent.', example: '2500.00' }) amount: string;
  @RequiredRead({ read: readUtr, description: 'The number that the bank gave.', example: 'N324261120004711' })
  reference: string;

  @OptionalDay('The day on the bank statement; today by default.') date?: string;

  @OptionalText({ max: 100, description: 'The account that got it.', example: 'HDFC 4711' }) bank?: string;
}

@ApiSchema({ name: 'ChangeAutoPay' })
export class ChangeAutoPayRequest {
  @OptionalFlag('Whether new orders are paid from the wallet.') enabled?: boolean;
  @OptionalReadAmount({
    read: parseCap,
    description: 'Only orders up to this amount; `none` removes the cap.',
    example: '2000',
  })
  order_cap?: string;

  @OptionalReadAmount({
    read: parseCap,
    description: 'Only up to this amount in a day of the client; `none` removes the cap.',
    example: '10000',
  })
  day_cap?: string;
}

@ApiSchema({ name: 'AutoPay' })
export class AutoPayResponse {
  @WholeNumberField('The number of the client.', 3) client_id: number;
  @FlagField('Whether new orders are paid from the wallet.', true) enabled: boolean;
  @AmountOrNull('The largest order that is paid; null for no cap.', 2_000) order_cap: number | null;
  @AmountOrNull('The most of a day of the client; null for no cap.', 10_000) day_cap: number | null;
}

/** Each order is read after it. */
export const MAX_PAID_TOGETHER = 100;

@ApiSchema({ name: 'PayFromWallets' })
export class PayFromWalletsRequest {
  @RequiredTexts({
    max: MAX_PAID_TOGETHER,
    maxText: 100,
    description: "The orders: numbers, also as pages shorten them, or the stores' own ids.",
    example: ['WO-20261120-7K3M9-QXA2B'],
  })
  orders: string[];

  @OptionalClient('The client of the orders, if two clients have the same id') client?: string;
  @OptionalText({
    max: 200,
    description: 'Who agreed to it, and how. It stands in the history of the orders.',
    example: 'Asha Rao, by phone',
  })
  consent?: string;
}
