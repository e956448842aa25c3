import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Client } from '../clients/client.entity.js';

/**
 * The money of a client. The database opens a wallet with each client and checks it against its last entry.
 */
@Entity('wallets')
@Check('wallets_balance_not_negative', 'balance >= 0')
@Check('wallets_reserved_within_balance', 'reserved BETWEEN 0 AND balance')
export class Wallet {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'wallets_pk' })
  @ForeignKey(() => Client, { name: 'wallets_client_fk' })
  clientId: number;

  @Column('numeric', { precision: 16, scale: 2, default: 0 })
  balance: string;

  /** The part that open payments will spend. The database keeps it. */
  @Column('numeric', { precision: 16, scale: 2, default: 0 })
  reserved: string;

  /** The number of the last entry. */
  @Column('bigint', { default: 0 })
  entries: string;
}
