import { OptionalClient } from '../../clients/admin/client-param.js';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { PageQuery } from '../../../platform/http/admin-route.js';
import {
  AmountField,
  DayOrNull,
  FlagField,
  NameField,
  TextField,
  TextOrNull,
  TimeField,
  TimeOrNull,
  WholeNumberField,
  WholeNumberOrNull,
} from '../../../platform/http/answer-fields.decorator.js';
import type { Month } from '../../../platform/time/time.js';
import { OptionalText } from '../../../platform/validation/body-fields.decorator.js';
import {
  ClearableText,
  OptionalChoice,
  OptionalMonth,
} from '../../../platform/validation/typed-fields.decorator.js';
import { GST_TREATMENTS } from '../../tax/goods-law.js';
import { DOCUMENT_KINDS, type DocumentKind } from '../rules/document-number.js';

export class DocumentsQuery extends PageQuery {
  @OptionalClient('Only of this client') client?: string;

  @OptionalChoice(DOCUMENT_KINDS, { description: 'Only documents of this kind.', enumName: 'DocumentKind' })
  kind?: DocumentKind;

  @OptionalMonth('Only documents that were issued in this month, in India.') month?: Month;
  @OptionalText({
    max: 100,
    description: "Only with this part of a number, order, store's id, name or GSTIN, among the newest.",
    example: 'Mango',
  })
  search?: string;
}

class DocumentSums {
  @AmountField('The amount without tax.', 307.63) taxable: number;
  @AmountField('CGST.', 27.69) cgst: number;
  @AmountField('SGST or UTGST.', 27.68) sgst: number;
  @AmountField('IGST.', 0) igst: number;
  @AmountField('The amount with tax, never negative.', 363) total: number;
}

@ApiSchema({ name: 'DocumentRow' })
export class DocumentRowResponse {
  @TextField('The number of the document.', 'INV-2627-0000042') number: string;
  @NameField('Its kind.', DOCUMENT_KINDS, 'DocumentKind') kind: DocumentKind;
  @ApiProperty({ description: 'The day of its issue in India.', format: 'date', example: '2026-11-22' })
  issued_on: string;

  @WholeNumberField('The number of its client.', 3) client_id: number;
  @TextField('The client as the document names it.', 'Mango Market') client: string;
  @TextOrNull('Its order; null for a voucher without one.', 'WO-20261120-7K3M9-QXA2B')
  order_number: string | null;

  @TextOrNull('The invoice that a note changes.', null) against: string | null;
  @WholeNumberOrNull('The refund of the order that a note follows.', null) refund: number | null;
  @DayOrNull('Of a note that changes no tax: the day on which the time for a credit ended.', null)
  credit_ended_on: string | null;

  @FlagField('A note that changes no tax, because a person chose it.', false) is_commercial: boolean;
  @AmountField('The amount without tax.', 307.63) taxable: number;
  @AmountField('All taxes.', 55.37) tax: number;
  @AmountField('The amount with tax, never negative.', 363) amount: number;
}

@ApiSchema({ name: 'DocumentSeller' })
class DocumentSellerResponse {
  @TextField('The legal name.', 'Sharma Wholesale') name: string;
  @TextField('The GSTIN.', '27AAPFU0939F1ZV') gstin: string;
  @TextField('The address.', '1 MG Road, Pune 411001') address: string;
  @TextField('The code of the state.', '27') state: string;
}

@ApiSchema({ name: 'DocumentClient' })
class DocumentClientResponse {
  @TextField('The name.', 'Mango Market') name: string;
  @TextOrNull('The GSTIN, or the UIN of an embassy.', '29AAGCB7383J1Z4') gstin: string | null;
  @ApiPropertyOptional({ description: 'Absent for an ordinary client.', example: 'sez' })
  gst_category?: string;

  @TextField('The billing address.', '4, Residency Road, Bengaluru 560025') address: string;
  @TextField('The code of the state.', '29') state: string;
}

