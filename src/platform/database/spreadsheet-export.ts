import { isoTime, type TimeZone } from '../time/time.js';
import { selectOf } from './columns-of.js';
import type { Database } from './database.js';

export interface SpreadsheetExport<Row = Record<string, string | number>> {
  columns: readonly (keyof Row & string)[];
  rows: AsyncIterable<Row>;
}

type Cell = string | number | Date | null;

/** Reads the rows of a file. Times get the zone; a missing value becomes an empty cell. */
export function readExport<Column extends string>(
  database: Database,
  timeZone: TimeZone,
  columns: Readonly<Record<Column, string>>,
  select: (columns: string) => string,
  values: unknown[],
): SpreadsheetExport<Record<Column, string | number>> {
  const rows = database.stream<Record<string, Cell>>(select(selectOf(columns)), values);
  async function* cells() {
    for await (const row of rows) yield toCells(row, timeZone) as Record<Column, string | number>;
  }
  return { columns: Object.keys(columns) as Column[], rows: cells() };
}

export function toCells(row: Record<string, Cell>, timeZone: TimeZone): Record<string, string | number> {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? isoTime(value, timeZone) : (value ?? ''),
  ]);
  return Object.fromEntries(cells) as Record<string, string | number>;
}
