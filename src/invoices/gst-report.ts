import { Injectable } from '@nestjs/common';
import { type ZipEntry, zipOf } from '../documents/zip.js';
import { csvText } from '../imports/csv-format.js';
import { minorFromNumeric } from '../platform/money/money.js';
import { periodOf } from '../platform/time/time.js';
import { monthsOf, type ReturnPeriod } from './rules/return-period.js';
import { type DocumentPart, Gstr1, type Gstr1File } from './rules/gstr1.js';
import { type PartRow, TaxDocumentsRepository } from './tax-documents.repository.js';

/** The return of outward supplies (GSTR-1) from the issued documents. */
@Injectable()
export class GstReportService {
  constructor(private readonly documents: TaxDocumentsRepository) {}

  /** By the days of the documents, which are Indian. */
  async of(period: ReturnPeriod): Promise<Gstr1File[]> {
    const gstr1 = new Gstr1();
    for await (const row of this.documents.parts(...monthsOf(period))) gstr1.add(partOf(row));
    return gstr1.files();
  }

  async zipOf(period: ReturnPeriod): Promise<AsyncIterable<Uint8Array>> {
    return zipOf(entriesOf(await this.of(period)), periodOf(monthsOf(period)[1], 'UTC').to);
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
