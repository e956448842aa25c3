import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/** The answer to a request of the admin API with an `Idempotency-Key`. Null while its work has not ended. */
@Entity('admin_answers')
@Index('admin_answers_asked', ['askedAt'])
export class AdminAnswer {
  @PrimaryColumn('integer') keyId: number;
  @PrimaryColumn('text') idempotencyKey: string;
  @Column('bytea') requestHash: Buffer;
  @CreateDateColumn({ type: 'timestamptz' }) askedAt: Date;
  @Column('json', { nullable: true }) answer: object | null;
}
