import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Client } from '../auth/clients/client.entity.js';

/** What a client has with the wholesaler. The database opens one for each client, and has it say what its last entry says. */
@Entity('wallets')
@Check('wallets_balance_not_negative', 'balance >= 0')
export class Wallet {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'wallets_pk' })
  @ForeignKey(() => Client, { name: 'wallets_client_fk' })
  clientId: number;

  @Column('numeric', { precision: 16, scale: 2, default: 0 })
  balance: string;

  /** How many entries there are, which is the number of the last one. */
  @Column('bigint', { default: 0 })
  entries: string;
}
