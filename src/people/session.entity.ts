import { Column, CreateDateColumn, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { IdColumn } from '../platform/database/columns-of.js';
import { Client } from '../clients/client.entity.js';
import { Person } from './person.entity.js';

/** One browser in which a person is signed in. Only the hash of its cookie is stored. */
@Entity('sessions')
@Unique('sessions_hash_unique', ['hash'])
@Index('sessions_person', ['personId'])
export class Session {
  @IdColumn('sessions_pk')
  id: number;

  @Column('integer', { name: 'person_id' })
  @ForeignKey(() => Person, { name: 'sessions_person_fk' })
  personId: number;

  @Column('bytea')
  hash: Buffer;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** To the minute. */
  @Column('timestamptz', { name: 'last_seen_at', default: () => 'now()' })
  lastSeenAt: Date;

  /** The absolute end. An idle session ends earlier. */
  @Column('timestamptz', { name: 'ends_at' })
  endsAt: Date;

  /** Set if it was ended early. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;

  /** When this browser passed the second step. */
  @Column('timestamptz', { name: 'second_step_at', nullable: true })
  secondStepAt: Date | null;

  /** The client whose pages a person of the wholesaler may read, until `seesUntil`. */
  @Column('integer', { name: 'seen_client_id', nullable: true })
  @ForeignKey(() => Client, { name: 'sessions_seen_client_fk' })
  seenClientId: number | null;

  @Column('timestamptz', { name: 'sees_until', nullable: true })
  seesUntil: Date | null;

  /** The browser and the address at sign-in. */
  @Column('text')
  address: string;

  @Column('text', { name: 'user_agent' })
  userAgent: string;
}
