import { detailsOf, type OrderDetails } from './order-details.js';
import type { ClientOrderRecord } from './order-record.js';

export type ClientOrder = OrderDetails<ChangeAuthor>;

export function toClientOrder({ ownPeople, ...order }: ClientOrderRecord): ClientOrder {
  return detailsOf(order, (actor) => toChangeAuthor(actor, ownPeople));
}

/** The actor of a change, as its client sees it. */
export type ChangeAuthor =
  { by: 'store' | 'service' | 'auto-pay' | 'gateway' | 'wholesaler' } | { by: 'person'; email: string };

const PERSON_ACTOR = /^person (\d+) \((.+)\)$/;

const AUTHORS_BY_ACTOR = {
  store: 'store',
  system: 'service',
  'auto-pay': 'auto-pay',
  gateway: 'gateway',
} as const;

/** Clients see the addresses of their own people only. */
export function toChangeAuthor(actor: string, ownPeople: readonly number[]): ChangeAuthor {
  const [, id, email] = PERSON_ACTOR.exec(actor) ?? [];
  if (email !== undefined && ownPeople.includes(Number(id))) return { by: 'person', email };
  return {
    by: Object.hasOwn(AUTHORS_BY_ACTOR, actor)
      ? AUTHORS_BY_ACTOR[actor as keyof typeof AUTHORS_BY_ACTOR]
      : 'wholesaler',
  };
}
