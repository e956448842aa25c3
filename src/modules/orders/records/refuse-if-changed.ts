import { actorName } from '../../audit/actor-of.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { fingerprintOf } from '../../../platform/http/representation.js';
import type { OrderKey } from '../entities/order.entity.js';
import type { ChangeCheck } from '../lifecycle/order-lifecycle.service.js';
import { formatOrderStatus } from '../rules/order-transitions.js';
import { formatReturnState } from '../rules/return-request.js';
import { type DeskOrder, toDeskOrder } from './client-order.mapper.js';
import type { DESK_ORDER } from './order-view.js';
import type { OrderDeskRepository } from './order-desk.repository.js';

/** The state of an order that a person reviewed before confirming an action. */
export interface ReviewedOrder {
  fingerprint: string;
}

/** Refuses to act on an order that is not as a page showed it, and names the latest change. */
export function refuseIfOrderChanged(
  orders: OrderDeskRepository,
  { orderNumber }: OrderKey,
  { fingerprint }: ReviewedOrder,
): ChangeCheck {
  return async (transaction) => {
    const current = await orders.find(orderNumber, transaction);
    if (!current || fingerprintOfOrder(current) === fingerprint) return;
    const message =
      `The order was changed after you opened this page: ${latestChange(toDeskOrder(current))}. ` +
      'Nothing was done. The page shows the order as it is now.';
    throw new DomainError('conflict', message);
  };
}

/**
 * Leaves out payments under way, packing lists, slips, IRNs and the client. They may change while a page is
 * open, and the action stays the same.
 */
export function fingerprintOfOrder(order: NonNullable<(typeof DESK_ORDER)['row']>): string {
  const { openPayment: _, packingList: __, client: ___, ...rest } = order;
  const { isSlipOld: ____, awaitsIrn: _____, isRegistered: ______, isSuspended: _______, ...content } = rest;
  return fingerprintOf(JSON.stringify(content));
}

/** "shipped by asha@example.com" */
function latestChange({ timeline, corrections, refunds, returns, parcels, prepared }: DeskOrder): string {
  const changes = [
    ...timeline.map(({ status, changedAt, actor }) => ({
      at: changedAt,
      text: `${formatOrderStatus(status)} by ${actorName(actor)}`,
    })),
    ...corrections.map(({ changedAt, actor }) => ({
      at: changedAt,
      text: `corrected by ${actorName(actor)}`,
    })),
    ...refunds.map(({ refundedAt, takesBack, actor }) => ({
      at: refundedAt,
      text: `${takesBack === null ? 'refunded' : `refund ${takesBack} taken back`} by ${actorName(actor)}`,
    })),
    ...returns.flatMap(({ returnNumber, state, requestedAt, decidedAt, decision, actor }) => [
      { at: requestedAt, text: `return ${returnNumber} requested by ${actorName(actor)}` },
      ...(decidedAt
        ? [{ at: decidedAt, text: `return ${returnNumber} ${formatReturnState(state, decision)}` }]
        : []),
    ]),
    ...(prepared
      ? [
          {
            at: prepared.preparedAt,
            text: `parcel ${prepared.parcel} invoiced by ${actorName(prepared.actor)}`,
          },
        ]
      : []),
    ...parcels.flatMap(({ parcel, shippedAt, deliveredAt }) => [
      { at: shippedAt, text: `parcel ${parcel} shipped` },
      ...(deliveredAt ? [{ at: deliveredAt, text: `parcel ${parcel} delivered` }] : []),
    ]),
  ];
  return changes.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0]!.text;
}
