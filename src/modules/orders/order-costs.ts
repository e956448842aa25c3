import { type CostRule, UNIT_COSTS } from '../../platform/limits/request-costs.js';
import { isPlainObject } from '../../platform/validation/plain-object.js';
import { ORDER_LIMITS } from './placing/create-order.request.js';

/** The order, its id, its timeline entry and its change; lines come on top. */
export const ROWS_PER_ORDER = 4;

/** This many bytes of an order's body count as one row, if that exceeds the number of lines. */
export const BYTES_PER_ROW = 256;

/** The cost of the lines of an order or a quote. */
export const linesCost: CostRule = ({ body }) => countLines(body) * UNIT_COSTS.named;

/** The cost of an order: its lines, and the rows that it writes. */
export const orderCost: CostRule = (request) => {
  const { body, bodyBytes = 0 } = request;
  const rows = ROWS_PER_ORDER + Math.max(countLines(body), bodyBytes / BYTES_PER_ROW);
  return linesCost(request) + rows * UNIT_COSTS.row;
};

/** The return, the entry in the audit log and the change of the order; lines come on top. */
export const ROWS_PER_RETURN = 3;

export const returnCost: CostRule = ({ body }) => {
  const lines = countLines(body, 'lines');
  return lines * UNIT_COSTS.named + (ROWS_PER_RETURN + lines) * UNIT_COSTS.row;
};

/** The correction, the entry in the audit log and the change of the order. */
export const ROWS_PER_DELIVERY = 3;

export const deliveryCost: CostRule = () => ROWS_PER_DELIVERY * UNIT_COSTS.row;

/** A body with too many lines is refused, and costs no more. */
function countLines(body: unknown, name = 'items'): number {
  const items: unknown = isPlainObject(body) ? body[name] : undefined;
  return Array.isArray(items) ? Math.min(items.length, ORDER_LIMITS.items) : 0;
}
