import { optionalCell, requiredCell } from '../../shared/imports/cells.js';
import type { ImportBatch, ImportKind, NoteFault, WriteResult } from '../../shared/imports/import-kind.js';
import { addFaults, createWork, GOOD, inBatch, STAGED, WORK } from '../../shared/imports/import-tables.js';
import { parseTime } from '../../platform/time/time.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { readSignedQr } from './rules/signed-qr.js';

type EInvoiceColumn = 'number' | 'irn' | 'ack_number' | 'acked_at' | 'signed_qr' | 'cancelled_at' | 'status';

type StagedEInvoice = Exclude<EInvoiceColumn, 'status'>;

/** An answer has a QR code; a cancellation has none. */
const IS_ANSWER = 'g.signed_qr IS NOT NULL';

// SQL, because one statement compares the whole file with the documents.

const REFUSE = addFaults(`
  SELECT g.line, 'number', CASE WHEN d.number IS NULL THEN 'is no document' ELSE 'needs no IRN' END
    FROM ${GOOD} g LEFT JOIN tax_documents d USING (number)
   WHERE g.number IS NOT NULL AND NOT EXISTS (SELECT FROM e_invoices e WHERE e.number = g.number)
  UNION ALL
  SELECT g.line, 'number', format('is already in row %s', other.line)
    FROM ${GOOD} g JOIN ${GOOD} other USING (number) WHERE other.line < g.line
  UNION ALL
  SELECT g.line, 'irn', format('differs: %s was registered with other values before', g.number)
    FROM ${GOOD} g JOIN e_invoices e USING (number)
   WHERE ${IS_ANSWER} AND e.irn IS NOT NULL AND (e.irn, e.ack_number, e.acked_at, e.signed_qr)
         IS DISTINCT FROM (g.irn, g.ack_number, g.acked_at, g.signed_qr)
  UNION ALL
  SELECT g.line, 'irn', format('is that of %s', e.number)
    FROM ${GOOD} g JOIN e_invoices e USING (irn) WHERE e.number <> g.number
  UNION ALL
  SELECT g.line, 'irn', 'is not recorded: import the answer with its QR code first'
    FROM ${GOOD} g LEFT JOIN e_invoices e USING (irn) WHERE NOT ${IS_ANSWER} AND e.number IS NULL
  UNION ALL
  SELECT g.line, 'cancelled_at', format('differs: %s was cancelled at another time', e.number)
    FROM ${GOOD} g JOIN e_invoices e USING (irn) WHERE e.cancelled_at <> g.cancelled_at
  UNION ALL
  SELECT g.line, 'cancelled_at', 'is before the time of the acknowledgement'
    FROM ${GOOD} g LEFT JOIN e_invoices e USING (irn)
   WHERE g.cancelled_at < coalesce(e.acked_at, g.acked_at)`);

const FIND_NEW = createWork(`
  SELECT g.line, e.irn IS NULL AS is_new, e.number
    FROM ${GOOD} g JOIN e_invoices e ON e.irn = g.irn OR ${IS_ANSWER} AND e.number = g.number
   WHERE e.irn IS NULL OR e.cancelled_at IS NULL AND g.cancelled_at IS NOT NULL`);

const SHOW = `
  SELECT w.line, w.is_new, w.number AS name,
         jsonb_path_query_array(
           jsonb_build_array(
             jsonb_build_array('irn', NULL, CASE WHEN w.is_new THEN s.irn END),
             jsonb_build_array('cancelled_at', NULL, s.cancelled_at)),
           'strict $[*] ? (@[2] != null)') AS fields
    FROM ${WORK} w JOIN ${STAGED} s USING (line)`;

/** What is recorded already stays. */
const RECORD = `
  UPDATE e_invoices e
     SET irn = s.irn, ack_number = coalesce(e.ack_number, s.ack_number),
         acked_at = coalesce(e.acked_at, s.acked_at), signed_qr = coalesce(e.signed_qr, s.signed_qr),
         recorded_at = coalesce(e.recorded_at, now()), actor = coalesce(e.actor, $3),
         cancelled_at = s.cancelled_at,
         cancel_recorded_at = CASE WHEN s.cancelled_at IS NOT NULL THEN now() END
    FROM ${WORK} JOIN ${STAGED} s USING (line)
   WHERE ${inBatch()} AND e.number = ${WORK}.number AND (e.irn IS NULL) = is_new AND e.cancelled_at IS NULL
  RETURNING is_new`;

