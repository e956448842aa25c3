import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, LessThanOrEqual, MoreThan, MoreThanOrEqual, Repository } from 'typeorm';
import { planNotFound } from '../plans/plan-administration.service.js';
import { Plan, PlanPrice } from '../plans/plan.entity.js';
import { scheduleOf } from '../plans/price-schedules.service.js';
import { actAs, Database, type Transaction } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { showEnd, type TimeZone } from '../platform/time/time.js';
import { Client } from './client.entity.js';
import { clientNotFound } from './client-finder.service.js';
import { Subscription } from './subscription.entity.js';

export interface SubscriptionTerms {
  plan: string;
  from?: Date;
  until: Date;
}

const CHANGED_MEANWHILE =
  'Nothing was changed: the subscriptions of this client have changed since you opened the page.';

export interface SubscriptionSet {
  client_id: number;
  plan: string;
  from: string;
  until: string;
}

export interface SubscriptionShown {
  plan: string;
  from: string;
  until: string;
  active: boolean;
}

export interface PlanListed {
  code: string;
  name: string;
  discount: number;
  fixed_prices: number;
  active_subscriptions: number;
}

const PLANS = {
  name: 'plan-list',
  text: `
    SELECT p.code, p.name, p.discount::float8,
           (SELECT count(*)::int FROM plan_prices f WHERE f.plan_id = p.id) AS fixed_prices,
           (SELECT count(*)::int FROM subscriptions s
             WHERE s.plan_id = p.id AND s.starts_at <= now() AND s.ends_at > now()) AS active_subscriptions
      FROM plans p
     ORDER BY p.code`,
};

