import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { ChangeStamp } from '../../platform/database/change-stamp.js';

/** A store owner who buys wholesale. A suspended client's tokens are refused. */
@Entity('clients')
@Index('clients_changed', ['changed'])
export class Client {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'clients_pk',
  })
  id: number;

  @Column('text')
  name: string;

  @Column('text')
  email: string;

  @Column('timestamptz', { name: 'suspended_at', nullable: true })
  suspendedAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @ChangeStamp()
  changed: never;
}
