import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Batch, NoteFault, RowFault, Written } from '../../imports/import-kind.js';
import { addFaults, GOOD } from '../../imports/import-tables.js';
import { normaliseOrderNumber } from '../rules/order-number.js';

/** Orders are locked in the order of their keys and their stock in that of its ids, for a moment: who orders is not held up by them. */
export const ORDERS_AT_ONCE = 25;

/** Several at once, or one alone; each time all or none. */
export type ActOnOrders<Row> = (
  transaction: Transaction,
  rows: readonly Row[],
  actor: string,
) => Promise<void>;

export const REFUSE_UNKNOWN = addFaults(`
  SELECT g.line, 'order_number', format('there is no order %s', g.order_number)
    FROM ${GOOD} g WHERE NOT EXISTS (SELECT FROM orders o WHERE o.order_number = g.order_number)`);

/** The number as it is kept, in whatever spelling it was given. */
export function readOrderNumber(cell: string, note: NoteFault): string | null {
  const number = normaliseOrderNumber(cell);
  if (number === null) note('order_number', 'must look like WO-20260131-7K3QZ-9M2XA');
  return number;
}

/** By the one lifecycle, many at once; where that is refused each by itself, so that those are named for whose sake it was. */
export function writeOrders<Row extends { line: number }>(next: string, act: ActOnOrders<Row>) {
  return async ({ session, lines, actor }: Batch): Promise<Written> => {
    const rows = await session.query<Row>(next, lines);
    const attempt = (some: readonly Row[]) =>
      session.attempt(() => act(session.transactionInProgress, some, actor), refusalOf);
    const faults: RowFault[] = [];
    if ((await attempt(rows)) !== undefined)
      for (const row of rows) {
        const fault = await attempt([row]);
        if (fault !== undefined) faults.push({ line: row.line, column: 'order_number', message: fault });
      }
    return { created: 0, updated: rows.length - faults.length, faults };
  };
}

function refusalOf(error: unknown): string | undefined {
  return error instanceof DomainError ? error.message : undefined;
}
