import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Client } from '../../clients/client.entity.js';
import type { GstTreatment } from '../../tax/goods-law.js';
import type { GstCategory } from '../../tax/gst-codes.js';
import { MaxRows } from '../../../platform/database/row-bound.js';
import type { Day } from '../../../platform/time/time.js';
import type { DocumentKind, FinancialYear } from '../rules/document-number.js';
import type { NoteReason } from '../rules/note-reasons.js';

/** The address to which goods are delivered. */
export interface DeliveryAddress {
  name: string;
  phone: string;
  address: string;
  city: string;
  state: string;
  /** The code of the state. Documents of earlier versions lack it. */
  state_code?: string;
  pincode: string;
  country: string;
}

export interface DocumentName {
  number: string;
  issued_on: Day;
}

/** The content of a document without its amounts. A copy, so later changes do not affect it. */
export interface DocumentFacts {
  seller: {
    name: string;
    gstin: string;
    address: string;
    state: string;
    /** The hash of the picture on its PDF. Absent if the firm had none. */
    logo?: string;
  };
  /** Without an address or a state if the client had none, as on a receipt voucher. */
  client: {
    name: string;
    /** Or the UIN of an embassy or UN body. */
    gstin: string | null;
    /** Absent for an ordinary client, and in documents of earlier versions. */
    gst_category?: GstCategory;
    address: string;
    state: string;
  };
  deliver_to: DeliveryAddress | null;
  store_order_id: string | null;
  /** ISO 8601. Null for a receipt voucher without an order. */
  placed_at: string | null;
  /** The invoice that a note changes. */
  against: DocumentName | null;
  /** The invoice that this one replaces. */
  replaces?: DocumentName;
  /** The receipt vouchers that a refund voucher returns, with their parts as numeric text. */
  returns?: (DocumentName & { amount: string })[];
}

/** The amounts of a document, and of each of its lines. */
abstract class TaxAmounts {
  @Column('numeric', { precision: 16, scale: 2 }) gross: string;
  @Column('numeric', { precision: 16, scale: 2 }) taxable: string;
  @Column('numeric', { precision: 16, scale: 2 }) cgst: string;
  @Column('numeric', { precision: 16, scale: 2 }) sgst: string;
  @Column('numeric', { precision: 16, scale: 2 }) igst: string;
}

