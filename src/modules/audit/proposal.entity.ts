import { Check, Column, CreateDateColumn, Entity, Index } from 'typeorm';
import type { DeskRole } from '../../platform/access/access-rule.js';
import { IdColumn } from '../../platform/database/columns-of.js';
import type { FormFields } from '../../platform/http/parse-form.js';

export const PROPOSAL_STATES = ['waiting', 'done', 'refused', 'withdrawn'] as const;

export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** A deed about money that one of the wholesaler's people proposed. Another does it, or refuses it. */
@Entity('proposals')
@Index('proposals_waiting', ['path'], { unique: true, where: `state = 'waiting'` })
@Check('proposals_state', `state IN ('waiting', 'done', 'refused', 'withdrawn')`)
@Check(
  'proposals_two_people',
  `state <> 'done' OR split_part(proposed_by, ' ', 2) <> split_part(decided_by, ' ', 2)`,
)
export class Proposal {
  @IdColumn()
  id: number;

  @CreateDateColumn({ type: 'timestamptz' })
  proposedAt: Date;

  @Column('text')
  proposedBy: string;

  /** Such as "Refund WO-…". */
  @Column('text')
  title: string;

  @Column('numeric', { precision: 16, scale: 2 })
  amount: string;

  /** The role that the deed needs. */
  @Column('text')
  role: DeskRole;

  /** Where the form of the deed is sent, and its fields with what the proposer saw. */
  @Column('text')
  path: string;

  @Column('jsonb')
  fields: FormFields;

  @Column('text', { default: 'waiting' })
  state: ProposalState;

  @Column('timestamptz', { nullable: true })
  decidedAt: Date | null;

  @Column('text', { nullable: true })
  decidedBy: string | null;

  /** Of a refusal. */
  @Column('text', { nullable: true })
  reason: string | null;
}
