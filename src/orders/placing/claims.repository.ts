import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Queries } from '../../platform/database/database.js';
import type { ExistingOrder } from '../order-errors.js';

/** A store's own id for an order. It names one order for ever. */
export interface Claim {
  clientId: number;
  storeOrderId: string;
}

/**
 * SQL, because only an advisory lock can lock a row that does not exist yet. A second order with the same id
 * waits here for the outcome of the first. Locks are taken in the order of their numbers, against deadlocks.
 */
const LOCK = {
  name: 'claims-lock',
  text: 'SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key',
};

/**
 * SQL, because claims and their orders are read in one statement. Each is looked up by its full key: a join
 * that was planned while `orders` was empty would start at all orders of the client.
 */
const FIND = {
  name: 'claims-find',
  text: `
    SELECT claim.client_id AS "clientId", claim.store_order_id AS "storeOrderId",
           o.order_number AS "orderNumber", o.status, o.total, o.content_hash AS "contentHash"
      FROM unnest($1::int[], $2::text[]) AS wanted (client_id, store_order_id)
      CROSS JOIN LATERAL (
        SELECT * FROM store_order_ids AS s
         WHERE s.client_id = wanted.client_id AND s.store_order_id = wanted.store_order_id LIMIT 1) AS claim
      CROSS JOIN LATERAL (
        SELECT * FROM orders
         WHERE orders.client_id = claim.client_id AND orders.order_number = claim.order_number LIMIT 1) AS o`,
};

/** The ids that stores have given to their orders. */
@Injectable()
export class ClaimsRepository {
  /** Reserves the ids until the end of the transaction. Returns the ids that already have an order. */
  async lock(transaction: Queries, claims: Claim[]): Promise<(Claim & ExistingOrder)[]> {
    if (claims.length === 0) return [];
    const keys = [...new Set(claims.map(keyOf))].toSorted((a, b) => (a < b ? -1 : 1));
    const [, taken] = await Promise.all([transaction.query(LOCK, [keys]), this.find(transaction, claims)]);
    return taken;
  }

  /** The taken ids, with their orders. */
  async find(transaction: Queries, claims: Claim[]): Promise<(Claim & ExistingOrder)[]> {
    if (claims.length === 0) return [];
    const columns = [claims.map(({ clientId }) => clientId), claims.map(({ storeOrderId }) => storeOrderId)];
    return transaction.query<Claim & ExistingOrder>(FIND, columns);
  }
}

/** None if the request has no id. */
export function claimOf(clientId: number, request: { store_order_id?: string }): Claim[] {
  const { store_order_id: storeOrderId } = request;
  return storeOrderId === undefined ? [] : [{ clientId, storeOrderId }];
}

export function nameOf({ clientId, storeOrderId }: Claim): string {
  return `${clientId}/${storeOrderId}`;
}

/** Two ids with the same number only wait for each other. */
function keyOf(claim: Claim): bigint {
  return createHash('sha256').update(nameOf(claim)).digest().readBigInt64BE();
}