@ApiSchema({ name: 'NamedDocument' })
class NamedDocumentResponse {
  @TextField('The number.', 'INV-2627-0000041') number: string;
  @ApiProperty({ description: 'The day of its issue.', format: 'date', example: '2026-11-20' })
  issued_on: string;
}

@ApiSchema({ name: 'ReturnedVoucher' })
class ReturnedVoucherResponse extends NamedDocumentResponse {
  @AmountField('The part of it that goes back.', 100) amount: number;
}

@ApiSchema({ name: 'DocumentItem' })
class DocumentItemResponse extends DocumentSums {
  @WholeNumberOrNull('The line of the order; 0 is the delivery charge.', 1) line: number | null;
  @TextField('The goods or the service.', 'Classic Cotton T-Shirt, Navy, M') description: string;
  @TextField('The SKU; empty for the delivery charge.', 'TSHIRT-CLASSIC') sku: string;
  @TextField('The HSN or SAC code.', '6109') hsn: string;
  @WholeNumberField('How many; 0 if only the price was reduced.', 2) quantity: number;
  @TextField('The unit, as the portal names it.', 'PCS') unit: string;
  @AmountField('The price of one, with tax.', 159) unit_price: number;
  @AmountField('The rate of GST in percent.', 5) gst_rate: number;
  @NameField('How GST treats it.', Object.keys(GST_TREATMENTS)) gst_treatment: string;
}

const optionalTime = (description: string) =>
  ApiPropertyOptional({ description, format: 'date-time', example: '2026-11-22T10:15:00.000Z' });

@ApiSchema({ name: 'DocumentDetails' })
export class DocumentDetailsResponse extends DocumentSums {
  @TextField('The number of the document.', 'INV-2627-0000042') number: string;
  @NameField('Its kind.', DOCUMENT_KINDS, 'DocumentKind') kind: DocumentKind;
  @TextField('Its heading.', 'Tax invoice') title: string;
  @TimeField('When it was issued.', '2026-11-22T09:30:00.000Z') issued_at: string;
  @ApiProperty({ description: 'The day of its issue in India.', format: 'date', example: '2026-11-22' })
  issued_on: string;

  @DayOrNull('The day on which the goods left, if it is another one.', null) supplied_on: string | null;
  @WholeNumberField('The number of its client.', 3) client_id: number;
  @TextOrNull('Its order; null for a voucher without one.', 'WO-20261120-7K3M9-QXA2B')
  order_number: string | null;

  @WholeNumberOrNull('The parcel that an invoice bills.', 1) parcel: number | null;
  @WholeNumberOrNull('The refund of the order that a note follows.', null) refund: number | null;
  @DayOrNull('Of a note that changes no tax: the day on which the time for a credit ended.', null)
  credit_ended_on: string | null;

  @FlagField('A note that changes no tax, because a person chose it.', false) is_commercial: boolean;
  @TextOrNull('The code of the reason of a note.', null) reason_code: string | null;
  @TextOrNull('The reason of a note.', null) reason: string | null;
  @TextField('The code of the state where the goods go.', '29') place_of_supply: string;
  @ApiProperty({ description: 'You, as the document names you.', type: DocumentSellerResponse })
  seller: DocumentSellerResponse;

  @ApiProperty({ description: 'The client, as the document names it.', type: DocumentClientResponse })
  client: DocumentClientResponse;

  @ApiProperty({
    description: 'Where the goods go, by the fields of the order; null for a voucher.',
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    example: { name: 'Ravi Kumar', city: 'Bengaluru' },
  })
  deliver_to: object | null;

  @TextOrNull("The store's own id of the order.", 'WEB-1001') store_order_id: string | null;
  @TimeOrNull('When the order was placed.', '2026-11-20T09:30:00.000Z') placed_at: string | null;
  @ApiProperty({
    description: 'The invoice that a note changes.',
    type: NamedDocumentResponse,
    nullable: true,
  })
  against: NamedDocumentResponse | null;

