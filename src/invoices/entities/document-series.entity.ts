import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { DocumentKind, FinancialYear } from '../rules/document-number.js';

/** The last number of each kind of document in each financial year. */
@Entity('document_series')
@Check('document_series_last_positive', 'last > 0')
@Check('document_series_skipped_within', 'skipped BETWEEN 0 AND last')
export class DocumentSeries {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'document_series_pk' })
  kind: DocumentKind;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'document_series_pk' })
  year: FinancialYear;

  @Column('integer')
  last: number;

  /** How many numbers have no document here: they were issued after the backup that was restored. */
  @Column('integer', { default: 0 })
  skipped: number;

  /** The time of the last document. Null if all were skipped. */
  @Column('timestamptz', { name: 'issued_at', nullable: true })
  issuedAt: Date | null;
}
