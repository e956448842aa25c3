import { csvText } from '../../shared/imports/csv-format.js';
import type { ZipEntry } from '../../shared/pdf/zip.js';
import type { Gstr1File } from './rules/gstr1.js';

export interface GstReturn {
  /** Null without a seller. */
  gstin: string | null;
  /** Other GSTINs of the seller with a return of the same period. */
  others: string[];
  /** The prefix of file names: the GSTIN, if the period has several returns. */
  prefix: string;
  /** The documents whose goods left in an earlier month. The return has them by their own date. */
  late: string[];
  files: Gstr1File[];
  /** GSTR-1 as the portal's JSON file; undefined without a seller. */
  json: object | undefined;
}

/** The files of the portal, and the documents that an accountant may look for in an earlier return. */
export async function* filesOfReturn(made: GstReturn, prefix = ''): AsyncGenerator<ZipEntry> {
  const { files, late, json } = made;
  for (const { name, columns, rows } of files)
    yield { name: `${prefix}${name}.csv`, content: csvText(columns, rows) };
  if (json) yield { name: `${prefix}gstr1.json`, content: jsonText(json) };
  if (late.length > 0) {
    const rows = late.map((number) => ({ number }));
    yield { name: `${prefix}goods-left-earlier.csv`, content: csvText(['number'], rows) };
  }
}

async function* jsonText(json: object): AsyncGenerator<string> {
  yield `${JSON.stringify(json)}\n`;
}
