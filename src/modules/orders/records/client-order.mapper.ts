import { type Minor, minorFromNumeric } from '../../../platform/money/money.js';
import type { CorrectedFields } from '../entities/order.entity.js';
import type { OrderStatus } from '../rules/order-transitions.js';
import { parseLineQuantities } from '../rules/order-units.js';
import type { PreparedUnits } from '../rules/prepared-parcel.js';
import {
  awaitedUnits,
  type ParcelView,
  parcelsOf,
  type RefundView,
  refundsOf,
  type ReturnView,
  returnsOf,
} from './after-sale.mapper.js';
import {
  type AfterSaleRows,
  type ClientOrderRow,
  type ItemView,
  type DeskFields,
  type FullOrderRow,
  type WholeOrderRow,
} from './order-view.js';

export type ClientOrderListItem = Omit<ClientOrderRow, 'total' | 'refundedAmount'> & {
  total: Minor;
  refundedAmount: Minor;
};

export function toClientOrderListItem(row: ClientOrderRow): ClientOrderListItem {
  return {
    ...row,
    total: minorFromNumeric(row.total),
    refundedAmount: minorFromNumeric(row.refundedAmount),
  };
}

/** An order as a page shows it. `Author` is the author of a change, as the reader sees it. */
export interface OrderDetails<Author extends object = ChangeAuthor> extends Omit<
  FullOrderRow & Pick<ClientOrderRow, 'openPayment'>,
  | 'subtotal'
  | 'delivery'
  | 'total'
  | 'refundedAmount'
  | 'items'
  | 'timeline'
  | 'corrections'
  | keyof AfterSaleRows
> {
  /** For its client: the next parcel, if its invoice is issued. */
  preparedParcel?: number | null;
  subtotal: Minor;
  delivery: Minor;
  total: Minor;
  refundedAmount: Minor;
  items: OrderedProduct[];
  /** Oldest first. */
  timeline: ({ status: OrderStatus; note: string | null; changedAt: Date } & Author)[];
  /** Later corrections. */
  corrections: ({
    changedAt: Date;
    before: CorrectedFields;
    after: CorrectedFields;
    reason: string | null;
  } & Author)[];
  parcels: ParcelView[];
  returns: ReturnView[];
  refunds: RefundView[];
}

export interface OrderedProduct extends Omit<
  ItemView,
  'variationKey' | 'remark' | 'unitPrice' | 'lineTotal'
> {
  /** The stock key of the variation; for a product without variations the text that was sent. */
  variation: string | null;
  /** Returned units whose return is only requested. */
  awaited: number;
  unitPrice: Minor;
  lineTotal: Minor;
}

export function toOrderDetails({ ownPeople, ...row }: WholeOrderRow & { ownPeople: number[] }): OrderDetails {
  return detailsOf(row, (actor) => toChangeAuthor(actor, ownPeople));
}

/** Details without the authors of changes. */
export type OrderContent = Omit<OrderDetails, 'timeline' | 'corrections'>;

/** An order as the wholesaler sees it. */
export type DeskOrder = OrderDetails<{ actor: string }> &
  Omit<DeskFields, 'prepared'> & { prepared: PreparedView | null };

export type PreparedView = PreparedUnits & { actor: string };

export function toPreparedView({ prepared }: Pick<DeskFields, 'prepared'>): PreparedView | null {
  if (!prepared) return null;
  const { lines, preparedAt } = prepared;
  return { ...prepared, lines: parseLineQuantities([lines]), preparedAt: new Date(preparedAt) };
}

export function toDeskOrder(row: WholeOrderRow & DeskFields): DeskOrder {
  const { client, isSlipOld, awaitsIrn, isRegistered, isSuspended } = row;
  const desk = { client, isSlipOld, awaitsIrn, isRegistered, isSuspended, prepared: toPreparedView(row) };
  return { ...detailsOf(row, (actor) => ({ actor })), ...desk };
}

function detailsOf<Author extends object>(
  row: WholeOrderRow,
  authorOf: (actor: string) => Author,
): OrderDetails<Author> {
  const { subtotal, delivery, total, items, timeline, corrections } = row;
  const returns = returnsOf(row);
  return {
    ...row,
    parcels: parcelsOf(row),
    returns,
    refunds: refundsOf(row),
    refundedAmount: minorFromNumeric(row.refundedAmount),
    subtotal: minorFromNumeric(subtotal),
    delivery: minorFromNumeric(delivery),
    total: minorFromNumeric(total),
    items: items.map(({ variationKey, remark, unitPrice, lineTotal, ...item }) => ({
      ...item,
      variation: variationKey || remark,
      awaited: awaitedUnits(returns, item.line),
      unitPrice: minorFromNumeric(unitPrice),
      lineTotal: minorFromNumeric(lineTotal),
    })),
    timeline: timeline.map(({ status, note, actor, changedAt }) => ({
      status,
      note,
      changedAt: new Date(changedAt),
      ...authorOf(actor),
    })),
    corrections: (corrections ?? []).map(({ changedAt, actor, before, after, reason }) => ({
      changedAt: new Date(changedAt),
      before,
      after,
      reason,
      ...authorOf(actor),
    })),
  };
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
