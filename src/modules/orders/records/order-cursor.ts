import { validationFailed } from '../../../platform/errors/domain-error.js';
import { readChecked, writeChecked } from '../../../platform/validation/checked-text.js';
import { normaliseOrderNumber } from '../rules/order-number.js';

/** The end of a page of a client's orders. It holds the position itself, so it outlives the order. */
export interface OrderCursor {
  clientId: number;
  /** Microseconds since 1970, which a Date would cut off, or the total. A number is exact until 2255. */
  key: number;
  orderNumber: string;
}

export function cursorOf(
  clientId: number,
  { orderNumber, placedAtMicros }: { orderNumber: string; placedAtMicros: string },
): OrderCursor {
  return { clientId, orderNumber, key: Number(placedAtMicros) };
}

const TEST = /^TEST-/;

/** `TEST-20260131-7K3QZ-9M2XA`, which no real order has. */
export function testNumber(orderNumber: string): string {
  return orderNumber.replace('WO-', 'TEST-');
}

const PLACE_BYTES = 12;

export function writeOrderCursor({ clientId, key, orderNumber }: OrderCursor): string {
  const place = Buffer.alloc(PLACE_BYTES);
  place.writeInt32BE(clientId);
  place.writeBigUInt64BE(BigInt(key), 4);
  return writeChecked(Buffer.concat([place, Buffer.from(orderNumber)]));
}

/** `undefined` for any other text. */
export function readOrderCursor(text: string): OrderCursor | undefined {
  const content = readChecked(text);
  if (content === undefined || content.length <= PLACE_BYTES) return undefined;
  const orderNumber = content.toString('utf8', PLACE_BYTES);
  const key = Number(content.readBigUInt64BE(4));
  const real = orderNumber.replace(TEST, 'WO-');
  const wellFormed = Number.isSafeInteger(key) && normaliseOrderNumber(real) === real;
  return wellFormed ? { clientId: content.readInt32BE(), key, orderNumber } : undefined;
}

/** A cursor of this client, or 422. */
export function readOwnCursor(clientId: number, text: string): OrderCursor {
  const cursor = readOrderCursor(text);
  if (cursor?.clientId === clientId) return cursor;
  throw validationFailed([{ field: 'cursor', code: 'malformed', message: 'is not a cursor of your orders' }]);
}

/** A condition on `orders o`, with `?` for each of its values. */
export type Condition = [text: string, ...values: unknown[]];

const PLACE = `(timestamptz 'epoch' + ?::float8 * interval '1 microsecond', ?)`;

export function olderThan({ key, orderNumber }: OrderCursor): Condition {
  return [`(o.placed_at, o.order_number) < ${PLACE}`, key, orderNumber];
}

export function newerThan({ key, orderNumber }: OrderCursor): Condition {
  return [`(o.placed_at, o.order_number) > ${PLACE}`, key, orderNumber];
}
