import { type Price, PRICES } from '../../platform/limits/request-costs.js';
import { isPlainObject } from '../../platform/validation/plain-object.js';
import { ORDER_LIMITS } from './placing/create-order.request.js';

/** The order, its id, its timeline entry and its change; lines come on top. */
export const ROWS_OF_ORDER = 4;

/** This many bytes of an order's body count as one row, if that exceeds the number of lines. */
export const BYTES_OF_ROW = 256;

/** The cost of the lines of an order or a quote. */
export const forLines: Price = ({ body }) => linesIn(body) * PRICES.named;

/** The cost of an order: its lines, and the rows that it writes. */
export const forOrder: Price = (request) => {
  const { body, bodyBytes = 0 } = request;
  const rows = ROWS_OF_ORDER + Math.max(linesIn(body), bodyBytes / BYTES_OF_ROW);
  return forLines(request) + rows * PRICES.row;
};

/** The return, the entry in the audit log and the change of the order; lines come on top. */
export const ROWS_OF_RETURN = 3;

export const forReturn: Price = ({ body }) => {
  const lines = linesIn(body, 'lines');
  return lines * PRICES.named + (ROWS_OF_RETURN + lines) * PRICES.row;
};

/** A body with too many lines is refused, and costs no more. */
function linesIn(body: unknown, name = 'items'): number {
  const items: unknown = isPlainObject(body) ? body[name] : undefined;
  return Array.isArray(items) ? Math.min(items.length, ORDER_LIMITS.items) : 0;
}
