import { optionalCell, requiredCell } from '../../shared/imports/cells.js';
import type { ImportKind, NoteFault } from '../../shared/imports/import-kind.js';
import { addFaults, createWork, GOOD, inBatch, STAGED, WORK } from '../../shared/imports/import-tables.js';
import { parseTime } from '../../platform/time/time.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { recordAnswers } from './e-invoice-import.js';
import { readTransport, type Transport, TRANSPORT_FIELDS } from './rules/e-way-bill.js';

const ANSWER_COLUMNS = [
  'e_way_bill',
  'generated_at',
  'valid_until',
  'cancelled_at',
  'status',
  'remark',
] as const;

/** What a form asks for. */
export const E_WAY_BILL_FIELDS = [...TRANSPORT_FIELDS, 'e_way_bill', 'generated_at', 'valid_until'] as const;

export type EWayBillColumn = 'number' | keyof Transport | (typeof ANSWER_COLUMNS)[number];

type StagedEWayBill =
  'number' | 'transport' | 'e_way_bill' | 'generated_at' | 'valid_until' | 'cancelled_at' | 'remark';

// SQL, because one statement compares the whole file with the documents.

/** The open one of each document, and an earlier one with this number. */
const COMPARED = `
  FROM ${GOOD} g
  LEFT JOIN e_way_bills e ON e.number = g.number AND e.ended_at IS NULL
  LEFT JOIN e_way_bills old ON old.bill_number = g.e_way_bill`;

const REFUSE = addFaults(`
  SELECT g.line, 'number', 'is no invoice'
    FROM ${GOOD} g LEFT JOIN tax_documents d ON d.number = g.number AND d.kind = 'invoice'
   WHERE d.number IS NULL AND g.number IS NOT NULL
  UNION ALL
  SELECT g.line, 'e_way_bill', format('is that of %s', old.number) ${COMPARED} WHERE old.number <> g.number
  UNION ALL
  SELECT g.line, 'e_way_bill',
         format('differs: %s has %s, which must be cancelled first', g.number, e.bill_number)
    ${COMPARED} WHERE e.bill_number <> g.e_way_bill AND old.number IS NULL
  UNION ALL
  SELECT g.line, 'generated_at', 'differs from the time that was recorded before'
    ${COMPARED} WHERE old.generated_at <> g.generated_at
  UNION ALL
  SELECT g.line, 'generated_at', 'is missing: the e-way bill is new'
    ${COMPARED} WHERE g.e_way_bill IS NOT NULL AND old.number IS NULL AND g.generated_at IS NULL
  UNION ALL
  SELECT g.line, 'e_way_bill', format('is already in row %s', min(first.line))
    FROM ${GOOD} g JOIN ${GOOD} first USING (e_way_bill) WHERE first.line < g.line GROUP BY g.line
  UNION ALL
  SELECT g.line, field, 'needs the number of the e-way bill'
    ${COMPARED},
    LATERAL (VALUES ('generated_at', g.generated_at), ('valid_until', g.valid_until)) AS times (field, time)
   WHERE time IS NOT NULL AND coalesce(g.e_way_bill, e.bill_number) IS NULL
  UNION ALL
  SELECT g.line, 'valid_until', 'is before the time of the e-way bill'
    ${COMPARED} WHERE g.valid_until < coalesce(old.generated_at, e.generated_at, g.generated_at)
  UNION ALL
  SELECT g.line, 'cancelled_at', 'is before the time of the e-way bill'
    ${COMPARED} WHERE g.cancelled_at < coalesce(old.generated_at, e.generated_at, g.generated_at)
  UNION ALL
  SELECT g.line, 'remark', 'is missing: say why no e-way bill is needed'
    ${COMPARED}
   WHERE g.cancelled_at IS NOT NULL AND coalesce(g.e_way_bill, e.bill_number, g.remark) IS NULL`);

const TRANSPORT_AFTER = `jsonb_strip_nulls(coalesce(e.transport, '{}') || g.transport)`;

/** A row about a bill that has ended changes nothing. */
const FIND_NEW = createWork(`
  SELECT g.line, g.e_way_bill IS NOT NULL AND e.bill_number IS NULL AS is_new, g.number,
         coalesce(e.edition, (SELECT max(o.edition) + 1 FROM e_way_bills o WHERE o.number = g.number), 1)
           AS edition,
         ${TRANSPORT_AFTER} AS transport
    ${COMPARED}
   WHERE old.ended_at IS NULL
     AND (${TRANSPORT_AFTER}, coalesce(g.e_way_bill, e.bill_number),
          coalesce(g.valid_until, e.valid_until), g.cancelled_at)
         IS DISTINCT FROM (coalesce(e.transport, '{}'), e.bill_number, e.valid_until, NULL)`);

/** Bounded by the columns of the file. */
const SHOW = `
  SELECT w.line, w.is_new, w.number AS name,
         (SELECT coalesce(jsonb_agg(jsonb_build_array(field, old, new)), '[]')
            FROM (SELECT key, e.transport ->> key, value FROM jsonb_each_text(s.transport)
                  UNION ALL VALUES ('e_way_bill', e.bill_number, coalesce(s.e_way_bill, e.bill_number)),
                                   ('valid_until', to_jsonb(e.valid_until) #>> '{}',
                                    to_jsonb(coalesce(s.valid_until, e.valid_until)) #>> '{}'),
                                   ('cancelled_at', NULL, to_jsonb(s.cancelled_at) #>> '{}'),
                                   ('remark', NULL, s.remark)) AS change (field, old, new)
           WHERE new IS DISTINCT FROM old) AS fields
    FROM ${WORK} w JOIN ${STAGED} s USING (line)
    LEFT JOIN e_way_bills e ON e.number = w.number AND e.edition = w.edition`;