/** An invoice of a parcel, a note against an invoice, or a voucher of money in or out. Never changed. */
@Entity('tax_documents')
@MaxRows(1_000, 'invoices and notes')
// A name instead of the class, because orders are a higher module.
@ForeignKey('Order', ['clientId', 'orderNumber'], ['clientId', 'orderNumber'], {
  name: 'tax_documents_order_fk',
})
@Unique('tax_documents_parcel_once', ['orderNumber', 'clientId', 'parcel', 'edition', 'part'])
@Unique('tax_documents_payment_once', ['paymentKey', 'clientId'])
@Index('tax_documents_client', ['clientId', 'issuedOn', 'number'])
@Index('tax_documents_day', ['issuedOn', 'number'])
@Index('tax_documents_movements', ['issuedOn', 'number'], { where: "kind = 'invoice' AND gross > 50000" })
@Index('tax_documents_vouchers', ['clientId', 'kind', 'issuedAt'], { where: 'payment_key IS NOT NULL' })
@Index('tax_documents_void_once', ['against'], { unique: true, where: 'voids' })
@Check('tax_documents_number_length', 'char_length(number) <= 16')
@Check(
  'tax_documents_number_has_seller',
  `substring(number from '^[A-Z]+([2-9]?)-') = CASE seller WHEN 1 THEN '' ELSE seller::text END`,
)
@Check(
  'tax_documents_kind_known',
  `kind IN ('invoice', 'credit_note', 'debit_note', 'receipt_voucher', 'refund_voucher')`,
)
@Check(
  'tax_documents_kind_has_its_source',
  `(kind = 'invoice') = (parcel IS NOT NULL)
   AND (kind IN ('credit_note', 'debit_note')) = (against IS NOT NULL)
   AND (kind IN ('receipt_voucher', 'refund_voucher')) = (payment_key IS NOT NULL)
   AND (payment_key IS NOT NULL OR order_number IS NOT NULL)`,
)
@Check('tax_documents_only_notes_void', "kind = 'credit_note' OR NOT voids")
@Check('tax_documents_supplied_before', 'supplied_on < issued_on')
@Check(
  'tax_documents_late_notes_without_tax',
  'credit_ended_on IS NULL OR against IS NOT NULL AND credit_ended_on < issued_on AND taxable = gross',
)
@Check(
  'tax_documents_commercial_notes_without_tax',
  'NOT is_commercial OR against IS NOT NULL AND taxable = gross',
)
@Check(
  'tax_documents_reason_code_of_note',
  "reason_code IS NULL OR reason_code ~ '^0[1-7]$' AND against IS NOT NULL",
)
@Check('tax_documents_gross_not_negative', 'gross >= 0')
@Check('tax_documents_amounts_add_up', 'gross = taxable + cgst + sgst + igst')
@Check('tax_documents_one_kind_of_tax', 'igst = 0 OR cgst = 0 AND sgst = 0')
export class TaxDocument extends TaxAmounts {
  @PrimaryColumn('text') number: string;
  @Column('text') kind: DocumentKind;
  /** The registration of the seller, which has its own series. */
  @Column('smallint', { default: 1 }) seller: number;
  @Column('timestamptz') issuedAt: Date;
  /** The day of `issuedAt` in India. */
  @Column('date') issuedOn: Day;
  /** The earlier day on which the goods of an invoice left. */
  @Column('date', { nullable: true }) suppliedOn: Day | null;
  @Column('integer') @ForeignKey(() => Client, { name: 'tax_documents_client_fk' }) clientId: number;
  @Column('text', { nullable: true }) orderNumber: string | null;
  /** The parcel that an invoice bills. */
  @Column('integer', { nullable: true }) parcel: number | null;
  /** 1 is the first invoice of its parcel. The others were issued again. */
  @Column('integer', { default: 1 }) edition: number;
  /** 2: the bill of supply beside the tax invoice of a parcel. */
  @Column('smallint', { default: 1 }) part: number;
  /** The refund that a note follows. Null for other notes, and in 1.0.0 for refunds before the dispatch. */
  @Column('integer', { nullable: true }) refund: number | null;
  /** The invoice that a note changes. */
  @Column('text', { nullable: true })
  @ForeignKey(() => TaxDocument, { name: 'tax_documents_against_fk' })
  against: string | null;
  /** A credit note that takes back the whole invoice. */
  @Column('boolean', { default: false }) voids: boolean;
  /** The day on which the time for a credit of tax ended. Only for notes that change no tax. */
  @Column('date', { name: 'credit_ended_on', nullable: true }) creditEndedOn: Day | null;
  /** A note that changes no tax, because a person chose it. */
  @Column('boolean', { default: false }) isCommercial: boolean;
  /** The key of the top-up that a receipt voucher confirms, or of the payout that returns receipts. */
  @Column('text', { nullable: true }) paymentKey: string | null;
  /** The code of a state. Empty on a voucher of a client without one. */
  @Column('text') placeOfSupply: string;
  @Column('text', { nullable: true }) reason: string | null;
  @Column('text', { nullable: true }) reasonCode: NoteReason | null;
  @Column('jsonb') facts: DocumentFacts;
}

/** One line of a document. Never changed. */
@Entity('tax_document_items')
@Check('tax_document_items_not_negative', 'quantity >= 0 AND gross >= 0')
@Check('tax_document_items_amounts_add_up', 'gross = taxable + cgst + sgst + igst')
@Check('tax_document_items_one_kind_of_tax', 'igst = 0 OR cgst = 0 AND sgst = 0')
export class TaxDocumentItem extends TaxAmounts {
  @PrimaryColumn('text')
  @ForeignKey(() => TaxDocument, { name: 'tax_document_items_document_fk' })
  number: string;
  @PrimaryColumn('integer') position: number;
  /** The line of the order; 0 is its delivery. */
  @Column('integer', { nullable: true }) line: number | null;
  /** The position of the item of the invoice that an item of a note changes. */
  @Column('integer', { nullable: true }) ofPosition: number | null;
  @Column('text') description: string;
  @Column('text') sku: string;
  @Column('text') hsn: string;
  @Column('text') unit: string;
  /** 0: the price was reduced, and the units stay with the client. */
  @Column('integer') quantity: number;
  @Column('numeric', { precision: 16, scale: 2 }) unitPrice: string;
  @Column('numeric', { precision: 5, scale: 2 }) gstRate: string;
  @Column('text', { default: 'taxable' }) gstTreatment: GstTreatment;
}