/** Records answers of a portal by a statement that returns for each row whether it is new. */
export const recordAnswers =
  (statement: string) =>
  async ({ session, lines, actor }: ImportBatch): Promise<WriteResult> => {
    const recorded = await session.query<{ is_new: boolean }>(statement, [...lines, actor]);
    const created = recorded.filter((one) => one.is_new).length;
    return { created, updated: recorded.length - created, faults: [] };
  };

/** The answers of the tax portal, with the headings of its lists and the names of its JSON. */
export const E_INVOICE_IMPORT: ImportKind<EInvoiceColumn, StagedEInvoice> = {
  name: 'e-invoices',
  columns: ['irn'],
  optional: ['number', 'ack_number', 'acked_at', 'signed_qr', 'cancelled_at', 'status'],
  aliases: {
    number: ['Doc No', 'DocNo', 'Document Number', 'Invoice Number'],
    irn: ['IRN'],
    ack_number: ['Ack No', 'AckNo', 'Acknowledgement Number'],
    acked_at: ['Ack Date', 'AckDt', 'Acknowledgement Date'],
    signed_qr: ['SignedQRCode', 'Signed QR Code'],
    cancelled_at: ['CancelDate', 'Cancel Date'],
    status: ['Status'],
  },
  times: ['acked_at', 'cancelled_at'],
  staged: {
    number: 'text',
    irn: 'text',
    ack_number: 'text',
    acked_at: 'timestamptz',
    signed_qr: 'text',
    cancelled_at: 'timestamptz',
  },
  key: ['irn'],
  keyColumn: 'irn',
  read,
  compare: [REFUSE, FIND_NEW],
  changes: SHOW,
  batchSize: 1_000,
  write: recordAnswers(RECORD),
};

const TIME = 'must be a time such as 2026-11-26 10:15:00 or 26/11/2026 10:15:00';

/** The QR code names its document and IRN, so cells of another row are noticed. */
function read(cells: Record<EInvoiceColumn, string>, note: NoteFault): Record<StagedEInvoice, string | null> {
  const irn = cells.irn.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(irn)) note('irn', 'must be 64 digits and letters from a to f');
  const isCancelled = cells.cancelled_at !== '';
  const isStatusCancelled = /^(cnl|can)/i.test(cells.status);
  const cancelledAt = isCancelled ? parseTime(cells.cancelled_at, LAW_TIME_ZONE) : undefined;
  if (isCancelled && !cancelledAt) note('cancelled_at', TIME);
  if (!isCancelled && isStatusCancelled) note('cancelled_at', 'is missing: the IRN is cancelled');
  if (isCancelled && !isStatusCancelled && cells.status !== '')
    note('status', 'says that the IRN is not cancelled');
  const key = {
    irn: requiredCell('irn', irn, note),
    cancelled_at: cancelledAt?.toISOString() ?? null,
  };
  const named = cells.number.toUpperCase();
  if (isCancelled && cells.signed_qr === '')
    return {
      ...key,
      number: optionalCell('number', named, note),
      ack_number: null,
      acked_at: null,
      signed_qr: null,
    };
  const qr = readSignedQr(cells.signed_qr);
  const number = named || (qr?.number ?? '').toUpperCase();
  const ackedAt = parseTime(cells.acked_at, LAW_TIME_ZONE);
  if (!/^\d{1,20}$/.test(cells.ack_number))
    note('ack_number', 'must be a number of up to 20 digits, such as 232210036743849');
  if (!ackedAt) note('acked_at', TIME);
  if (!qr) note('signed_qr', 'must be the text of a signed QR code');
  else if (qr.number.toUpperCase() !== number) note('signed_qr', `names the document ${qr.number}`);
  else if (qr.irn.toLowerCase() !== irn) note('signed_qr', 'names another IRN');
  return {
    ...key,
    number: requiredCell('number', number, note),
    ack_number: requiredCell('ack_number', cells.ack_number, note),
    acked_at: ackedAt?.toISOString() ?? null,
    signed_qr: requiredCell('signed_qr', cells.signed_qr, note),
  };
}
