import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index } from 'typeorm';
import { Client } from '../../clients/client.entity.js';
import { IdColumn } from '../../../platform/database/columns-of.js';
import type { TransferStatus } from '../rules/payment-status.js';

/** Money that a client reports as sent by bank. It counts after the wholesaler has confirmed it. */
@Entity('bank_transfers')
@Index('bank_transfers_utr_once', ['utr'], { unique: true, where: `status = 'confirmed'` })
@Index('bank_transfers_claimed_once', ['utr', 'clientId'], {
  unique: true,
  where: `status IN ('announced', 'confirmed')`,
})
@Index('bank_transfers_client', ['clientId'])
@Index('bank_transfers_announced', ['announcedAt'], { where: "status = 'announced'" })
@Index('bank_transfers_newest_decided', ['decidedAt'], { where: 'decided_at IS NOT NULL' })
@Check('bank_transfers_tds_is_a_share', 'tds BETWEEN 0 AND coalesce(received, amount) / 4')
@Check(
  'bank_transfers_received_differs',
  `received IS NULL OR received > 0 AND received <> amount AND status = 'confirmed' AND reason IS NOT NULL`,
)
@Check('bank_transfers_amount_positive', 'amount > 0')
@Check('bank_transfers_status_known', `status IN ('announced', 'confirmed', 'refused', 'withdrawn')`)
@Check('bank_transfers_decided', `(status = 'announced') = (decided_at IS NULL)`)
export class BankTransfer {
  @IdColumn() transferId: number;
  @Column('integer') @ForeignKey(() => Client, { name: 'bank_transfers_client_fk' }) clientId: number;
  @Column('numeric', { precision: 16, scale: 2 }) amount: string;
  /** The amount on the bank statement, if it differs from the report. */
  @Column('numeric', { precision: 16, scale: 2, nullable: true }) received: string | null;
  /** The tax that the client deducted from what it owed. Final once the transfer is confirmed. */
  @Column('numeric', { precision: 16, scale: 2, default: 0 }) tds: string;
  /** The bank's number of a transfer. Several clients may claim one; only one claim is confirmed. */
  @Column('text') utr: string;
  /** The account holder's name, as the client reports it. */
  @Column('text', { nullable: true }) payer: string | null;
  @Column('text', { default: 'announced' }) status: TransferStatus;
  @Column('text') announcedBy: string;
  @CreateDateColumn({ type: 'timestamptz' }) announcedAt: Date;
  @Column('text', { nullable: true }) decidedBy: string | null;
  @Column('timestamptz', { nullable: true }) decidedAt: Date | null;
  /** The reason for a refusal, or for another amount. */
  @Column('text', { nullable: true }) reason: string | null;
  /** The payer's name on the wholesaler's bank statement. */
  @Column('text', { nullable: true }) receivedFrom: string | null;
}
