import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Client } from './client.entity.js';

/** A domain for which a client's owners may create tokens. */
@Entity('client_domains')
@Index('client_domains_domain', ['domain'])
export class ClientDomain {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'client_domains_pk' })
  @ForeignKey(() => Client, { name: 'client_domains_client_fk', onDelete: 'CASCADE' })
  clientId: number;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'client_domains_pk' })
  domain: string;

  @CreateDateColumn({ name: 'allowed_at', type: 'timestamptz' })
  allowedAt: Date;

  @Column('text', { name: 'allowed_by' })
  allowedBy: string;
}
