import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The profile of the wholesaler's company, in one row. Environment variables override it. */
@Entity('house')
@Check('house_only_one', 'id = 1')
@Check('house_logo_is_hash', `logo ~ '^[0-9a-f]{64}$'`)
export class CompanyProfile {
  @PrimaryColumn('smallint', { default: 1 }) id: number;
  /** Lines such as "IFSC: HDFC0001234". */
  @Column('text', { default: '' }) bankDetails: string;
  @Column('text', { default: '' }) contact: string;
  /** Lines such as "bank: HDFC 0123". The module of sales reads them. */
  @Column('text', { default: '' }) ledgerNames: string;
  /** The hash of a picture, a JPEG. */
  @Column('text', { nullable: true }) logo: string | null;
}
