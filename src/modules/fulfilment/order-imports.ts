import type { ImportBatch, NoteFault, RowFault, WriteResult } from '../../shared/imports/import-kind.js';
import type { ImportSession } from '../../shared/imports/import-session.js';
import { requiredCell } from '../../shared/imports/cells.js';
import {
  addFaults,
  DROP_FAULTY,
  GOOD,
  NAMED,
  recordFaults,
  STAGED,
} from '../../shared/imports/import-tables.js';
import { normaliseOrderNumber, numberEnd, readNumberEnd } from '../orders/rules/order-number.js';
import { formatLineQuantities, parseLineQuantities } from '../orders/rules/order-units.js';
import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';

// For files with rows of orders. SQL, because one statement compares the whole file with the orders.

/** A batch locks its orders and their stock only for a moment, so that it does not hold up new orders. */
export const ORDERS_AT_ONCE = 25;

/** Changes all of the orders, or none. */
export type ApplyToOrders<Row> = (
  transaction: Transaction,
  rows: readonly Row[],
  actor: string,
) => Promise<void>;

const UNKNOWN = `
  ${GOOD} g WHERE NOT EXISTS (SELECT FROM orders o WHERE o.order_number = g.order_number)`;

/**
 * A store's own id, or the end of our number, stands for the order, unless it fits two orders, or another row
 * names the order.
 */
export const resolveOrders = (key: readonly string[]) => `
  CREATE TEMP TABLE ${NAMED} AS
  SELECT line, count(*) AS found, min(order_number) AS order_number, max(order_number) AS last
    FROM (SELECT g.line, o.order_number
            FROM (SELECT * FROM ${UNKNOWN}) AS g JOIN orders o ON o.store_order_id = g.order_number
          UNION
          SELECT g.line, o.order_number
            FROM (SELECT * FROM ${UNKNOWN}) AS g
            JOIN orders o ON ${numberEnd('o.order_number')} = g.number_end) AS found
   GROUP BY line;
  ${addFaults(`
    SELECT line, 'order_number', format('fits several orders (%s, %s%s): use the whole number',
                                        order_number, last, CASE WHEN found > 2 THEN ' and others' END)
      FROM ${NAMED} WHERE found > 1`)}
  UPDATE ${STAGED} s SET order_number = ${NAMED}.order_number
    FROM ${NAMED} WHERE ${NAMED}.line = s.line AND found = 1;
  ${addFaults(`
    SELECT s.line, 'order_number', format('is already in row %s', min(first.line))
      FROM ${STAGED} s JOIN ${STAGED} first USING (${key.join(', ')})
     WHERE first.line < s.line AND EXISTS (SELECT FROM ${NAMED} WHERE line IN (s.line, first.line))
     GROUP BY s.line`)}
  ${addFaults(`
    SELECT g.line, 'order_number', format('there is no order %s', g.order_number) FROM ${UNKNOWN}`)}`;

/** Ids of stores have no index: only open orders, which partial indexes find. */
export const KNOWN_ORDERS = `
  SELECT count(*)::int AS count FROM (
    SELECT order_number FROM orders WHERE order_number = ANY ($1)
    UNION SELECT ${numberEnd('order_number')} FROM orders WHERE ${numberEnd('order_number')} = ANY ($1)
    UNION SELECT store_order_id FROM orders WHERE status = 'pending' AND store_order_id = ANY ($1)
    UNION SELECT store_order_id FROM orders WHERE status = 'shipped' AND store_order_id = ANY ($1)) AS known`;

const MAX_ID_LENGTH = 100;

/** The staged columns of an order: its number or the store's id, and the end of a number if it may be one. */
export const ORDER_STAGED = { order_number: 'text', number_end: 'text' } as const;

/** Our number as it is stored, in any spelling of the file, or the text as it is. */
export function readOrderNumber(
  cell: string,
  note: NoteFault,
): Record<keyof typeof ORDER_STAGED, string | null> {
  const named = { order_number: normaliseOrderNumber(cell), number_end: readNumberEnd(cell) };
  if (named.order_number !== null) return named;
  if (cell.length <= MAX_ID_LENGTH)
    return { ...named, order_number: requiredCell('order_number', cell, note) };
  note('order_number', "must be our number, such as WO-20260131-7K3QZ-9M2XA, or the store's id");
  return named;
}

/** Returns the units of lines as one text: the same text for the same units. */
export function readLineList(cell: string, note: NoteFault): string | null {
  try {
    return formatLineQuantities(parseLineQuantities([cell]));
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    note('lines', refusal);
    return null;
  }
}

/** Tries all orders at once. After a refusal it tries one by one, so the report names the bad rows. */
export function writeOrders<Row extends { line: number }>(
  next: string,
  applyToOrders: ApplyToOrders<Row>,
  countedAs: 'created' | 'updated' = 'updated',
) {
  return async ({ session, lines, actor }: ImportBatch): Promise<WriteResult> => {
    const rows = await session.query<Row>(next, lines);
    const faults = await tryOrders(session, rows, applyToOrders, actor);
    return { created: 0, updated: 0, [countedAs]: rows.length - faults.length, faults };
  };
}

export async function tryOrders<Row extends { line: number }>(
  session: ImportSession,
  rows: readonly Row[],
  applyToOrders: ApplyToOrders<Row>,
  actor: string,
): Promise<RowFault[]> {
  const faultOf = (some: readonly Row[]) =>
    session.attempt(() => applyToOrders(session.transactionInProgress, some, actor), refusalOf);
  const faults: RowFault[] = [];
  if ((await faultOf(rows)) !== undefined)
    for (const row of rows) {
      const message = await faultOf([row]);
      if (message !== undefined) faults.push({ line: row.line, column: 'order_number', message });
    }
  return faults;
}

/**
 * Changes the orders in transactions that are rolled back, so the check reports what the run would refuse.
 * `next` reads a page of the rows behind a line.
 */
export async function dryRunOrders<Row extends { line: number }>(
  session: ImportSession,
  next: string,
  applyToOrders: ApplyToOrders<Row>,
  actor: string,
): Promise<void> {
  for await (const rows of session.pages<Row>(next, ORDERS_AT_ONCE)) {
    const faults = await session.transaction(
      () => tryOrders(session, rows, applyToOrders, actor),
      'ROLLBACK',
    );
    await recordFaults(session, faults);
  }
  await session.run(DROP_FAULTY);
}

export function refusalOf(error: unknown): string | undefined {
  return error instanceof DomainError ? error.message : undefined;
}
