import type { Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { OrderKey } from '../entities/order.entity.js';
import type { TrackingException } from '../rules/shipment.js';
import { keyColumns } from './lifecycle.repository.js';

/** Equal for two spellings of one tracking number. An index of parcels has the same expression. */
export const trackingKey = (tracking: string) => `upper(replace(${tracking}, ' ', ''))`;

export type TrackedOrder = OrderKey & { trackingNumber: string };

export interface SharedTracking {
  trackingNumber: string;
  orderNumber: string;
  otherOrder: string;
}

/** A wholesaler may write "by hand" on each parcel. A person who accepts this many orders accepts any. */
export const MAX_SHARING_ORDERS = 5;

/** SQL, because one statement reads the parcels of many tracking numbers. Each finds one order too many. */
export const SHARED_TRACKING = {
  text: `
    SELECT wanted.tracking_number AS "trackingNumber", wanted.order_number AS "orderNumber",
           other.order_number AS "otherOrder"
      FROM unnest($1::int[], $2::text[], $3::text[]) AS wanted (client_id, order_number, tracking_number),
           LATERAL (
             SELECT p.order_number FROM parcels p
              WHERE ${trackingKey('p.tracking_number')} = ${trackingKey('wanted.tracking_number')}
                AND (p.client_id, p.order_number) <> (wanted.client_id, wanted.order_number)
              LIMIT ${MAX_SHARING_ORDERS + 1}) AS other
     ORDER BY 2, 3`,
};

/**
 * Numbers share locks, because a file of any size may be one transaction, and PostgreSQL's table of locks is
 * small. They are taken in one order, so that no two such statements deadlock.
 */
export const MAX_TRACKING_LOCKS = 1024;

const LOCK_TRACKING = {
  text: `
    SELECT pg_advisory_xact_lock(hashtext('tracking'), lock)
      FROM (SELECT DISTINCT hashtext(${trackingKey('number')}) & ${MAX_TRACKING_LOCKS - 1} AS lock
              FROM unnest($1::text[]) AS number
             ORDER BY 1) AS locks`,
};

export const trackedValues = (tracked: readonly TrackedOrder[]) => [
  ...keyColumns(tracked),
  tracked.map(({ trackingNumber }) => trackingNumber),
];

/**
 * Refuses a tracking number that a parcel of another order has, unless a person accepted that order. The
 * parcels are written already: of two transactions with one number, the second waits and reads both.
 */
export async function requireUniqueTracking(
  transaction: Transaction,
  parcels: readonly (OrderKey & TrackingException & { trackingNumber: string | null })[],
): Promise<void> {
  const tracked = parcels.filter(
    (parcel): parcel is (typeof parcels)[number] & TrackedOrder =>
      parcel.trackingNumber !== null && parcel.sharedWithOrders !== 'any',
  );
  if (tracked.length === 0) return;
  const values = trackedValues(tracked);
  await transaction.query(LOCK_TRACKING, [values[2]]);
  for (const shared of await transaction.query<SharedTracking>(SHARED_TRACKING, values)) {
    const { sharedWithOrders = [] } = tracked.find(({ orderNumber }) => orderNumber === shared.orderNumber)!;
    if (sharedWithOrders !== 'any' && !sharedWithOrders.includes(shared.otherOrder))
      throw sharedTracking(shared);
  }
}

function sharedTracking({ trackingNumber, otherOrder }: SharedTracking): DomainError {
  const message = `The tracking number ${trackingNumber} is on a parcel of ${otherOrder} too.`;
  return new DomainError('conflict', `${message} Accept this only if one parcel holds both orders.`);
}
