import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Client } from '../../clients/client.entity.js';

/** A client's auto-pay. Without a row, or while it is off, orders wait for payment. */
@Entity('auto_pay')
@Check('auto_pay_caps_positive', 'order_cap > 0 AND day_cap > 0')
export class AutoPaySetting {
  @PrimaryColumn('integer') @ForeignKey(() => Client, { name: 'auto_pay_client_fk' }) clientId: number;
  /** Orders placed before this time are left alone. Null: auto-pay is off. */
  @Column('timestamptz', { nullable: true }) enabledAt: Date | null;
  /** The caps of one order and of a day of the client. Null: no cap. */
  @Column('numeric', { precision: 16, scale: 2, nullable: true }) orderCap: string | null;
  @Column('numeric', { precision: 16, scale: 2, nullable: true }) dayCap: string | null;
  @Column('text') changedBy: string;
}
