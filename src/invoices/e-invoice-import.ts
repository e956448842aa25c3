import { requiredCell } from '../imports/cells.js';
import type { Batch, ImportKind, NoteFault, Written } from '../imports/import-kind.js';
import { addFaults, createWork, GOOD, inBatch, STAGED, WORK } from '../imports/import-tables.js';
import { parseDayFirst } from '../platform/time/time.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { readSignedQr } from './rules/signed-qr.js';

const COLUMNS = ['irn', 'ack_number', 'acked_at', 'signed_qr'] as const;

type Column = 'number' | (typeof COLUMNS)[number];

// SQL, because one statement compares the whole file with the documents.

const REFUSE = addFaults(`
  SELECT g.line, 'number', CASE WHEN d.number IS NULL THEN 'is no document' ELSE 'needs no IRN' END
    FROM ${GOOD} g LEFT JOIN tax_documents d USING (number)
   WHERE NOT EXISTS (SELECT FROM e_invoices e WHERE e.number = g.number)
  UNION ALL
  SELECT g.line, 'irn', format('differs: %s was registered with other values before', g.number)
    FROM ${GOOD} g JOIN e_invoices e USING (number)
   WHERE e.irn IS NOT NULL AND (e.irn, e.ack_number, e.acked_at, e.signed_qr)
         IS DISTINCT FROM (g.irn, g.ack_number, g.acked_at, g.signed_qr)
  UNION ALL
  SELECT g.line, 'irn', format('is that of %s', e.number)
    FROM ${GOOD} g JOIN e_invoices e USING (irn) WHERE e.number <> g.number`);

const FIND_NEW = createWork(`
  SELECT g.line, true AS is_new, g.number FROM ${GOOD} g JOIN e_invoices e USING (number)
   WHERE e.irn IS NULL`);

const SHOW = `
  SELECT w.line, w.is_new, w.number AS name,
         jsonb_build_array(jsonb_build_array('irn', NULL, s.irn)) AS fields
    FROM ${WORK} w JOIN ${STAGED} s USING (line)`;

const REGISTER = `
  UPDATE e_invoices e
     SET irn = s.irn, ack_number = s.ack_number, acked_at = s.acked_at, signed_qr = s.signed_qr,
         recorded_at = now(), actor = $3
    FROM ${WORK} JOIN ${STAGED} s USING (line)
   WHERE ${inBatch()} AND e.number = s.number AND e.irn IS NULL RETURNING e.number`;

/** The answers of the tax portal, with the headings of its lists and the names of its JSON. */
export const E_INVOICE_IMPORT: ImportKind<Column> = {
  name: 'e-invoices',
  columns: COLUMNS,
  optional: ['number'],
  aliases: {
    number: ['Doc No', 'DocNo', 'Document Number', 'Invoice Number'],
    irn: ['IRN'],
    ack_number: ['Ack No', 'AckNo', 'Acknowledgement Number'],
    acked_at: ['Ack Date', 'AckDt', 'Acknowledgement Date'],
    signed_qr: ['SignedQRCode', 'Signed QR Code'],
  },
  times: ['acked_at'],
  staged: { number: 'text', irn: 'text', ack_number: 'text', acked_at: 'timestamptz', signed_qr: 'text' },
  key: ['number'],
  keyColumn: 'number',
  read,
  compare: [REFUSE, FIND_NEW],
  changes: SHOW,
  batchSize: 1_000,
  write,
};

async function write({ session, lines, actor }: Batch): Promise<Written> {
  const added = await session.query(REGISTER, [...lines, actor]);
  return { created: added.length, updated: 0, faults: [] };
}

/** The QR code names its document and IRN, so cells of another row are noticed. */
function read(cells: Record<Column, string>, note: NoteFault): Record<Column, string | null> {
  const irn = cells.irn.toLowerCase();
  const qr = readSignedQr(cells.signed_qr);
  const number = (cells.number || (qr?.number ?? '')).toUpperCase();
  const ackedAt = parseDayFirst(cells.acked_at, LAW_TIME_ZONE);
  if (!/^[0-9a-f]{64}$/.test(irn)) note('irn', 'must be 64 digits and letters from a to f');
  if (!/^\d{1,20}$/.test(cells.ack_number))
    note('ack_number', 'must be a number of up to 20 digits, such as 232210036743849');
  if (!ackedAt) note('acked_at', 'must be a time such as 2026-11-26 10:15:00 or 26/11/2026 10:15:00');
  if (!qr) note('signed_qr', 'must be the text of a signed QR code');
  else if (qr.number.toUpperCase() !== number) note('signed_qr', `names the document ${qr.number}`);
  else if (qr.irn.toLowerCase() !== irn) note('signed_qr', 'names another IRN');
  return {
    number: requiredCell('number', number, note),
    irn: requiredCell('irn', irn, note),
    ack_number: requiredCell('ack_number', cells.ack_number, note),
    acked_at: ackedAt?.toISOString() ?? null,
    signed_qr: requiredCell('signed_qr', cells.signed_qr, note),
  };
}
