import type { ImportKind, NoteFault } from '../../../shared/imports/import-kind.js';
import type { ImportSession } from '../../../shared/imports/import-session.js';
import {
  addFaults,
  createWork,
  DROP_FAULTY,
  GOOD,
  inBatch,
  WORK,
} from '../../../shared/imports/import-tables.js';
import { lineFault, paragraphFault } from '../../../platform/validation/texts.js';
import {
  type ApplyToOrders,
  dryRunOrders,
  KNOWN_ORDERS,
  ORDER_STAGED,
  ORDERS_AT_ONCE,
  readLineList,
  readOrderNumber,
  resolveOrders,
  writeOrders,
} from '../order-imports.js';
import type { OrderKey } from '../../orders/entities/order.entity.js';
import { parseLineQuantities } from '../../orders/rules/order-units.js';
import {
  MAX_NOTE_LENGTH,
  readReturn,
  MAX_REASON_LENGTH,
  type ReturnRequest,
} from '../../orders/rules/return-request.js';

// SQL, because one statement compares the whole file with the orders.

/** Skips rows whose return was requested before. */
const FIND_NEW = createWork(`
  SELECT g.line, true AS is_new, o.client_id, o.order_number, g.lines, g.reason, g.note, g.key
    FROM ${GOOD} g JOIN orders o ON o.order_number = g.order_number
   WHERE NOT EXISTS (SELECT FROM order_returns r
                      WHERE (r.client_id, r.order_number, r.key) = (o.client_id, o.order_number, g.key))`);

const REFUSE_UNITS = addFaults(`
  SELECT w.line, 'lines',
         CASE WHEN i.line IS NULL THEN format('name line %s, which the order does not have', asked.line)
              ELSE format('name %s of line %s, of which %s can be returned', asked.quantity, asked.line,
                          i.shipped - i.returned) END
    FROM ${WORK} w
   CROSS JOIN LATERAL (
           SELECT split_part(part, '=', 1)::int AS line, split_part(part, '=', 2)::int AS quantity
             FROM unnest(string_to_array(w.lines, ' ')) AS part) AS asked
    LEFT JOIN order_items i
      ON (i.client_id, i.order_number, i.line) = (w.client_id, w.order_number, asked.line)
   WHERE i.line IS NULL OR asked.quantity > i.shipped - i.returned`);

const REQUEST = 'line, client_id AS "clientId", order_number AS "orderNumber", lines, reason, note, key';

const NEXT = `SELECT ${REQUEST} FROM ${WORK} WHERE ${inBatch()} ORDER BY line`;

const NEXT_DRY_RUN = `
  SELECT line AS at, ${REQUEST} FROM ${WORK} WHERE line > $1 ORDER BY line LIMIT $2`;

const KEY = ['order_number', 'key'] as const;

type Column = 'order_number' | 'lines' | 'reason' | 'note';
type StagedColumn = Column | keyof typeof ORDER_STAGED | 'key';
type WorkRow = { line: number; lines: string; reason: string; note: string | null; key: string } & OrderKey;

type ApplyRequests = ApplyToOrders<OrderKey & ReturnRequest>;

const requesting =
  (applyRequests: ApplyRequests): ApplyToOrders<WorkRow> =>
  async (transaction, rows, actor) => {
    const requests = rows.map(({ line: _, lines, ...row }) => ({
      ...row,
      lines: parseLineQuantities([lines]),
    }));
    await applyRequests(transaction, requests, actor);
  };

/** Two rows of one order may together name more than was shipped. */
export const dryRunReturns = (session: ImportSession, applyRequests: ApplyRequests, actor: string) =>
  dryRunOrders(session, NEXT_DRY_RUN, requesting(applyRequests), actor);

/** A file of returns. A row that was imported before changes nothing. */
export function returnImport(applyRequests: ApplyRequests): ImportKind<Column, StagedColumn> {
  return {
    name: 'returns',
    columns: ['order_number', 'lines', 'reason'],
    optional: ['note'],
    synonyms: { order_number: ['Ref'] },
    known: { order_number: KNOWN_ORDERS },
    staged: { ...ORDER_STAGED, lines: 'text', reason: 'text', note: 'text', key: 'text' },
    key: KEY,
    keyColumn: 'order_number',
    read,
    compare: [resolveOrders(KEY), FIND_NEW, REFUSE_UNITS, DROP_FAULTY],
    batchSize: ORDERS_AT_ONCE,
    write: writeOrders(NEXT, requesting(applyRequests), 'created'),
  };
}

function read(cells: Readonly<Record<Column, string>>, note: NoteFault): Record<StagedColumn, string | null> {
  const named = readOrderNumber(cells.order_number, note);
  const lines = readLineList(cells.lines, note);
  const faults = [
    ['reason', lineFault(cells.reason.trim(), MAX_REASON_LENGTH)],
    ['note', paragraphFault(cells.note.trim(), MAX_NOTE_LENGTH)],
  ] as const;
  for (const [column, fault] of faults) if (fault !== undefined) note(column, fault);
  if (lines === null || faults.some(([, fault]) => fault !== undefined))
    return { ...named, lines: null, reason: null, note: null, key: null };
  const request = readReturn({ lines: parseLineQuantities([lines]), reason: cells.reason, note: cells.note });
  return { ...request, ...named, lines };
}
