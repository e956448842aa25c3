import { type Minor, minorFromNumeric } from '../../platform/money/money.js';
import type { CorrectedFields } from '../entities/order-correction.entity.js';
import type { OrderStatus } from '../rules/order-transitions.js';
import {
  type CLIENT_ORDER,
  type ClientListed,
  type ItemView,
  type ViewOf,
  type WholeOrder,
} from './order-view.js';

/** An order in a client's list. */
export type ListedOrder = Omit<ClientListed, 'total'> & { total: Minor };

export function toListedOrder(row: ClientListed): ListedOrder {
  return { ...row, total: minorFromNumeric(row.total) };
}

/** An order as its client sees it. */
export interface OrderDetails extends Omit<
  WholeOrder & Pick<ClientListed, 'openPayment'>,
  'subtotal' | 'delivery' | 'total' | 'items' | 'timeline' | 'corrections'
> {
  subtotal: Minor;
  delivery: Minor;
  total: Minor;
  items: OrderedProduct[];
  /** Oldest first. */
  timeline: ({ status: OrderStatus; note: string | null; changedAt: Date } & DeedBy)[];
  /** Later corrections. */
  corrections: ({
    changedAt: Date;
    before: CorrectedFields;
    after: CorrectedFields;
    reason: string | null;
  } & DeedBy)[];
}

export interface OrderedProduct extends Pick<ItemView, 'sku' | 'name' | 'quantity'> {
  /** The stock key of the variation; for a product without variations the text that was sent. */
  variation: string | null;
  unitPrice: Minor;
  lineTotal: Minor;
}

type Row = typeof CLIENT_ORDER extends ViewOf<infer Selected> ? Selected : never;

export function toOrderDetails(row: Row): OrderDetails {
  const { subtotal, delivery, total, items, timeline, corrections } = row;
  return {
    ...row,
    subtotal: minorFromNumeric(subtotal),
    delivery: minorFromNumeric(delivery),
    total: minorFromNumeric(total),
    items: items.map(({ sku, name, variationKey, remark, quantity, unitPrice, lineTotal }) => ({
      sku,
      name,
      variation: variationKey || remark,
      quantity,
      unitPrice: minorFromNumeric(unitPrice),
      lineTotal: minorFromNumeric(lineTotal),
    })),
    timeline: timeline.map(({ status, note, actor, changedAt }) => ({
      status,
      note,
      changedAt: new Date(changedAt),
      ...deedBy(actor),
    })),
    corrections: (corrections ?? []).map(({ changedAt, actor, before, after, reason }) => ({
      changedAt: new Date(changedAt),
      before,
      after,
      reason,
      ...deedBy(actor),
    })),
  };
}

/** The actor of a change, as its client sees it. */
export type DeedBy =
  { by: 'store' | 'service' | 'auto-pay' | 'gateway' | 'wholesaler' } | { by: 'person'; email: string };

const PERSON = /^person \d+ \((.+)\)$/;

const OWN = { store: 'store', system: 'service', 'auto-pay': 'auto-pay', gateway: 'gateway' } as const;

/** Clients do not see the names of the wholesaler's people. */
export function deedBy(actor: string): DeedBy {
  const email = PERSON.exec(actor)?.[1];
  if (email !== undefined) return { by: 'person', email };
  return { by: Object.hasOwn(OWN, actor) ? OWN[actor as keyof typeof OWN] : 'wholesaler' };
}
