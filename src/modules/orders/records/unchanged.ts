import { DomainError } from '../../../platform/errors/domain-error.js';
import { fingerprintOf } from '../../../platform/http/representation.js';
import type { OrderKey } from '../entities/order.entity.js';
import type { Check } from '../lifecycle/order-lifecycle.service.js';
import { type DeskOrder, toDeskOrder } from './client-order.mapper.js';
import type { DESK_ORDER } from './order-view.js';
import type { OrderDeskRepository } from './order-desk.repository.js';

/** What a page showed before its person confirmed an action. */
export interface Seen {
  fingerprint: string;
}

/** Refuses to act on an order that is not as a page showed it, and names the latest change. */
export function unchanged(
  orders: OrderDeskRepository,
  { orderNumber }: OrderKey,
  { fingerprint }: Seen,
): Check {
  return async (transaction) => {
    const now = await orders.find(orderNumber, transaction);
    if (!now || fingerprintOfOrder(now) === fingerprint) return;
    const message =
      `The order was changed after you opened this page: ${latestChange(toDeskOrder(now))}. ` +
      'Nothing was done now. The page shows the order as it is.';
    throw new DomainError('conflict', message);
  };
}

/**
 * Payments under way, packing lists and slips may change while a page is open: they change nothing that it
 * does.
 */
export function fingerprintOfOrder(order: NonNullable<(typeof DESK_ORDER)['row']>): string {
  const { openPayment: _, packingList: __, client: ___, isSlipOld: ____, ...content } = order;
  return fingerprintOf(JSON.stringify(content));
}

/** "Shipped by person 3 (asha@example.com)". */
function latestChange({ timeline, corrections, refunds, returns, parcels }: DeskOrder): string {
  const deeds = [
    ...timeline.map(({ status, changedAt, actor }) => ({ at: changedAt, told: `${status} by ${actor}` })),
    ...corrections.map(({ changedAt, actor }) => ({ at: changedAt, told: `corrected by ${actor}` })),
    ...refunds.map(({ refundedAt, takesBack, actor }) => ({
      at: refundedAt,
      told: takesBack === null ? `refunded by ${actor}` : `refund ${takesBack} taken back by ${actor}`,
    })),
    ...returns.flatMap(({ returnNumber, state, requestedAt, decidedAt, actor }) => [
      { at: requestedAt, told: `return ${returnNumber} requested by ${actor}` },
      ...(decidedAt ? [{ at: decidedAt, told: `return ${returnNumber} ${state}` }] : []),
    ]),
    ...parcels.flatMap(({ parcel, shippedAt, deliveredAt }) => [
      { at: shippedAt, told: `parcel ${parcel} shipped` },
      ...(deliveredAt ? [{ at: deliveredAt, told: `parcel ${parcel} delivered` }] : []),
    ]),
  ];
  return deeds.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0]!.told;
}
