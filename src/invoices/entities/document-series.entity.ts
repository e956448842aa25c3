import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { DocumentKind, FinancialYear } from '../rules/document-number.js';

/** The last number of each kind of document in each financial year. */
@Entity('document_series')
@Check('document_series_last_positive', 'last > 0')
export class DocumentSeries {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'document_series_pk' })
  kind: DocumentKind;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'document_series_pk' })
  year: FinancialYear;

  @Column('integer')
  last: number;
}
