import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Day } from '../../platform/time/time.js';

/** The first registration has no day of its own. */
export const GST_BEGAN: Day = '2017-07-01';

/** A registration of the wholesaler, as its invoices name it. Without a row no document is issued. */
@Entity('sellers')
@Unique('sellers_since_once', ['since'])
@Check('sellers_begin_with_a_month', 'extract(day FROM since) = 1')
@Check('sellers_id_is_a_digit', 'id BETWEEN 1 AND 9')
export class Seller {
  @PrimaryColumn('smallint', { default: 1, primaryKeyConstraintName: 'sellers_pk' })
  id: number;

  /** The first day on which goods leave under this registration. */
  @Column('date', { default: GST_BEGAN })
  since: Day;

  @Column('text')
  name: string;

  @Column('text')
  gstin: string;

  @Column('text')
  address: string;

  /** The code of two digits with which its GSTIN begins. */
  @Column('text')
  state: string;

  /** Whether each top-up of a wallet gets a receipt voucher. */
  @Column('boolean', { name: 'receipt_vouchers', default: false })
  receiptVouchers: boolean;

  @Column('timestamptz', { name: 'changed_at', default: () => 'now()' })
  changedAt: Date;
}