@Injectable()
export class SubscriptionAdministrationService {
  constructor(
    private readonly database: Database,
    @InjectRepository(Subscription) private readonly subscriptions: Repository<Subscription>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Every plan with the number of subscriptions that are active now. */
  plans(): Promise<PlanListed[]> {
    return this.database.query<PlanListed>(PLANS, []);
  }

  async plan(code: string): Promise<PlanListed> {
    const found = (await this.plans()).find((plan) => plan.code === code);
    if (!found) throw planNotFound(code);
    return found;
  }

  /**
   * Deletes a plan that never had a subscription, and its fixed prices. The lock keeps out new subscriptions.
   */
  deletePlan(code: string, actor: string): Promise<{ code: string; fixed_prices: number }> {
    return this.database.transaction(async (transaction) => {
      await actAs(transaction, actor);
      const { manager } = transaction;
      const lock = { mode: 'pessimistic_write' } as const;
      const plan = await manager.findOne(Plan, { where: { code }, lock });
      if (!plan) throw planNotFound(code);
      const users = await clientsWith(manager, plan);
      if (users.length > 0) throw planInUse(code, users);
      const change = await scheduleOf(manager, plan.id);
      if (change !== undefined) throw planScheduled(code, change);
      // Before the plan, so that the log of changes can name it.
      const { affected } = await manager.delete(PlanPrice, { planId: plan.id });
      await manager.delete(Plan, plan.id);
      return { code, fixed_prices: affected ?? 0 };
    });
  }

  /** A client's future subscriptions, next one first. */
  async toCome(clientId: number): Promise<SubscriptionShown[]> {
    const subscriptions = await this.subscriptions.find({
      where: { clientId, startsAt: MoreThan(new Date()) },
      relations: { plan: true },
      order: { startsAt: 'ASC' },
    });
    return subscriptions.map((subscription) => toShown(subscription, this.settings.timeZone));
  }

  /** Per client the active subscription, else the next, else the last. */
  async byClient(only?: readonly number[]): Promise<Map<number, SubscriptionShown>> {
    const subscriptions = await this.subscriptions
      .createQueryBuilder('subscription')
      .distinctOn(['subscription.clientId'])
      .innerJoinAndSelect('subscription.plan', 'plan')
      .where(only === undefined ? {} : { clientId: In(only) })
      .orderBy('subscription.clientId')
      // Ended subscriptions have no start here, so they come last.
      .addOrderBy('CASE WHEN subscription.endsAt > now() THEN subscription.startsAt END')
      .addOrderBy('subscription.endsAt', 'DESC')
      .getMany();
    const { timeZone } = this.settings;
    return new Map(
      subscriptions.map((subscription) => [subscription.clientId, toShown(subscription, timeZone)]),
    );
  }

  /** With what a page showed (`asText`): only while that still holds. */
  set(clientId: number, terms: SubscriptionTerms, actor: string, shown?: string): Promise<SubscriptionSet> {
    return this.database.transaction((transaction) =>
      this.setWithin(transaction, clientId, terms, actor, shown),
    );
  }

  /** The subscriptions that are not over, as a text that a form sends back. */
  async asText(
    clientId: number,
    { manager }: { manager: EntityManager } = this.subscriptions,
  ): Promise<string> {
    const open = await manager.find(Subscription, {
      where: { clientId, endsAt: MoreThan(new Date()) },
      order: { startsAt: 'ASC' },
    });
    return JSON.stringify(open.map(({ planId, startsAt, endsAt }) => [planId, startsAt, endsAt]));
  }

  /** The new subscription ends the current one at its start and replaces all later ones. */
  async setWithin(
    transaction: Transaction,
    clientId: number,
    { plan: code, from: start, until: endsAt }: SubscriptionTerms,
    actor: string,
    shown?: string,
  ): Promise<SubscriptionSet> {
    await actAs(transaction, actor);
    const { manager } = transaction;
    const now = await lockClient(manager, clientId);
    await this.requireAsShown(transaction, clientId, shown);
    const plan = await manager.findOneBy(Plan, { code });
    if (!plan) throw planNotFound(code);
    const startsAt = start ?? (await startNow(manager, clientId, plan, now));
    const from = startsAt.toISOString();
    if (endsAt <= startsAt) {
      throw new DomainError('invalid_value', `The subscription would end before it starts (${from}).`);
    }
    await clearFrom(manager, clientId, startsAt);
    await manager.insert(Subscription, { clientId, planId: plan.id, startsAt, endsAt });
    return { client_id: clientId, plan: code, from, until: showEnd(endsAt, this.settings.timeZone) };
  }

  end(clientId: number, actor: string, shown?: string): Promise<{ client_id: number; ended_at: Date }> {
    return this.database.transaction(async (transaction) => {
      await actAs(transaction, actor);
      const { manager } = transaction;
      const now = await lockClient(manager, clientId);
      await this.requireAsShown(transaction, clientId, shown);
      const ended = await clearFrom(manager, clientId, now);
      if (!ended) throw new DomainError('conflict', `Client ${clientId} has no subscription that could end.`);
      return { client_id: clientId, ended_at: now };
    });
  }

  private async requireAsShown(
    transaction: Transaction,
    clientId: number,
    shown: string | undefined,
  ): Promise<void> {
    if (shown !== undefined && (await this.asText(clientId, transaction)) !== shown)
      throw new DomainError('conflict', CHANGED_MEANWHILE);
  }
}

const USERS_NAMED = 5;

/** With past and future subscriptions too. */
function clientsWith(manager: EntityManager, { id }: Plan): Promise<Client[]> {
  return manager
    .createQueryBuilder(Client, 'client')
    .where((query) => {
      const subscriptions = query.subQuery().select('s.clientId').from(Subscription, 's');
      return `client.id IN ${subscriptions.where('s.planId = :id', { id }).getQuery()}`;
    })
    .setParameters({ id })
    .orderBy('client.id')
    .take(USERS_NAMED + 1)
    .getMany();
}

function planInUse(code: string, users: Client[]): DomainError {
  const named = users.slice(0, USERS_NAMED).map(({ id, name }) => `${id} (${name})`);
  const more = users.length > USERS_NAMED ? ' and more' : '';
  return new DomainError(
    'conflict',
    `Plan "${code}" stays: clients have, or had, a subscription to it: ${named.join(', ')}${more}.`,
  );
}

function planScheduled(code: string, change: number): DomainError {
  return new DomainError(
    'conflict',
    `Plan "${code}" stays: scheduled change ${change} has prices for it. Withdraw that change first.`,
  );
}

/** Serializes changes to a client's subscriptions. Returns the time of the database's clock. */
async function lockClient(manager: EntityManager, clientId: number): Promise<Date> {
  const locked = await manager
    .createQueryBuilder(Client, 'client')
    .select('now()', 'now')
    .where({ id: clientId })
    .setLock('for_no_key_update')
    .getRawOne<{ now: Date }>();
  if (!locked) throw clientNotFound(clientId);
  return locked.now;
}

/** A renewal of the active plan keeps its original start. */
async function startNow(manager: EntityManager, clientId: number, plan: Plan, now: Date): Promise<Date> {
  const active = { clientId, planId: plan.id, startsAt: LessThanOrEqual(now), endsAt: MoreThan(now) };
  return (await manager.findOneBy(Subscription, active))?.startsAt ?? now;
}

/** Ends the subscription that runs at that time and deletes later ones. Says whether there were any. */
async function clearFrom(manager: EntityManager, clientId: number, time: Date): Promise<boolean> {
  const dropped = await manager.delete(Subscription, { clientId, startsAt: MoreThanOrEqual(time) });
  const cutOff = await manager.update(Subscription, { clientId, endsAt: MoreThan(time) }, { endsAt: time });
  return Boolean(dropped.affected || cutOff.affected);
}

function toShown({ plan, startsAt, endsAt }: Subscription, timeZone: TimeZone): SubscriptionShown {
  const now = Date.now();
  const active = startsAt.getTime() <= now && endsAt.getTime() > now;
  return { plan: plan.code, from: startsAt.toISOString(), until: showEnd(endsAt, timeZone), active };
}
