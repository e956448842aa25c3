import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The wholesaler as its invoices name it. At most one row; without it no document is issued. */
@Entity('sellers')
@Check('sellers_only_one', 'id = 1')
export class Seller {
  @PrimaryColumn('smallint', { default: 1, primaryKeyConstraintName: 'sellers_pk' })
  id: number;

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
