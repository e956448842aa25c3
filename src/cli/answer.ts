import { jsonArray } from '../shared/imports/json-text.js';
import { plainTime, type TimeZone } from '../platform/time/time.js';

type Cell = string | number | boolean | Date | null;
type Columns<Row> = readonly (keyof Row & string)[];

/** The columns of a table: these, or the columns of the row that a function returns. By default all. */
export type ListColumns<Row> = Columns<Row> | ((row: Row) => object);

/** The rows of a list. A generator returns the number of further rows. */
export type ListRows<Row> = AsyncGenerator<Row, number> | readonly Row[];

type Text = string | AsyncIterable<string>;

/** The answer of a command: one value for scripts, a text for people. Long answers come in chunks. */
export interface CommandAnswer {
  /** A value, or the text of one JSON value in chunks. */
  json: object | AsyncIterable<string>;
  text: Text | ((timeZone: TimeZone) => Text);
  /** A part of the work was refused: exit status 1. */
  incomplete?: boolean;
  /** The number of rows that a list left out. Known after the answer is written. */
  leftOut?: () => number;
  /** An error after the work was done. It is printed after the answer. */
  failure?: unknown;
  /** Called when the answer is written. */
  close?: () => Promise<void>;
}

/** Rows that are read before the first is printed, because columns are as wide as their widest cell. */
const ROWS_AT_ONCE = 500;

/** One record or a few, as a table. */
export function tableAnswer<Row extends object>(
  rows: Row | readonly Row[],
  columns?: Columns<Row>,
): CommandAnswer {
  return { json: rows, text: (zone) => table([rows].flat() as Row[], columns, zone) };
}

/** The answer of a list. The limit applies to rows in memory. */
export function listAnswer<Row extends object>(
  list: ListRows<Row>,
  whenEmpty: string,
  display?: ListColumns<Row>,
  limit?: number,
): CommandAnswer {
  const rows = Symbol.asyncIterator in list ? list : takeFirst(list, limit);
  const [formatRow, columns] = typeof display === 'function' ? [display] : [undefined, display];
  let leftOut = 0;
  async function* counted(): AsyncGenerator<Row> {
    leftOut = yield* rows;
  }
  async function* formatted(): AsyncGenerator<Row> {
    for await (const row of counted()) yield formatRow ? (formatRow(row) as Row) : row;
  }
  return {
    json: jsonArray(counted()),
    text: (zone) => longTable(formatted(), whenEmpty, zone, columns),
    leftOut: () => leftOut,
  };
}

async function* takeFirst<Row>(rows: readonly Row[], limit = rows.length): AsyncGenerator<Row, number> {
  yield* rows.slice(0, limit);
  return Math.max(0, rows.length - limit);
}

/** Rows as aligned columns. Numbers are right-aligned. Times are shown in the zone. */
export function table<Row extends object>(
  rows: readonly Row[],
  columns: readonly string[] = Object.keys(rows[0] ?? {}),
  timeZone: TimeZone = 'UTC',
): string {
  const lines = [
    columns.map((column) => column.replaceAll('_', ' ').toUpperCase()),
    ...rows.map((row) => columns.map((column) => formatCell(row[column as keyof Row] as Cell, timeZone))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)));
  const onTheRight = columns.map(
    (column) => rows.length > 0 && rows.every((row) => typeof row[column as keyof Row] === 'number'),
  );
  const aligned = (cell: string, index: number) =>
    onTheRight[index] ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!);
  return lines.map((line) => `${line.map(aligned).join('  ').trimEnd()}\n`).join('');
}

async function* longTable<Row extends object>(
  rows: AsyncIterable<Row>,
  whenEmpty: string,
  timeZone: TimeZone,
  columns?: Columns<Row>,
): AsyncGenerator<string> {
  let waiting: Row[] = [];
  let empty = true;
  for await (const row of rows) {
    empty = false;
    waiting.push(row);
    if (waiting.length < ROWS_AT_ONCE) continue;
    yield table(waiting, columns, timeZone);
    waiting = [];
  }
  if (waiting.length > 0) yield table(waiting, columns, timeZone);
  if (empty) yield `${whenEmpty}\n`;
}

function formatCell(cell: Cell, timeZone: TimeZone): string {
  if (cell === null) return '-';
  if (cell instanceof Date) return plainTime(cell, timeZone);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  // A row stays one line.
  return String(cell).replace(/[\t\r\n]+/g, ' ');
}
