import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  AlwaysTrue,
  TextOrNull,
  TimeOrNull,
  WholeNumberField,
  WholeNumberOrNull,
} from '../../platform/http/answer-fields.decorator.js';
import { IgnoredParametersField } from '../../platform/validation/ignored-parameters.js';
import { DOCUMENT_KINDS, type DocumentKind } from './rules/document-number.js';

@ApiSchema({ name: 'TaxDocumentLine' })
class DocumentLineResponse {
  @WholeNumberField('The number of the line in its order; 0 is the delivery charge.', 1)
  line: number;

  @WholeNumberField('How many units; 0 if only their price was reduced.', 2)
  quantity: number;

  @ApiProperty({ description: 'The amount with tax, never negative.', example: 318 })
  amount: number;
}

@ApiSchema({ name: 'EWayBill' })
class EWayBillResponse {
  @ApiProperty({ description: 'The number of the portal, 12 digits.', example: '341008123456' })
  number: string;

  @TimeOrNull('The end of its validity; null until the portal knows the vehicle.', '2026-11-24T18:29:00.000Z')
  valid_until: string | null;
}

@ApiSchema({ name: 'TaxDocument' })
export class DocumentResponse {
  @ApiProperty({ description: 'The number of the document.', example: 'INV-2627-0000042' })
  number: string;

  @ApiProperty({
    description:
      'A `credit_note` reduces an invoice; a `debit_note` takes such a reduction back. A `receipt_voucher` ' +
      'confirms a top-up; a `refund_voucher` returns such money.',
    enum: DOCUMENT_KINDS,
    enumName: 'DocumentKind',
    example: 'invoice',
  })
  kind: DocumentKind;

  @ApiProperty({ description: 'The day of its issue in India.', format: 'date', example: '2026-11-22' })
  date: string;

  @ApiProperty({ description: 'The amount with tax, never negative.', example: 363 })
  amount: number;

  @ApiProperty({
    description: 'The address of its PDF, on this host.',
    example: '/api/documents/INV-2627-0000042',
  })
  url: string;

  @TextOrNull('The number of its order; null for a voucher without one.', 'WO-20261120-7K3M9-QXA2B')
  order_number: string | null;

  @TextOrNull("The store's own id of that order, if one was sent.", 'WEB-1001')
  store_order_id: string | null;

  @WholeNumberOrNull('The parcel that an invoice bills, as in `shipments`; else null.', 1)
  parcel: number | null;

  @TextOrNull('The invoice that a note changes; else null.', 'INV-2627-0000042')
  against: string | null;

  @WholeNumberOrNull(
    'The refund that a note follows, as in `refunds` of the order. Null for an invoice, and for a note ' +
      'that takes an invoice back or bills the rest of the delivery.',
    null,
  )
  refund: number | null;

  @ApiProperty({
    description: 'The lines of the order that it bills or reduces. Empty for a voucher.',
    type: [DocumentLineResponse],
  })
  lines: DocumentLineResponse[];

  @ApiPropertyOptional({
    description:
      'The e-way bill of the goods of an invoice; absent without one. It may come, change or end later.',
    type: EWayBillResponse,
  })
  e_way_bill?: EWayBillResponse;
}

@ApiSchema({ name: 'TaxDocumentList' })
export class DocumentListResponse {
  @AlwaysTrue()
  success: true;

  @ApiProperty({ description: 'By `date`, the oldest first.', type: [DocumentResponse] })
  data: DocumentResponse[];

  @ApiProperty({ description: 'Whether there is another page.', example: false })
  has_more: boolean;

  @ApiPropertyOptional({
    description: 'The `cursor` of the next page; absent on the last one.',
    example: 'MjAyNi0xMS0yMiBJTlYtMjYyNy0wMDAwMDQyTiPdQA',
  })
  next_cursor?: string;

  @IgnoredParametersField()
  ignored_parameters?: string[];
}
