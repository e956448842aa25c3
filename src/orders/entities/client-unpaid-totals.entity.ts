import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Client } from '../../clients/client.entity.js';

/** The unpaid orders of a client and their value. The database creates the row and keeps it current. */
@Entity('unpaid_totals')
@Check('unpaid_totals_not_negative', 'unpaid_orders >= 0 AND unpaid_value >= 0')
export class ClientUnpaidTotals {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'unpaid_totals_pk' })
  @ForeignKey(() => Client, { name: 'unpaid_totals_client_fk', onDelete: 'CASCADE' })
  clientId: number;

  @Column('integer', { name: 'unpaid_orders', default: 0 })
  unpaidOrders: number;

  @Column('numeric', { name: 'unpaid_value', precision: 24, scale: 2, default: 0 })
  unpaidValue: string;
}
