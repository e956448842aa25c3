import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, Like, Not, type Repository } from 'typeorm';
import { type DeskPerson, DESK_ROLES, hasRole, requireRole } from '../../platform/access/signed-in-person.js';
import { isUniqueViolation } from '../../platform/database/database-error.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { readLine } from '../../platform/validation/texts.js';
import { actorOf, isBy } from './actor-of.js';
import { AuditLog } from './audit-log.js';
import { Proposal, type ProposalState } from './proposal.entity.js';

type Decision = { state: 'done' | 'withdrawn' } | { state: 'refused'; reason: string };

/** Deeds about money that need two people: one proposes, another does or refuses. */
@Injectable()
export class ProposalsService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    @InjectRepository(Proposal) private readonly proposals: Repository<Proposal>,
  ) {}

  /** Returns the number of the proposal. */
  async add(
    proposed: Pick<Proposal, 'title' | 'amount' | 'role' | 'path' | 'fields'>,
    me: DeskPerson,
  ): Promise<number> {
    const { id } = await this.proposals
      .save({ ...proposed, proposedBy: actorOf(me) })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? new DomainError('conflict', WAITS_ALREADY) : error;
      });
    return id;
  }

  async show(id: number): Promise<Proposal> {
    return found(await this.proposals.findOneBy({ id }));
  }

  newest(state: ProposalState | undefined, before: number | undefined, take: number): Promise<Proposal[]> {
    const where = { ...(state && { state }), ...(before && { id: LessThan(before) }) };
    return this.proposals.find({ select: LISTED, where, order: { id: 'DESC' }, take });
  }

  /** Those that wait for this person. */
  count(me: DeskPerson): Promise<number> {
    const role = In(DESK_ROLES.filter((each) => hasRole(me, each)));
    return this.proposals.countBy({ state: 'waiting', role, proposedBy: Not(Like(`person ${me.id} (%`)) });
  }

  /** The proposal whose form another person has sent. Refuses another form. */
  async sent(id: number, form: Pick<Proposal, 'path' | 'fields'>, me: DeskPerson): Promise<Proposal> {
    const proposal = await this.show(id);
    check(proposal, 'done', me);
    if (proposal.path !== form.path || !isDeepStrictEqual(proposal.fields, form.fields))
      throw new DomainError('conflict', 'The form is not the one that was proposed.');
    return proposal;
  }

  /** Does the deed. Its own transaction decides the proposal, so it is done once or not at all. */
  async do<Result>({ id, proposedBy }: Proposal, me: DeskPerson, deed: () => Promise<Result>) {
    const decided = new WeakSet<Transaction>();
    let isMine = false;
    const join = async (transaction: Transaction) => {
      if (decided.has(transaction)) return;
      decided.add(transaction);
      await this.decide(transaction, id, me, { state: 'done' });
      isMine = true;
    };
    const result = await this.audit.forTwo({ details: { proposed_by: proposedBy }, join }, deed);
    if (!isMine) {
      check(await this.show(id), 'done', me);
      throw new DomainError('conflict', 'Nothing was done: the same was done before. End the proposal.');
    }
    return result;
  }

  /** The proposer withdraws it. Another person refuses it with a reason. */
  async end(id: number, given: string, me: DeskPerson): Promise<ProposalState> {
    const { proposedBy } = await this.show(id);
    const decision: Decision = isBy(proposedBy, me)
      ? { state: 'withdrawn' }
      : { state: 'refused', reason: readLine('reason', given, 200) };
    await this.database.transaction((transaction) => this.decide(transaction, id, me, decision));
    return decision.state;
  }

  /** The first decision counts. */
  private async decide({ manager }: Transaction, id: number, me: DeskPerson, decision: Decision) {
    const lock = { mode: 'pessimistic_write' } as const;
    check(found(await manager.findOne(Proposal, { where: { id }, lock })), decision.state, me);
    await manager.update(Proposal, { id }, { ...decision, decidedBy: actorOf(me), decidedAt: () => 'now()' });
  }
}

const LISTED = {
  id: true,
  proposedAt: true,
  proposedBy: true,
  title: true,
  amount: true,
  state: true,
} as const;

const WAITS_ALREADY = 'A proposal about this waits already. Withdraw it, or another person decides it.';

function found(proposal: Proposal | null): Proposal {
  if (proposal) return proposal;
  throw new DomainError('route_not_found', 'There is no such proposal.');
}

function check({ state, role, proposedBy }: Proposal, next: ProposalState, me: DeskPerson): void {
  if (state !== 'waiting') throw new DomainError('conflict', `The proposal was ${state} already.`);
  if (next === 'withdrawn') return;
  requireRole(me, role);
  if (isBy(proposedBy, me))
    throw new DomainError('conflict', 'You proposed this. Another person must do it.');
}