/** The last number of each kind of document, in each financial year, of each registration. */
@Entity('document_series')
@Check('document_series_last_positive', 'last > 0')
@Check('document_series_skipped_within', 'skipped BETWEEN 0 AND last')
export class DocumentSeries {
  @PrimaryColumn('text') kind: DocumentKind;
  @PrimaryColumn('text') year: FinancialYear;
  @PrimaryColumn('smallint', { default: 1 }) seller: number;
  @Column('integer') last: number;
  /** How many numbers have no document here: they were issued after the backup that was restored. */
  @Column('integer', { default: 0 }) skipped: number;
  /** The time of the last document. Null if all were skipped. */
  @Column('timestamptz', { nullable: true }) issuedAt: Date | null;
}

/** The registration of a document that needs one. The portal's answer is never changed. */
@Entity('e_invoices')
@Unique('e_invoices_irn_once', ['irn'])
@Index('e_invoices_waiting', ['issuedOn', 'number'], { where: 'irn IS NULL' })
@Index('e_invoices_cancelled', ['number'], { where: 'cancelled_at IS NOT NULL' })
@Check('e_invoices_cancelled_later', 'cancelled_at IS NULL OR irn IS NOT NULL AND cancelled_at >= acked_at')
@Check('e_invoices_irn_is_hash', "irn ~ '^[0-9a-f]{64}$'")
@Check('e_invoices_answered', 'num_nulls(irn, ack_number, acked_at, signed_qr, recorded_at, actor) IN (0, 6)')
export class EInvoice {
  @PrimaryColumn('text') @ForeignKey(() => TaxDocument, { name: 'e_invoices_document_fk' }) number: string;
  /** Copied from the document, for the index of waiting e-invoices. */
  @Column('date') issuedOn: Day;
  /**
   * The number of the registration, which the portal calculates from GSTIN, year, kind and number. It and
   * all below are null until the portal has answered.
   */
  @Column('text', { nullable: true }) irn: string | null;
  @Column('text', { nullable: true }) ackNumber: string | null;
  @Column('timestamptz', { nullable: true }) ackedAt: Date | null;
  @Column('text', { nullable: true }) signedQr: string | null;
  @Column('timestamptz', { nullable: true }) recordedAt: Date | null;
  @Column('text', { nullable: true }) actor: string | null;
  /** When it was cancelled at the portal, which allows that for a day and takes no number twice. */
  @Column('timestamptz', { nullable: true }) cancelledAt: Date | null;
  @Column('timestamptz', { nullable: true }) cancelRecordedAt: Date | null;
}

/** The first registration has no day of its own. */
export const GST_BEGAN: Day = '2017-07-01';

/** A registration of the wholesaler, as its invoices name it. Without a row no document is issued. */
@Entity('sellers')
@Unique('sellers_since_once', ['since'])
@Check('sellers_begin_with_a_month', 'extract(day FROM since) = 1')
@Check('sellers_id_is_a_digit', 'id BETWEEN 1 AND 9')
export class Seller {
  @PrimaryColumn('smallint', { default: 1 }) id: number;
  /** The first day on which goods leave under this registration. */
  @Column('date', { default: GST_BEGAN }) since: Day;
  @Column('text') name: string;
  @Column('text') gstin: string;
  @Column('text') address: string;
  /** The code of two digits with which its GSTIN begins. */
  @Column('text') state: string;
  /** Whether each top-up of a wallet gets a receipt voucher. */
  @Column('boolean', { default: false }) receiptVouchers: boolean;
  @Column('timestamptz', { default: () => 'now()' }) changedAt: Date;
}
