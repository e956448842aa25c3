import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Exclusion,
  ForeignKey,
  Index,
  JoinColumn,
  ManyToOne,
  type Relation,
} from 'typeorm';
import { ChangeStamp, IdColumn } from '../platform/database/columns-of.js';
import { Plan } from '../plans/plan.entity.js';
import { Client } from './client.entity.js';

/** The period in which a client buys at a plan's prices, without its end. Periods never overlap. */
@Entity('subscriptions')
@Index('subscriptions_changed', ['changed'])
@Index('subscriptions_plan', ['planId'])
@Check('subscriptions_end_after_start', 'ends_at > starts_at')
@Exclusion(
  'subscriptions_one_at_a_time',
  `USING gist (int4range(client_id, client_id, '[]') WITH &&, tstzrange(starts_at, ends_at) WITH &&)`,
)
export class Subscription {
  @IdColumn('subscriptions_pk')
  id: number;

  @Column('integer', { name: 'client_id' })
  @ForeignKey(() => Client, { name: 'subscriptions_client_fk' })
  clientId: number;

  @Column('integer', { name: 'plan_id' })
  planId: number;

  @ManyToOne(() => Plan)
  @JoinColumn({ name: 'plan_id', foreignKeyConstraintName: 'subscriptions_plan_fk' })
  plan: Relation<Plan>;

  @Column('timestamptz', { name: 'starts_at' })
  startsAt: Date;

  @Column('timestamptz', { name: 'ends_at' })
  endsAt: Date;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @ChangeStamp()
  changed: never;
}
