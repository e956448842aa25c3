import { Inject, Injectable } from '@nestjs/common';
import { planNotFound } from '../plans/plan-administration.service.js';
import { Plan, PlanPrice } from '../plans/plan.entity.js';
import { scheduleOf } from '../plans/price-schedules.service.js';
import { actAs, Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { isoTime, showEnd, type TimeZone } from '../../platform/time/time.js';
import { type Client, Subscription } from './client.entity.js';
import { type PlanListed, SubscriptionRepository } from './subscription.repository.js';

export interface SubscriptionTerms {
  plan: string;
  from?: Date;
  until: Date;
}

const CHANGED_MEANWHILE =
  'Nothing was changed: the subscriptions of this client have changed since you opened the page.';

export interface SubscriptionSet {
  clientId: number;
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

@Injectable()
export class SubscriptionAdministrationService {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Every plan with the number of subscriptions that are active now. */
  plans(): Promise<PlanListed[]> {
    return this.subscriptions.plans();
  }

  async plan(code: string): Promise<PlanListed> {
    const found = (await this.plans()).find((plan) => plan.code === code);
    if (!found) throw planNotFound(code);
    return found;
  }

  /**
   * Deletes a plan that never had a subscription, and its fixed prices. The lock keeps out new subscriptions.
   */
  deletePlan(code: string, actor: string): Promise<{ code: string; fixedPrices: number }> {
    return this.database.transaction(async (transaction) => {
      await actAs(transaction, actor);
      const { manager } = transaction;
      const lock = { mode: 'pessimistic_write' } as const;
      const plan = await manager.findOne(Plan, { where: { code }, lock });
      if (!plan) throw planNotFound(code);
      const users = await this.subscriptions.clientsWith(manager, plan, USERS_NAMED + 1);
      if (users.length > 0) throw planInUse(code, users);
      const change = await scheduleOf(manager, plan.id);
      if (change !== undefined) throw planScheduled(code, change);
      // Before the plan, so that the log of changes can name it.
      const { affected } = await manager.delete(PlanPrice, { planId: plan.id });
      await manager.delete(Plan, plan.id);
      return { code, fixedPrices: affected ?? 0 };
    });
  }

  /** A client's future subscriptions, next one first. */
  async toCome(clientId: number): Promise<SubscriptionShown[]> {
    const subscriptions = await this.subscriptions.toCome(clientId);
    return subscriptions.map((subscription) => toShown(subscription, this.settings.timeZone));
  }

  /** By client: the active subscription, or else the next, or else the last one. */
  async byClient(ids: readonly number[]): Promise<Map<number, SubscriptionShown>> {
    const subscriptions = await this.subscriptions.ofClients(ids);
    const { timeZone } = this.settings;
    return new Map(
      subscriptions.map((subscription) => [subscription.clientId, toShown(subscription, timeZone)]),
    );
  }

  /** `reviewedState` is the state on the page (`asText`). If it has changed, nothing is written. */
  set(clientId: number, terms: SubscriptionTerms, actor: string, shown?: string): Promise<SubscriptionSet> {
    return this.database.transaction((transaction) =>
      this.setWithin(transaction, clientId, terms, actor, shown),
    );
  }

  /** Active and future subscriptions, as a text that a form sends back. */
  async asText(clientId: number, within?: Transaction): Promise<string> {
    const open = await this.subscriptions.open(clientId, within?.manager);
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
    const now = await this.subscriptions.lockClient(manager, clientId);
    await this.requireAsShown(transaction, clientId, shown);
    const plan = await manager.findOneBy(Plan, { code });
    if (!plan) throw planNotFound(code);
    // A renewal of the active plan keeps its original start.
    const startsAt = start ?? (await this.subscriptions.startOf(manager, clientId, plan, now)) ?? now;
    const { timeZone } = this.settings;
    if (endsAt <= startsAt) {
      const starts = isoTime(startsAt, timeZone);
      throw new DomainError('invalid_value', `The subscription would end before it starts (${starts}).`);
    }
    await this.subscriptions.clearFrom(manager, clientId, startsAt);
    await manager.insert(Subscription, { clientId, planId: plan.id, startsAt, endsAt });
    return { clientId, plan: code, from: startsAt.toISOString(), until: showEnd(endsAt, timeZone) };
  }

  end(clientId: number, actor: string, shown?: string): Promise<{ clientId: number; endedAt: Date }> {
    return this.database.transaction(async (transaction) => {
      await actAs(transaction, actor);
      const { manager } = transaction;
      const now = await this.subscriptions.lockClient(manager, clientId);
      await this.requireAsShown(transaction, clientId, shown);
      const ended = await this.subscriptions.clearFrom(manager, clientId, now);
      if (!ended) throw new DomainError('conflict', `Client ${clientId} has no subscription to end.`);
      return { clientId, endedAt: now };
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

function planInUse(code: string, users: Client[]): DomainError {
  const named = users.slice(0, USERS_NAMED).map(({ id, name }) => `${id} (${name})`);
  const more = users.length > USERS_NAMED ? ' and more' : '';
  return new DomainError(
    'conflict',
    `Plan "${code}" cannot be deleted: clients have or had it: ${named.join(', ')}${more}.`,
  );
}

function planScheduled(code: string, change: number): DomainError {
  return new DomainError(
    'conflict',
    `Plan "${code}" cannot be deleted: withdraw scheduled change ${change} first, which has prices for it.`,
  );
}

function toShown({ plan, startsAt, endsAt }: Subscription, timeZone: TimeZone): SubscriptionShown {
  const now = Date.now();
  const active = startsAt.getTime() <= now && endsAt.getTime() > now;
  return { plan: plan.code, from: startsAt.toISOString(), until: showEnd(endsAt, timeZone), active };
}
