import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository } from 'typeorm';
import { showEnd } from '../../platform/validation/instant.js';
import { Subscription } from './subscription.entity.js';

export interface SubscriptionShown {
  plan: string;
  from: string;
  until: string;
  active: boolean;
}

@Injectable()
export class SubscriptionOverview {
  constructor(@InjectRepository(Subscription) private readonly subscriptions: Repository<Subscription>) {}

  /** A client's future subscriptions, next one first. */
  async toCome(clientId: number): Promise<SubscriptionShown[]> {
    const subscriptions = await this.subscriptions.find({
      where: { clientId, startsAt: MoreThan(new Date()) },
      relations: { plan: true },
      order: { startsAt: 'ASC' },
    });
    return subscriptions.map(toShown);
  }

  /** Per client the active subscription, else the next, else the last. */
  async byClient(clientId?: number): Promise<Map<number, SubscriptionShown>> {
    const subscriptions = await this.subscriptions
      .createQueryBuilder('subscription')
      .distinctOn(['subscription.clientId'])
      .innerJoinAndSelect('subscription.plan', 'plan')
      .where(clientId === undefined ? {} : { clientId })
      .orderBy('subscription.clientId')
      // Ended subscriptions have no start here, so they come last.
      .addOrderBy('CASE WHEN subscription.endsAt > now() THEN subscription.startsAt END')
      .addOrderBy('subscription.endsAt', 'DESC')
      .getMany();
    return new Map(subscriptions.map((subscription) => [subscription.clientId, toShown(subscription)]));
  }
}

function toShown({ plan, startsAt, endsAt }: Subscription): SubscriptionShown {
  const now = Date.now();
  const active = startsAt.getTime() <= now && endsAt.getTime() > now;
  return { plan: plan.code, from: startsAt.toISOString(), until: showEnd(endsAt), active };
}
