import { Injectable } from '@nestjs/common';
import { type ZipEntry, zipOf } from '../documents/zip.js';
import { csvText } from '../imports/csv-format.js';
import { Database } from '../platform/database/database.js';
import { minorFromNumeric } from '../platform/money/money.js';
import { type Month, periodOf } from '../platform/time/time.js';
import { type DocumentPart, Gstr1, type Gstr1File } from './rules/gstr1.js';

type Amount = 'value' | 'invoiceValue' | 'gross' | 'taxable' | 'cgst' | 'sgst' | 'igst';

type PartRow = Omit<DocumentPart, Amount | 'rate'> & Record<Amount | 'rate', string>;

/** SQL, because a cursor streams it: the items of each document, added up. */
const PARTS = `
  SELECT d.kind, d.number, d.issued_on::text AS "issuedOn", d.gross AS value,
         coalesce(invoice.gross, d.gross) AS "invoiceValue", d.facts->'client'->>'gstin' AS gstin,
         d.facts->'client'->>'name' AS client, d.facts->'seller'->>'state' AS "sellerState",
         d.place_of_supply AS "placeOfSupply", i.hsn, i.gst_rate AS rate,
         CASE WHEN i.line = 0 THEN NULL ELSE i.unit END AS unit, sum(i.quantity)::int AS quantity,
         sum(i.gross) AS gross, sum(i.taxable) AS taxable, sum(i.cgst) AS cgst, sum(i.sgst) AS sgst,
         sum(i.igst) AS igst
    FROM tax_documents d
    JOIN tax_document_items i USING (number)
    LEFT JOIN tax_documents invoice ON invoice.number = d.against
   WHERE d.issued_on >= $1::date AND d.issued_on < $1::date + interval '1 month'
   GROUP BY d.number, invoice.gross, i.hsn, i.gst_rate, 12
   ORDER BY d.number, i.gst_rate, i.hsn, 12`;

/** The return of outward supplies (GSTR-1) from the issued documents. */
@Injectable()
export class GstReportService {
  constructor(private readonly database: Database) {}

  /** By the days of the documents, which are Indian. */
  async month(month: Month): Promise<Gstr1File[]> {
    const gstr1 = new Gstr1();
    for await (const row of this.database.stream<PartRow>(PARTS, [`${month}-01`])) gstr1.add(partOf(row));
    return gstr1.files();
  }

  async zipOf(month: Month): Promise<AsyncIterable<Uint8Array>> {
    return zipOf(entriesOf(await this.month(month)), periodOf(month, 'UTC').to);
  }
}

async function* entriesOf(files: readonly Gstr1File[]): AsyncGenerator<ZipEntry> {
  for (const { name, columns, rows } of files) {
    async function* each() {
      yield* rows;
    }
    yield { name: `${name}.csv`, content: csvText(columns, each()) };
  }
}

function partOf(row: PartRow): DocumentPart {
  return {
    ...row,
    rate: Number(row.rate),
    value: minorFromNumeric(row.value),
    invoiceValue: minorFromNumeric(row.invoiceValue),
    gross: minorFromNumeric(row.gross),
    taxable: minorFromNumeric(row.taxable),
    cgst: minorFromNumeric(row.cgst),
    sgst: minorFromNumeric(row.sgst),
    igst: minorFromNumeric(row.igst),
  };
}
