import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** An event that is still to be told. It goes when it was, or when it was tried often enough. */
@Entity('sandbox_webhooks')
@Index('sandbox_webhooks_due', ['dueAt', 'id'])
export class SandboxWebhook {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'sandbox_webhooks_pk',
  })
  id: string;

  @Column('text', { name: 'event_id' })
  eventId: string;

  /** To the byte what is signed and sent. */
  @Column('text')
  body: string;

  @Column('integer', { default: 0 })
  attempts: number;

  @CreateDateColumn({ name: 'due_at', type: 'timestamptz' })
  dueAt: Date;
}
