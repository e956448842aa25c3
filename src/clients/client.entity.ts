import { Check, Column, CreateDateColumn, Entity, Index } from 'typeorm';
import { ChangeStamp, IdColumn } from '../platform/database/columns-of.js';
import type { TimeZone } from '../platform/time/time.js';

/** A store owner who buys wholesale. The tokens of a suspended client are refused. */
@Entity('clients')
@Index('clients_changed', ['changed'])
@Check('clients_unpaid_limits_not_negative', 'unpaid_value_limit >= 0 AND unpaid_orders_limit >= 0')
export class Client {
  @IdColumn('clients_pk')
  id: number;

  @Column('text')
  name: string;

  @Column('text')
  email: string;

  @Column('timestamptz', { name: 'suspended_at', nullable: true })
  suspendedAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** The maximum value of its unpaid orders. Null: the settings' value. 0: no limit. */
  @Column('numeric', { name: 'unpaid_value_limit', precision: 16, scale: 2, nullable: true })
  unpaidValueLimit: string | null;

  /** The maximum number of its unpaid orders, with the same meaning of null and 0. */
  @Column('integer', { name: 'unpaid_orders_limit', nullable: true })
  unpaidOrdersLimit: number | null;

  /** Null: the settings' zone. */
  @Column('text', { name: 'time_zone', nullable: true })
  timeZone: TimeZone | null;

  @Column('text', { nullable: true })
  gstin: string | null;

  /** The code of two digits of the state that invoices name as the place of supply. */
  @Column('text', { nullable: true })
  state: string | null;

  @Column('text', { name: 'billing_address', nullable: true })
  billingAddress: string | null;

  @ChangeStamp()
  changed: never;
}
