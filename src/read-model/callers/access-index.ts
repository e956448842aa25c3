import type { RowOf } from '../snapshot/change-query.js';
import { ClientView, type Holder, type SubscriptionView } from './caller.js';
import type { PlanView } from '../products/plan-view.js';

/** The latest time of a Date, for a subscription without an end. */
const END_OF_TIME_MS = 8.64e15;

export class AccessIndex {
  private readonly clients = new Map<number, ClientView>();
  private readonly holders = new Map<string, Holder>();
  private readonly hashes = new Map<number, string>();
  private readonly subscriptions = new Map<number, SubscriptionView>();
  private readonly byClient = new Map<number, SubscriptionView[]>();

  /** The holder of a token, also of an ended one. */
  findHolder(hashBase64: string): Holder | undefined {
    return this.holders.get(hashBase64);
  }

  /** Sorted by start. */
  subscriptionsOf(clientId: number): readonly SubscriptionView[] {
    return this.byClient.get(clientId) ?? [];
  }

  activeSubscription(clientId: number, nowMs: number): SubscriptionView | undefined {
    return this.subscriptionsOf(clientId).find(
      ({ startsAt, endsAt }) => startsAt.getTime() <= nowMs && nowMs < endsAt.getTime(),
    );
  }

  latestSubscription(clientId: number, nowMs: number): SubscriptionView | undefined {
    const subscriptions = this.subscriptionsOf(clientId);
    return subscriptions.findLast(({ startsAt }) => startsAt.getTime() <= nowMs) ?? subscriptions[0];
  }

  putClient({ columns: [id, name, suspended] }: RowOf<'clients'>): void {
    Object.assign(this.clientOf(id), { name, suspended });
  }

  putToken({ columns }: RowOf<'tokens'>): void {
    const [id, clientId, kind, hash, prefix, domain, createdAt, endsAt, revoked] = columns;
    this.removeToken(id);
    const token = { id, kind, prefix, domain, createdAt: new Date(createdAt) };
    const end = dateOf(endsAt ?? END_OF_TIME_MS);
    this.hashes.set(id, hash);
    this.holders.set(hash, { token, client: this.clientOf(clientId), revoked, endsAt: end });
  }

  putSubscription(
    { columns: [id, clientId, , startsAt, endsAt] }: RowOf<'subscriptions'>,
    plan: PlanView,
  ): void {
    this.removeSubscription(id);
    const subscription = { id, clientId, plan, startsAt: dateOf(startsAt), endsAt: dateOf(endsAt) };
    this.subscriptions.set(id, subscription);
    const all = [...(this.byClient.get(clientId) ?? []), subscription];
    this.byClient.set(
      clientId,
      all.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime()),
    );
  }

  removeClient(id: number): void {
    this.clients.delete(id);
  }

  removeToken(id: number): void {
    this.holders.delete(this.hashes.get(id) ?? '');
    this.hashes.delete(id);
  }

  removeSubscription(id: number): void {
    const subscription = this.subscriptions.get(id);
    if (!subscription) return;
    this.subscriptions.delete(id);
    const others = this.byClient.get(subscription.clientId)?.filter((other) => other !== subscription) ?? [];
    if (others.length > 0) this.byClient.set(subscription.clientId, others);
    else this.byClient.delete(subscription.clientId);
  }

  private clientOf(id: number): ClientView {
    let client = this.clients.get(id);
    if (!client) this.clients.set(id, (client = new ClientView(id)));
    return client;
  }
}

function dateOf(milliseconds: number | string): Date {
  return new Date(Math.max(-END_OF_TIME_MS, Math.min(END_OF_TIME_MS, Number(milliseconds))));
}
