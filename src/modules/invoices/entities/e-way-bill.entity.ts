import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Day } from '../../../platform/time/time.js';
import type { Transport } from '../rules/e-way-bill.js';
import { TaxDocument } from './tax-document.entity.js';

/** The e-way bill of an invoice. Its number is never changed; after a cancellation it has another edition. */
@Entity('e_way_bills')
@Unique('e_way_bills_number_once', ['billNumber'])
@Index('e_way_bills_open_once', ['number'], { unique: true, where: 'ended_at IS NULL' })
@Index('e_way_bills_waiting', ['issuedOn', 'number'], { where: 'bill_number IS NULL AND ended_at IS NULL' })
@Check('e_way_bills_number_has_digits', "bill_number ~ '^\\d{12}$'")
@Check('e_way_bills_answered', 'num_nulls(bill_number, generated_at) IN (0, 2)')
@Check(
  'e_way_bills_valid_later',
  'valid_until IS NULL OR bill_number IS NOT NULL AND valid_until >= generated_at',
)
@Check('e_way_bills_ended_later', 'ended_at >= generated_at')
@Check(
  'e_way_bills_not_needed_has_reason',
  'ended_at IS NULL OR bill_number IS NOT NULL OR reason IS NOT NULL',
)
export class EWayBill {
  /** The number of the invoice. */
  @PrimaryColumn('text') @ForeignKey(() => TaxDocument, { name: 'e_way_bills_document_fk' }) number: string;
  @PrimaryColumn('smallint', { default: 1 }) edition: number;
  /** Copied from the invoice, for the index of waiting e-way bills. */
  @Column('date') issuedOn: Day;
  @Column('jsonb', { default: {} }) transport: Transport;
  /** The number of the portal; null while it waits. */
  @Column('text', { nullable: true }) billNumber: string | null;
  @Column('timestamptz', { nullable: true }) generatedAt: Date | null;
  /** Null until the portal knows the vehicle (Part B). */
  @Column('timestamptz', { nullable: true }) validUntil: Date | null;
  /** When it was cancelled at the portal. Without a number: none is needed, for the reason. */
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  @Column('text', { nullable: true }) reason: string | null;
  @Column('text', { nullable: true }) actor: string | null;
}
