import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { TaxDocument } from './tax-document.entity.js';

/** What the tax portal answered for a document. Never changed. */
@Entity('e_invoices')
@Unique('e_invoices_irn_once', ['irn'])
@Check('e_invoices_irn_is_hash', "irn ~ '^[0-9a-f]{64}$'")
export class EInvoice {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'e_invoices_pk' })
  @ForeignKey(() => TaxDocument, { name: 'e_invoices_document_fk' })
  number: string;

  /** The number of the registration, which the portal calculates from GSTIN, year, kind and number. */
  @Column('text')
  irn: string;

  @Column('text', { name: 'ack_number' })
  ackNumber: string;

  @Column('timestamptz', { name: 'acked_at' })
  ackedAt: Date;

  /** The content of the QR code, signed by the portal. */
  @Column('text', { name: 'signed_qr' })
  signedQr: string;

  @Column('timestamptz', { name: 'recorded_at', default: () => 'now()' })
  recordedAt: Date;

  @Column('text')
  actor: string;
}
