import { csvText } from '../../shared/imports/csv-format.js';
import type { ZipEntry } from '../../shared/pdf/zip.js';
import { isoTime } from '../../platform/time/time.js';
import type { FiledMonth, FilingChange } from './rules/filed-return.js';
import type { Gstr1File } from './rules/gstr1.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import type { ReturnPeriod } from './rules/return-period.js';

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
  /** The months of the period that are marked as filed. */
  filed: (FiledMonth & { arn: string | null })[];
  /** What changed these months since. */
  changes: FilingChange[];
  /** GSTR-1 as the portal's JSON file; undefined without a seller. */
  json: object | undefined;
}

/** The return as programs read it, with the rows of its files. */
export const toReturnView = (month: ReturnPeriod, made: GstReturn) => ({
  month,
  gstin: made.gstin,
  other_gstins: made.others,
  late: made.late,
  filed: made.filed.map(toFiledRow),
  changes_since_filing: made.changes,
  files: Object.fromEntries(made.files.map(({ name, rows }) => [name, rows])),
});

export const toFiledRow = ({ period, gstin, filedAt, actor, arn }: GstReturn['filed'][number]) => ({
  month: period,
  gstin,
  filed_at: filedAt,
  by: actor,
  arn,
});

const CHANGE_COLUMNS = ['month', 'changed_at', 'subject', 'change', 'to_do'] as const;

/** The files of the portal, and the documents that an accountant may look for in an earlier return. */
export async function* filesOfReturn(
  { files, late, changes, json }: GstReturn,
  prefix = '',
): AsyncGenerator<ZipEntry> {
  for (const { name, columns, rows } of files)
    yield { name: `${prefix}${name}.csv`, content: csvText(columns, rows) };
  if (json) yield { name: `${prefix}gstr1.json`, content: jsonText(json) };
  if (late.length > 0) {
    const rows = late.map((number) => ({ number }));
    yield { name: `${prefix}goods-left-earlier.csv`, content: csvText(['number'], rows) };
  }
  if (changes.length > 0) {
    const rows = changes.map((one) => ({ ...one, changed_at: isoTime(one.changed_at, LAW_TIME_ZONE) }));
    yield { name: `${prefix}changes-since-filing.csv`, content: csvText(CHANGE_COLUMNS, rows) };
  }
}

async function* jsonText(json: object): AsyncGenerator<string> {
  yield `${JSON.stringify(json)}\n`;
}
