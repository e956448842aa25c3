import { normaliseOrderNumber } from './order-number.js';

/** Where a page of orders ended: the number of its last one, in a form that asks not to be made up. */
export function writeOrderCursor(orderNumber: string): string {
  return Buffer.from(orderNumber).toString('base64url');
}

/** `undefined` for anything that was never a cursor. */
export function readOrderCursor(text: string): string | undefined {
  const orderNumber = Buffer.from(text, 'base64url').toString();
  const wellFormed =
    normaliseOrderNumber(orderNumber) === orderNumber && writeOrderCursor(orderNumber) === text;
  return wellFormed ? orderNumber : undefined;
}
