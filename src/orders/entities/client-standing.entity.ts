import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Client } from '../../auth/clients/client.entity.js';

/** What a client has ordered and not paid yet. The database opens one for each client and keeps it as orders change. */
@Entity('client_standings')
@Check('client_standings_not_negative', 'unpaid_orders >= 0 AND unpaid_value >= 0')
export class ClientStanding {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'client_standings_pk' })
  @ForeignKey(() => Client, { name: 'client_standings_client_fk', onDelete: 'CASCADE' })
  clientId: number;

  @Column('integer', { name: 'unpaid_orders', default: 0 })
  unpaidOrders: number;

  @Column('numeric', { name: 'unpaid_value', precision: 24, scale: 2, default: 0 })
  unpaidValue: string;
}
