import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Client } from '../../auth/clients/client.entity.js';

/** A client's wish that new orders be paid from its wallet at once. No row, or one that is switched off: they wait for payment. */
@Entity('auto_pay')
@Check('auto_pay_caps_positive', 'order_cap > 0 AND day_cap > 0')
export class AutoPaySetting {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'auto_pay_pk' })
  @ForeignKey(() => Client, { name: 'auto_pay_client_fk' })
  clientId: number;

  /** Since when; orders placed before are left alone. */
  @Column('timestamptz', { name: 'enabled_at', nullable: true })
  enabledAt: Date | null;

  /** What a single order may cost at most, and all of a day (UTC); null: as much as there is. */
  @Column('numeric', { name: 'order_cap', precision: 16, scale: 2, nullable: true })
  orderCap: string | null;

  @Column('numeric', { name: 'day_cap', precision: 16, scale: 2, nullable: true })
  dayCap: string | null;

  @Column('text', { name: 'changed_by' })
  changedBy: string;
}
