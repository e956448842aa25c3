import { hash } from 'node:crypto';
import { validationFailed } from '../../platform/errors/domain-error.js';
import { normaliseOrderNumber } from '../rules/order-number.js';
import type { Condition } from './conditions.js';

/** Where a page of a client's orders ended. It tells the place itself, so that it outlives the order. */
export interface OrderCursor {
  clientId: number;
  /** In microseconds since 1970, as PostgreSQL keeps it: a Date would cut it off. Exact in a number until 2255. */
  placedAt: number;
  orderNumber: string;
}

const PLACE_BYTES = 12;
const CHECKSUM_BYTES = 4;

export function writeOrderCursor({ clientId, placedAt, orderNumber }: OrderCursor): string {
  const place = Buffer.alloc(PLACE_BYTES);
  place.writeInt32BE(clientId);
  place.writeBigUInt64BE(BigInt(placedAt), 4);
  const content = Buffer.concat([place, Buffer.from(orderNumber)]);
  return Buffer.concat([content, checksum(content)]).toString('base64url');
}

/** `undefined` for anything that was never a cursor. */
export function readOrderCursor(text: string): OrderCursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length <= PLACE_BYTES + CHECKSUM_BYTES || bytes.toString('base64url') !== text) return undefined;
  const content = bytes.subarray(0, -CHECKSUM_BYTES);
  const orderNumber = content.toString('utf8', PLACE_BYTES);
  const placedAt = Number(content.readBigUInt64BE(4));
  const wellFormed =
    Number.isSafeInteger(placedAt) &&
    bytes.subarray(-CHECKSUM_BYTES).equals(checksum(content)) &&
    normaliseOrderNumber(orderNumber) === orderNumber;
  return wellFormed ? { clientId: content.readInt32BE(), placedAt, orderNumber } : undefined;
}

/** Where the client's own page ended, or 422 if it was another client's. */
export function readOwnCursor(clientId: number, text: string): OrderCursor {
  const cursor = readOrderCursor(text);
  if (cursor?.clientId === clientId) return cursor;
  throw validationFailed([{ field: 'cursor', code: 'malformed', message: 'is not a cursor of your orders' }]);
}

/** Against typing errors and cut-off copies; a cursor needs no secrecy. */
function checksum(content: Buffer): Buffer {
  return hash('sha256', content, 'buffer').subarray(0, CHECKSUM_BYTES);
}

const PLACE = `(timestamptz 'epoch' + ?::float8 * interval '1 microsecond', ?)`;

/** In the order of the list, which is the newest first. */
export function olderThan({ placedAt, orderNumber }: OrderCursor): Condition {
  return [`(o.placed_at, o.order_number) < ${PLACE}`, placedAt, orderNumber];
}

export function newerThan({ placedAt, orderNumber }: OrderCursor): Condition {
  return [`(o.placed_at, o.order_number) > ${PLACE}`, placedAt, orderNumber];
}