/**
 * After a cancellation the goods need another one, until their invoice is taken back. Sorted, because a
 * trigger stamps the orders, and no two transactions may lock them in another order. The last join is bounded
 * by the batch: numbers of WORK have no index.
 */
const RECORD = `
  WITH recorded AS (
         INSERT INTO e_way_bills (number, edition, issued_on, transport, bill_number, generated_at,
                                  valid_until, ended_at, reason, actor)
         SELECT w.number, w.edition, d.issued_on, w.transport, coalesce(o.bill_number, s.e_way_bill),
                coalesce(o.generated_at, s.generated_at), coalesce(s.valid_until, o.valid_until),
                s.cancelled_at, s.remark, $3
           FROM ${WORK} w JOIN ${STAGED} s USING (line) JOIN tax_documents d ON d.number = w.number
           LEFT JOIN e_way_bills o ON o.number = w.number AND o.edition = w.edition
          WHERE ${inBatch('w')}
          ORDER BY d.client_id, d.order_number
         ON CONFLICT (number, edition) DO UPDATE
            SET transport = excluded.transport, bill_number = excluded.bill_number,
                generated_at = excluded.generated_at, valid_until = excluded.valid_until,
                ended_at = excluded.ended_at, reason = excluded.reason, actor = excluded.actor
         RETURNING number, edition, issued_on, bill_number, ended_at),
       next AS (
         INSERT INTO e_way_bills (number, edition, issued_on)
         SELECT number, edition + 1, issued_on FROM recorded
          WHERE ended_at IS NOT NULL AND bill_number IS NOT NULL)
  SELECT w.is_new FROM recorded r JOIN ${WORK} w ON w.number = r.number AND ${inBatch('w')}`;

/** Transport and the portal's answers, with the headings of its lists and the names of its JSON. */
export const E_WAY_BILL_IMPORT: ImportKind<EWayBillColumn, StagedEWayBill> = {
  name: 'e-way-bills',
  columns: ['number'],
  optional: [...TRANSPORT_FIELDS, ...ANSWER_COLUMNS],
  oneOf: [...TRANSPORT_FIELDS, ...ANSWER_COLUMNS],
  aliases: {
    number: ['Doc No', 'Doc.No', 'DocNo', 'Document Number', 'Invoice Number'],
    e_way_bill: ['EWB No', 'EwbNo', 'ewayBillNo', 'E-Way Bill No'],
    generated_at: ['EWB Date', 'EwbDt', 'ewayBillDate', 'Generated Date'],
    valid_until: ['Valid Till Date', 'Valid Till', 'EwbValidTill', 'validUpto', 'Valid Upto'],
    cancelled_at: ['Cancelled Date', 'cancelDate', 'Cancel Date'],
    vehicle_number: ['vehicleNo', 'Vehicle No'],
    transporter_id: ['transporterId', 'Transporter Id'],
    distance_km: ['transDistance', 'Distance'],
    status: ['Status'],
  },
  times: ['generated_at', 'valid_until', 'cancelled_at', 'transport_document_on'],
  staged: {
    number: 'text',
    transport: 'jsonb',
    e_way_bill: 'text',
    generated_at: 'timestamptz',
    valid_until: 'timestamptz',
    cancelled_at: 'timestamptz',
    remark: 'text',
  },
  key: ['number'],
  keyColumn: 'number',
  read,
  compare: [REFUSE, FIND_NEW],
  changes: SHOW,
  batchSize: 1_000,
  write: recordAnswers(RECORD),
};

/** An empty cell of transport removes the old value. */
function read(
  cells: Record<EWayBillColumn, string>,
  note: NoteFault,
  present: ReadonlySet<string>,
): Record<StagedEWayBill, string | null> {
  const transport = TRANSPORT_FIELDS.filter((field) => present.has(field)).map((field) => [
    field,
    readTransport(field, optionalCell(field, cells[field], note) ?? '', note) ?? null,
  ]);
  const bill = cells.e_way_bill.replaceAll(/[ -]/g, '');
  const isNumber = /^\d{12}$/.test(bill);
  if (bill !== '' && !isNumber) note('e_way_bill', 'must be a number of 12 digits');
  const isCancelled = /^(cnl|can)/i.test(cells.status);
  if (isCancelled && cells.cancelled_at === '')
    note('cancelled_at', 'is missing: the e-way bill is cancelled');
  return {
    number: requiredCell('number', cells.number.toUpperCase(), note),
    transport: JSON.stringify(Object.fromEntries(transport)),
    e_way_bill: isNumber ? bill : null,
    generated_at: timeIn('generated_at', cells, note),
    valid_until: timeIn('valid_until', cells, note),
    cancelled_at: timeIn('cancelled_at', cells, note),
    remark: optionalCell('remark', cells.remark, note),
  };
}

function timeIn(
  column: 'generated_at' | 'valid_until' | 'cancelled_at',
  cells: Record<EWayBillColumn, string>,
  note: NoteFault,
): string | null {
  if (cells[column] === '') return null;
  const time = parseTime(cells[column], LAW_TIME_ZONE);
  if (!time) note(column, 'must be a time such as 2026-11-26 10:15 or 26/11/2026 10:15:00 AM');
  return time?.toISOString() ?? null;
}
