import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Month } from '../../../platform/time/time.js';

/** A person marked the return of a month as filed. To take the mark back deletes the row. */
@Entity('filed_returns')
@Check('filed_returns_month', "period ~ '^20\\d\\d-(0[1-9]|1[0-2])$'")
export class FiledReturn {
  @PrimaryColumn('text') period: Month;
  @PrimaryColumn('text') gstin: string;
  @Column('timestamptz', { default: () => 'now()' }) filedAt: Date;
  @Column('text') actor: string;
  /** The acknowledgement number of the portal. */
  @Column('text', { nullable: true }) arn: string | null;
}
