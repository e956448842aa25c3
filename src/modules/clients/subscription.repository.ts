import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, LessThanOrEqual, MoreThan, MoreThanOrEqual, Not, Repository } from 'typeorm';
import type { Plan } from '../plans/plan.entity.js';
import { Database } from '../../platform/database/database.js';
import { Client, Subscription } from './client.entity.js';
import { clientNotFound } from './client.repository.js';

export interface PlanListItem {
  code: string;
  name: string;
  discount: number;
  fixedPrices: number;
  activeSubscriptions: number;
}

/** SQL, because each column is a count of its own. */
const PLANS = {
  name: 'plan-list',
  text: `
    SELECT p.code, p.name, p.discount::float8,
           coalesce(f.count, 0) AS "fixedPrices", coalesce(s.count, 0) AS "activeSubscriptions"
      FROM plans p
      LEFT JOIN (SELECT plan_id, count(*)::int FROM plan_prices GROUP BY plan_id) f ON f.plan_id = p.id
      LEFT JOIN (SELECT plan_id, count(*)::int FROM subscriptions
                  WHERE starts_at <= now() AND ends_at > now() GROUP BY plan_id) s ON s.plan_id = p.id
     ORDER BY p.code`,
};

@Injectable()
export class SubscriptionRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Subscription) private readonly subscriptions: Repository<Subscription>,
  ) {}

  /** Every plan with the number of subscriptions that are active now. */
  plans(): Promise<PlanListItem[]> {
    return this.database.query<PlanListItem & object>(PLANS, []);
  }

  /** A client's future subscriptions, next one first. */
  toCome(clientId: number): Promise<Subscription[]> {
    return this.subscriptions.find({
      where: { clientId, startsAt: MoreThan(new Date()) },
      relations: { plan: true },
      order: { startsAt: 'ASC' },
    });
  }

  /** Active and future subscriptions. */
  open(clientId: number, manager = this.subscriptions.manager): Promise<Subscription[]> {
    const where = { clientId, endsAt: MoreThan(new Date()) };
    return manager.find(Subscription, { where, order: { startsAt: 'ASC' } });
  }

  /** By client: the active subscription, or else the next, or else the last one. */
  ofClients(ids: readonly number[]): Promise<Subscription[]> {
    return (
      this.subscriptions
        .createQueryBuilder('subscription')
        .distinctOn(['subscription.clientId'])
        .innerJoinAndSelect('subscription.plan', 'plan')
        .where({ clientId: In(ids) })
        .orderBy('subscription.clientId')
        // Ended subscriptions have no start here, so they come last.
        .addOrderBy('CASE WHEN subscription.endsAt > now() THEN subscription.startsAt END')
        .addOrderBy('subscription.endsAt', 'DESC')
        .getMany()
    );
  }

  /** Clients with a past, active or future subscription to the plan. */
  clientsWith(manager: EntityManager, { id }: Plan, limit: number): Promise<Client[]> {
    return manager
      .createQueryBuilder(Client, 'client')
      .where((query) => {
        const subscriptions = query.subQuery().select('s.clientId').from(Subscription, 's');
        return `client.id IN ${subscriptions.where('s.planId = :id', { id }).getQuery()}`;
      })
      .setParameters({ id })
      .orderBy('client.id')
      .take(limit)
      .getMany();
  }

  /** Serializes changes to a client's subscriptions. Returns the time of the database's clock. */
  async lockClient(manager: EntityManager, clientId: number): Promise<Date> {
    const locked = await manager
      .createQueryBuilder(Client, 'client')
      .select('now()', 'now')
      .where({ id: clientId })
      .setLock('for_no_key_update')
      .getRawOne<{ now: Date }>();
    if (!locked) throw clientNotFound(clientId);
    return locked.now;
  }

  /** The subscription to this plan that runs at this time. */
  findRunning(manager: EntityManager, clientId: number, plan: Plan, at: Date): Promise<Subscription | null> {
    const running = { clientId, planId: plan.id, startsAt: LessThanOrEqual(at), endsAt: MoreThan(at) };
    return manager.findOneBy(Subscription, running);
  }

  /** Ends the subscription at that time and deletes later ones, but not `kept`. False if there were none. */
  async clearFrom(manager: EntityManager, clientId: number, time: Date, kept = 0): Promise<boolean> {
    const others = { clientId, id: Not(kept) };
    const dropped = await manager.delete(Subscription, { ...others, startsAt: MoreThanOrEqual(time) });
    const cutOff = await manager.update(
      Subscription,
      { ...others, endsAt: MoreThan(time) },
      { endsAt: time },
    );
    return Boolean(dropped.affected || cutOff.affected);
  }
}
