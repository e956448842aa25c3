import { Check, Column, CreateDateColumn, Entity, Unique } from 'typeorm';
import type { DeskRole } from '../../../platform/access/access-rule.js';
import { IdColumn } from '../../../platform/database/columns-of.js';

/** A secret with which a program of the wholesaler uses the admin API. It never changes, but it ends. */
@Entity('admin_keys')
@Check('admin_keys_role_known', `role IN ('packer', 'staff', 'admin')`)
@Unique('admin_keys_hash_unique', ['hash'])
export class AdminKey {
  @IdColumn() id: number;
  @Column('text') name: string;
  @Column('text') role: DeskRole;
  @Column('bytea') hash: Buffer;
  /** By which people recognise it. */
  @Column('text') prefix: string;
  /** The networks from which it works, such as 203.0.113.0/24. Null: from everywhere. */
  @Column('text', { array: true, nullable: true }) networks: string[] | null;
  @Column('text') createdBy: string;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) endsAt: Date | null;
  @Column('timestamptz', { nullable: true }) revokedAt: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
  @Column('text', { nullable: true }) lastUsedAddress: string | null;
}
