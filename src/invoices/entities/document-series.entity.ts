import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { DocumentKind } from '../rules/document-number.js';

/** The last number of each kind of document in each financial year. */
@Entity('document_series')
@Check('document_series_last_positive', 'last > 0')
export class DocumentSeries {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'document_series_pk' })
  kind: DocumentKind;

  /** The year from April to March: 2627 begins on 1 April 2026. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'document_series_pk' })
  year: string;

  @Column('integer')
  last: number;
}
