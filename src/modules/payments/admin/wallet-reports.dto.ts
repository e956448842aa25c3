import { RequiredClient } from '../../clients/admin/client-param.js';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  AmountField,
  TextField,
  TextOrNull,
  TimeField,
  WholeNumberField,
} from '../../../platform/http/answer-fields.decorator.js';
import type { Month } from '../../../platform/time/time.js';
import { OptionalEnd, RequiredMonth } from '../../../platform/validation/typed-fields.decorator.js';
import { ExportQuery } from '../../../shared/imports/admin/export-route.js';
import { DocumentRowResponse } from '../../invoices/admin/documents.dto.js';

export class StatementQuery extends ExportQuery {
  @RequiredClient() client: string;

  @RequiredMonth('The month.') month: Month;
}

@ApiSchema({ name: 'StatementEntry' })
class StatementEntryResponse {
  @WholeNumberField('The number of the entry.', 17) entry: number;
  @TimeField('When it was posted.', '2026-11-20T09:30:00.000Z') at: string;
  @TextField('What happened.', 'Order paid') what: string;
  @TextOrNull('The order that it pays or refunds.', 'WO-20261120-7K3M9-QXA2B') order_number: string | null;
  @TextOrNull("The store's own id of the order.", 'WEB-1001') store_order_id: string | null;
  @TextField('Its reference; empty without one.', '') reference: string;
  @AmountField('Negative for money that leaves the wallet.', -363) amount: number;
  @AmountField('The balance after it.', 2_137) balance_after: number;
}

@ApiSchema({ name: 'Statement' })
export class StatementResponse {
  @WholeNumberField('The number of the client.', 3) client_id: number;
  @TextField('The client, as its newest invoice of the month names it.', 'Mango Market') client: string;
  @TextOrNull('Its GSTIN.', '29AAGCB7383J1Z4') client_gstin: string | null;
  @TextOrNull('You.', 'Sharma Wholesale') seller: string | null;
  @TextOrNull('Your GSTIN.', '27AAPFU0939F1ZV') seller_gstin: string | null;
  @TextField('The month.', '2026-11') month: Month;
  @TextField('The currency of all amounts.', 'INR') currency: string;
  @AmountField('The balance before the month.', 0) opening_balance: number;
  @AmountField('What came.', 2_500) money_in: number;
  @AmountField('What went.', 363) money_out: number;
  @AmountField('The balance at its end: opening plus money in, minus money out.', 2_137)
  closing_balance: number;

  @ApiProperty({ description: 'The documents of the month, oldest first.', type: [DocumentRowResponse] })
  documents: DocumentRowResponse[];

  @ApiProperty({ description: 'The entries, oldest first.', type: [StatementEntryResponse] })
  entries: StatementEntryResponse[];
}

export class BalancesQuery extends ExportQuery {
  @OptionalEnd('The balances before this time; now by default.') on?: string;
}

@ApiSchema({ name: 'Balance' })
export class BalanceResponse {
  @WholeNumberField('The number of the client.', 3) client_id: number;
  @TextField('The name of the client.', 'Mango Market') client: string;
  @AmountField('The money in the wallet.', 2_137) wallet: number;
  @AmountField('The part of it that came more than 365 days before.', 0) wallet_over_365_days: number;
  @AmountField('What was paid for orders, less refunds.', 363) paid_for_orders: number;
  @AmountField('What is invoiced, less credit notes.', 363) invoiced: number;
  @AmountField('Paid for orders, but not invoiced.', 0) paid_not_invoiced: number;
  @AmountField('The part of it that will have no invoice.', 0) left_without_invoice: number;
}
