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

const TEST_PREFIX = /^TEST-/;

/** `TEST-20260131-7K3QZ-9M2XA`, which no real order has. */
export function toTestOrderNumber(orderNumber: string): string {
  return orderNumber.replace('WO-', 'TEST-');
}

const POSITION_BYTES = 12;

export function writeOrderCursor({ clientId, key, orderNumber }: OrderCursor): string {
  const position = Buffer.alloc(POSITION_BYTES);
  position.writeInt32BE(clientId);
  position.writeBigUInt64BE(BigInt(key), 4);
  return writeChecked(Buffer.concat([position, Buffer.from(orderNumber)]));
}

/** `undefined` for any other text. */
export function readOrderCursor(text: string): OrderCursor | undefined {
  const content = readChecked(text);
  if (content === undefined || content.length <= POSITION_BYTES) return undefined;
  const orderNumber = content.toString('utf8', POSITION_BYTES);
  const key = Number(content.readBigUInt64BE(4));
  const real = orderNumber.replace(TEST_PREFIX, 'WO-');
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
export type SqlCondition = [text: string, ...values: unknown[]];

const POSITION = `(timestamptz 'epoch' + ?::float8 * interval '1 microsecond', ?)`;

export function olderThan({ key, orderNumber }: OrderCursor): SqlCondition {
  return [`(o.placed_at, o.order_number) < ${POSITION}`, key, orderNumber];
}

export function newerThan({ key, orderNumber }: OrderCursor): SqlCondition {
  return [`(o.placed_at, o.order_number) > ${POSITION}`, key, orderNumber];
}
