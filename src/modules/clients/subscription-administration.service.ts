import { Inject, Injectable } from '@nestjs/common';
import { planNotFound } from '../plans/plan-administration.service.js';
import { Plan, PlanPrice } from '../plans/plan.entity.js';
import { findOpenSchedule } from '../plans/price-schedules.service.js';
import { actAs, Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { isoTime, formatEnd, type TimeZone } from '../../platform/time/time.js';
import { type Client, Subscription } from './client.entity.js';
import { type PlanListItem, SubscriptionRepository } from './subscription.repository.js';

export interface SubscriptionTerms {
  plan: string;
  from?: Date;
  until: Date;
}

const CHANGED_MEANWHILE =
  'Nothing was changed: the subscriptions of this client have changed since you opened the page.';

export interface SubscriptionResult {
  clientId: number;
  plan: string;
  from: string;
  until: string;
}

export interface SubscriptionListItem {
  plan: string;
  planName: string;
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

  plans(): Promise<PlanListItem[]> {
    return this.subscriptions.plans();
  }

  async plan(code: string): Promise<PlanListItem> {
    const match = (await this.plans()).find((plan) => plan.code === code);
    if (!match) throw planNotFound(code);
    return match;
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
      const users = await this.subscriptions.clientsWith(manager, plan, MAX_NAMED_CLIENTS + 1);
      if (users.length > 0) throw planInUse(code, users);
      const change = await findOpenSchedule(manager, plan.id);
      if (change !== undefined) throw planScheduled(code, change);
      // Before the plan, so that the log of changes can name it.
      const { affected } = await manager.delete(PlanPrice, { planId: plan.id });
      await manager.delete(Plan, plan.id);
      return { code, fixedPrices: affected ?? 0 };
    });
  }

  async toCome(clientId: number): Promise<SubscriptionListItem[]> {
    const subscriptions = await this.subscriptions.toCome(clientId);
    return subscriptions.map((subscription) => toListItem(subscription, this.settings.timeZone));
  }

  /** By client: the active subscription, or else the next, or else the last one. */
  async byClient(ids: readonly number[]): Promise<Map<number, SubscriptionListItem>> {
    const subscriptions = await this.subscriptions.ofClients(ids);
    const { timeZone } = this.settings;
    return new Map(
      subscriptions.map((subscription) => [subscription.clientId, toListItem(subscription, timeZone)]),
    );
  }

  /** `reviewedState` is the state on the page (`asText`). If it has changed, nothing is written. */
  set(
    clientId: number,
    terms: SubscriptionTerms,
    actor: string,
    reviewedState?: string,
  ): Promise<SubscriptionResult> {
    return this.database.transaction((transaction) =>
      this.setWithin(transaction, clientId, terms, actor, reviewedState),
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
    reviewedState?: string,
  ): Promise<SubscriptionResult> {
    const { manager } = transaction;
    const now = await this.lock(transaction, clientId, actor, reviewedState);
    const plan = await manager.findOneBy(Plan, { code });
    if (!plan) throw planNotFound(code);
    const running = await this.subscriptions.findRunning(manager, clientId, plan, start ?? now);
    const startsAt = start ?? running?.startsAt ?? now;
    const { timeZone } = this.settings;
    if (endsAt <= startsAt) {
      const starts = isoTime(startsAt, timeZone);
      throw new DomainError('invalid_value', `The subscription would end before it starts (${starts}).`);
    }
    // A renewal of the plan keeps its original start: one change of its end in the log.
    const renewed = running?.startsAt.getTime() === startsAt.getTime() ? running.id : undefined;
    await this.subscriptions.clearFrom(manager, clientId, startsAt, renewed);
    if (renewed !== undefined) await manager.update(Subscription, renewed, { endsAt });
    else await manager.insert(Subscription, { clientId, planId: plan.id, startsAt, endsAt });
    return { clientId, plan: code, from: startsAt.toISOString(), until: formatEnd(endsAt, timeZone) };
  }

  end(clientId: number, actor: string, reviewedState?: string): Promise<{ clientId: number; endedAt: Date }> {
    return this.database.transaction(async (transaction) => {
      const now = await this.lock(transaction, clientId, actor, reviewedState);
      const ended = await this.subscriptions.clearFrom(transaction.manager, clientId, now);
      if (!ended) throw new DomainError('conflict', `Client ${clientId} has no subscription to end.`);
      return { clientId, endedAt: now };
    });
  }

  /** Refuses subscriptions that changed since the review. Returns the time of the lock. */
  private async lock(
    transaction: Transaction,
    clientId: number,
    actor: string,
    reviewedState: string | undefined,
  ): Promise<Date> {
    await actAs(transaction, actor);
    const now = await this.subscriptions.lockClient(transaction.manager, clientId);
    if (reviewedState !== undefined && (await this.asText(clientId, transaction)) !== reviewedState)
      throw new DomainError('conflict', CHANGED_MEANWHILE);
    return now;
  }
}

const MAX_NAMED_CLIENTS = 5;

function planInUse(code: string, users: Client[]): DomainError {
  const named = users.slice(0, MAX_NAMED_CLIENTS).map(({ id, name }) => `${id} (${name})`);
  const more = users.length > MAX_NAMED_CLIENTS ? ' and more' : '';
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

function toListItem({ plan, startsAt, endsAt }: Subscription, timeZone: TimeZone): SubscriptionListItem {
  const now = Date.now();
  const active = startsAt.getTime() <= now && endsAt.getTime() > now;
  const { code, name: planName } = plan;
  return { plan: code, planName, from: startsAt.toISOString(), until: formatEnd(endsAt, timeZone), active };
}
