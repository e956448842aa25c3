import { Check, Column, Entity, ForeignKey, PrimaryColumn, CreateDateColumn, Index, Unique } from 'typeorm';
import { Client } from '../clients/client.entity.js';
import { SameKey } from '../../platform/database/columns-of.js';
import type { LedgerAccount, PostingKind } from './rules/posting.js';

/**
 * The money of a client. The database opens a wallet with each client and checks it against its last entry.
 */
@Entity('wallets')
@Check('wallets_balance_not_negative', 'balance >= 0')
@Check('wallets_reserved_within_balance', 'reserved BETWEEN 0 AND balance')
export class Wallet {
  @PrimaryColumn('integer') @ForeignKey(() => Client, { name: 'wallets_client_fk' }) clientId: number;
  @Column('numeric', { precision: 16, scale: 2, default: 0 }) balance: string;
  /** The part that open payments will spend. The database keeps it. */
  @Column('numeric', { precision: 16, scale: 2, default: 0 }) reserved: string;
  /** The number of the last entry. */
  @Column('bigint', { default: 0 }) entries: string;
}

/** One line of a client's passbook: a debit and a credit in one row. Rows are never changed. */
@Entity('wallet_entries')
@Unique('wallet_entries_key_unique', ['key', 'clientId'])
// Names instead of classes, because orders and payments are higher modules.
@SameKey('Order', ['clientId', 'orderNumber'], 'wallet_entries_order_fk')
@SameKey('Payment', ['clientId', 'paymentId'], 'wallet_entries_payment_fk')
@Index('wallet_entries_gateway_once', ['key'], {
  unique: true,
  where: `kind = 'top_up' AND against = 'gateway'`,
})
@Index('wallet_entries_order', ['orderNumber', 'clientId'])
@Index('wallet_entries_payment', ['paymentId', 'clientId'], { where: 'payment_id IS NOT NULL' })
@Index('wallet_entries_reference', { synchronize: false })
@Index('wallet_entries_when', ['clientId', 'createdAt'])
@Index('wallet_entries_rare', ['clientId', 'kind', 'entry'], { where: `kind <> 'order_payment'` })
@Check('wallet_entries_amount_not_zero', 'amount <> 0')
@Check('wallet_entries_balance_not_negative', 'balance_after >= 0')
@Check(
  'wallet_entries_kind_known',
  `kind IN ('top_up', 'order_payment', 'order_refund', 'payout', 'payout_failed', 'adjustment')`,
)
@Check(
  'wallet_entries_against_known',
  `against IN ('gateway', 'bank', 'tds', 'sales', 'in_transit', 'adjustments')`,
)
export class WalletEntry {
  @PrimaryColumn('integer') @ForeignKey(() => Wallet, { name: 'wallet_entries_wallet_fk' }) clientId: number;
  /** Counted from 1 without a gap. */
  @PrimaryColumn('bigint') entry: string;
  @Column('text') kind: PostingKind;
  /** The account on the other side. It keeps no balance, so no row becomes a bottleneck. */
  @Column('text') against: LedgerAccount;
  @Column('numeric', { precision: 16, scale: 2 }) amount: string;
  @Column('numeric', { precision: 16, scale: 2 }) balanceAfter: string;
  /** Makes a posting happen only once; see `rules/posting.ts`. */
  @Column('text') key: string;
  @Column('text', { nullable: true }) orderNumber: string | null;
  @Column('uuid', { nullable: true }) paymentId: string | null;
  @Column('text') actor: string;
  @Column('text', { nullable: true }) note: string | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
}
