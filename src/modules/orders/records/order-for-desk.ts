import { parseLineQuantities } from '../rules/order-units.js';
import { detailsOf } from './order-details.js';
import type { DeskOrderRecord } from './order-record.js';

/** An order as the wholesaler sees it. */
export type DeskOrder = ReturnType<typeof toDeskOrder>;

export function toDeskOrder(order: DeskOrderRecord) {
  return { ...order, ...detailsOf(order, (actor) => ({ actor })), prepared: preparedOf(order) };
}

/** The next parcel, if its invoice is issued. */
export function preparedOf({ prepared }: Pick<DeskOrderRecord, 'prepared'>) {
  if (!prepared) return null;
  const { lines, preparedAt } = prepared;
  return { ...prepared, lines: parseLineQuantities([lines]), preparedAt: new Date(preparedAt) };
}
