import { OptionalClient, RequiredClient } from '../../clients/admin/client-param.js';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  AmountField,
  AmountOrNull,
  CountField,
  NameField,
  TextField,
  TextOrNull,
} from '../../../platform/http/answer-fields.decorator.js';
import type { Day, Month } from '../../../platform/time/time.js';
import { OptionalText } from '../../../platform/validation/body-fields.decorator.js';
import {
  OptionalChoice,
  OptionalDay,
  OptionalEnd,
  OptionalStart,
  RequiredMonth,
} from '../../../platform/validation/typed-fields.decorator.js';
import { ExportQuery } from '../../../shared/imports/admin/export-route.js';
import { DOCUMENT_KINDS } from '../../invoices/rules/document-number.js';
import { SALES_GROUPS, type SalesBy } from '../sales-groups.js';

export class SalesQuery extends ExportQuery {
  @OptionalChoice(SALES_GROUPS, { description: 'What each row stands for; a day by default.' }) by?: SalesBy;
  @OptionalClient('Only of this client') client?: string;
  @OptionalStart('Only payments and refunds from this time on.') from?: string;
  @OptionalEnd('Only payments and refunds before this time.') to?: string;
}

@ApiSchema({ name: 'SalesRow' })
export class SalesRowResponse {
  @ApiPropertyOptional({ description: 'By day: the day.', format: 'date', example: '2026-11-20' })
  day?: string;

  @ApiPropertyOptional({ description: 'By month: the month.', example: '2026-11' }) month?: string;
  @ApiPropertyOptional({ description: 'By client: its number.', type: 'integer', example: 3 })
  client_id?: number;

  @ApiPropertyOptional({ description: 'By client: its name.', example: 'Mango Market' }) client?: string;
  @ApiPropertyOptional({
    description: 'By product: its SKU. Empty for refunds that are for no product.',
    example: 'TSHIRT-CLASSIC',
  })
  sku?: string;

  @ApiPropertyOptional({ description: 'By product: its name.', example: 'Classic Cotton T-Shirt' })
  name?: string;

  @ApiPropertyOptional({ description: 'By state: where the goods go.', example: 'Karnataka' }) state?: string;
  @TextField('The currency of the amounts.', 'INR') currency: string;
  @CountField('Paid orders.', 12) orders: number;
  @AmountField('Sold units.', 40) units: number;
  @AmountField('The price of the goods.', 6_360) goods: number;
  @AmountField('The delivery charges.', 540) delivery: number;
  @AmountField('What was paid: goods and delivery.', 6_900) paid: number;
  @AmountField('Units whose price was refunded.', 1) refunded_units: number;
  @AmountField('What was refunded.', 159) refunded: number;
  @AmountField('What was paid, less refunds.', 6_741) net: number;
}

export class RegisterQuery extends ExportQuery {
  @OptionalDay('The first day in India; 1 April of the financial year by default.') from?: Day;
  @OptionalDay('The last day in India; today by default.') to?: Day;
}

export class LedgerQuery extends RegisterQuery {
  @RequiredClient() client: string;
}

@ApiSchema({ name: 'LedgerRow' })
export class LedgerRowResponse {
  @ApiProperty({ description: 'The day in India.', format: 'date', example: '2026-11-20' }) date: string;
  @TextOrNull('The type of the voucher; null for opening and closing balance.', 'Sales') type: string | null;
  @TextOrNull('Its number.', 'INV-2627-0000042') number: string | null;
  @TextOrNull('What it is for.', 'Order WO-20261120-7K3M9-QXA2B') details: string | null;
  @AmountOrNull('What the client owes for it.', 363) debit: number | null;
  @AmountOrNull('What the client has paid.', null) credit: number | null;
  @AmountField('The balance after it. Below 0: paid in advance.', -2_137) balance: number;
}

@ApiSchema({ name: 'RegisterRow' })
export class RegisterRowResponse {
  @ApiProperty({ description: 'The day of the document.', format: 'date', example: '2026-11-22' })
  date: string;

  @TextField('Its number.', 'INV-2627-0000042') number: string;
  @NameField('Its kind.', DOCUMENT_KINDS, 'DocumentKind') kind: string;
  @TextField('The client, as it names it.', 'Mango Market') party: string;
  @TextOrNull('The GSTIN of the client.', '29AAGCB7383J1Z4') gstin: string | null;
  @TextField('The state where the goods go.', 'Karnataka') place_of_supply: string;
  @AmountField('The amount without tax.', 307.63) taxable: number;
  @AmountField('CGST.', 27.69) cgst: number;
  @AmountField('SGST or UTGST.', 27.68) sgst: number;
  @AmountField('IGST.', 0) igst: number;
  @AmountField('The amount with tax.', 363) total: number;
  @TextOrNull('Its order.', 'WO-20261120-7K3M9-QXA2B') order_number: string | null;
  @TextOrNull('The invoice that a note changes.', null) against: string | null;
  @ApiProperty({ description: 'The day on which the goods left.', format: 'date', example: '2026-11-22' })
  supplied_on: string;
}

export class VouchersQuery {
  @RequiredMonth('The month.') month: Month;
  @OptionalText({
    max: 60,
    description: 'Only this file, as it is called in the ZIP.',
    example: '2-vouchers.xml',
  })
  file?: string;
}

@ApiSchema({ name: 'VoucherSum' })
export class VoucherSumResponse {
  @TextField('The type of the vouchers, as Tally names it.', 'Sales') type: string;
  @CountField('How many.', 12) vouchers: number;
  @AmountField("Their amount on the clients' ledgers.", 6_900) amount: number;
}