  @ApiPropertyOptional({ description: 'The invoice that this one replaces.', type: NamedDocumentResponse })
  replaces?: NamedDocumentResponse;

  @ApiPropertyOptional({
    description: 'The receipt vouchers that a refund voucher returns.',
    type: [ReturnedVoucherResponse],
  })
  returns?: ReturnedVoucherResponse[];

  @ApiPropertyOptional({ description: 'It waits for its IRN.', enum: [true], example: true })
  awaits_irn?: true;

  @ApiPropertyOptional({ description: 'Its IRN.', example: 'a'.repeat(64) }) irn?: string;
  @ApiPropertyOptional({
    description: 'The acknowledgement number of the portal.',
    example: '122610012345678',
  })
  ack_number?: string;

  @optionalTime('The acknowledgement of the portal.')
  acked_at?: string;

  @optionalTime('When the IRN was cancelled.')
  irn_cancelled_at?: string;

  @ApiPropertyOptional({
    description: 'The number of its e-way bill; null while it waits for one. Absent if it needs none.',
    type: String,
    nullable: true,
    example: '341008123456',
  })
  e_way_bill?: string | null;

  @ApiPropertyOptional({
    description: 'The transport of its e-way bill.',
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { vehicle_number: 'KA01AB1234' },
  })
  transport?: object;

  @optionalTime('When the e-way bill was made.')
  e_way_bill_generated_at?: string;

  @optionalTime('The end of its validity.')
  e_way_bill_valid_until?: string;

  @ApiProperty({ description: 'The lines of the document.', type: [DocumentItemResponse] })
  items: DocumentItemResponse[];
}

const CLEARS = 'An empty text removes it.';

@ApiSchema({ name: 'ChangeEWayBill' })
export class ChangeEWayBillRequest {
  @ClearableText({ description: `How the goods go. ${CLEARS}`, example: 'road' }) mode?: string;
  @ClearableText({ description: `The distance in kilometres. ${CLEARS}`, example: '120' })
  distance_km?: string;

  @ClearableText({ description: `The number of the vehicle. ${CLEARS}`, example: 'KA01AB1234' })
  vehicle_number?: string;

  @ClearableText({ description: `The type of the vehicle. ${CLEARS}`, example: 'regular' })
  vehicle_type?: string;

  @ClearableText({
    description: `The GSTIN or TRANSIN of the transporter. ${CLEARS}`,
    example: '27AAPFU0939F1ZV',
  })
  transporter_id?: string;

  @ClearableText({ description: `The name of the transporter. ${CLEARS}`, example: 'VRL Logistics' })
  transporter_name?: string;

  @ClearableText({ description: `The number of the transport document. ${CLEARS}`, example: 'LR-4711' })
  transport_document?: string;

  @ClearableText({ description: `The day of the transport document. ${CLEARS}`, example: '2026-11-22' })
  transport_document_on?: string;

  @OptionalText({ max: 20, description: 'The number that the portal gave.', example: '341008123456' })
  e_way_bill?: string;

  @OptionalText({ max: 40, description: 'When the portal made it.', example: '2026-11-22T10:15:00Z' })
  generated_at?: string;

  @OptionalText({ max: 40, description: 'The end of its validity.', example: '2026-11-24T18:29:00Z' })
  valid_until?: string;

  @OptionalText({
    max: 200,
    description: 'It was cancelled at the portal, or none is needed: the reason.',
    example: 'Goods by hand',
  })
  end?: string;
}

@ApiSchema({ name: 'EWayBillState' })
export class EWayBillStateResponse {
  @TextField('The number of the invoice.', 'INV-2627-0000042') number: string;
  @TextOrNull('The number of its e-way bill; null without one.', '341008123456') e_way_bill: string | null;
  @ApiProperty({
    description: 'Its transport; null if it needs no e-way bill.',
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    example: { vehicle_number: 'KA01AB1234' },
  })
  transport: object | null;
}
