import { actorName } from '../../audit/actor-of.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { fingerprintOf } from '../../../platform/http/representation.js';
import type { OrderKey } from '../entities/order.entity.js';
import type { ChangeCheck } from '../lifecycle/order-lifecycle.service.js';
import { formatOrderStatus } from '../rules/order-transitions.js';
import { formatReturnState } from '../rules/return-request.js';
import { type DeskOrder, toDeskOrder } from './order-for-desk.js';
import type { DeskOrderRecord } from './order-record.js';
import type { OrderDeskRepository } from './order-desk.repository.js';

/** The state of an order that a person reviewed before confirming an action. */
export interface ReviewedOrder {
  fingerprint: string;
  /** A program read it. */
  isRead?: boolean;
}

/** Refuses to act on an order that is not as a page showed it, and names the latest change. */
export function refuseIfOrderChanged(
  orders: OrderDeskRepository,
  { orderNumber }: OrderKey,
  { fingerprint, isRead = false }: ReviewedOrder,
): ChangeCheck {
  return async (transaction) => {
    const current = await orders.find(orderNumber, transaction);
    if (!current || fingerprintOfOrder(current) === fingerprint) return;
    const change = latestChange(toDeskOrder(current));
    if (isRead)
      throw new DomainError(
        'precondition_failed',
        `The order was changed after you read it: ${change}. Nothing was done.`,
      );
    throw new DomainError(
      'conflict',
      `The order was changed after you opened this page: ${change}. ` +
        'Nothing was done. The page shows the order as it is now.',
    );
  };
}

/** These may change while a page is open, and the action stays the same. */
const LEFT_OUT: ReadonlySet<string> = new Set<keyof DeskOrderRecord>([
  'openPayment',
  'packingList',
  'client',
  'isSlipOld',
  'awaitsIrn',
  'isRegistered',
  'isSuspended',
]);

export function fingerprintOfOrder(order: DeskOrderRecord): string {
  const content = Object.entries(order).filter(([field]) => !LEFT_OUT.has(field));
  return fingerprintOf(JSON.stringify(Object.fromEntries(content)));
}

/** "shipped by asha@example.com" */
function latestChange({ timeline, corrections, refunds, returns, parcels, prepared }: DeskOrder): string {
  const changes: [at: Date | null, text: string][] = [];
  const add = (at: Date | null, text: string) => changes.push([at, text]);
  for (const one of timeline)
    add(one.changedAt, `${formatOrderStatus(one.status)} by ${actorName(one.actor)}`);
  for (const one of corrections) add(one.changedAt, `corrected by ${actorName(one.actor)}`);
  for (const { refundedAt, takesBack, actor } of refunds)
    add(
      refundedAt,
      `${takesBack === null ? 'refunded' : `refund ${takesBack} taken back`} by ${actorName(actor)}`,
    );
  for (const { returnNumber, state, requestedAt, decidedAt, decision, actor } of returns) {
    add(requestedAt, `return ${returnNumber} requested by ${actorName(actor)}`);
    add(decidedAt, `return ${returnNumber} ${formatReturnState(state, decision)}`);
  }
  if (prepared)
    add(prepared.preparedAt, `parcel ${prepared.parcel} invoiced by ${actorName(prepared.actor)}`);
  for (const { parcel, shippedAt, deliveredAt } of parcels) {
    add(shippedAt, `parcel ${parcel} shipped`);
    add(deliveredAt, `parcel ${parcel} delivered`);
  }
  return changes.toSorted(([a], [b]) => Number(b) - Number(a))[0]![1];
}
