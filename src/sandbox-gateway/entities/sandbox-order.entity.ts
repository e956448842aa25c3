import { Check, Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Something to be paid, in one or more attempts. Whether it is, its payments say. */
@Entity('sandbox_orders')
@Check('sandbox_orders_amount_positive', 'amount > 0')
export class SandboxOrder {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sandbox_orders_pk' })
  id: string;

  @Column('numeric', { precision: 16, scale: 2 })
  amount: string;

  @Column('text')
  currency: string;

  @Column('text', { nullable: true })
  receipt: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
