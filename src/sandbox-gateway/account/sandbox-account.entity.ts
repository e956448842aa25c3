import { Column, Entity, PrimaryColumn } from 'typeorm';

/** As whom the service speaks with the sandbox: one row, which the migration filled with what it drew at random. */
@Entity('sandbox_account')
export class SandboxAccount {
  @PrimaryColumn('text', { name: 'key_id', primaryKeyConstraintName: 'sandbox_account_pk' })
  keyId: string;

  @Column('text', { name: 'key_secret' })
  keySecret: string;

  @Column('text', { name: 'webhook_secret' })
  webhookSecret: string;
}
