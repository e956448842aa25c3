import { plainTime, type TimeZone } from '../platform/time/time.js';

type Cell = string | number | boolean | Date | null;

/** The answer of a command: one value for scripts, a text for people. Long answers come in chunks. */
export interface CommandAnswer {
  /** A value, or the text of one JSON value in chunks. */
  json: object | AsyncIterable<string>;
  text: string | AsyncIterable<string>;
  /** A part of the work was refused: exit status 1. */
  incomplete?: boolean;
  /** An error after the work was done. It is printed after the answer. */
  failure?: unknown;
  /** Whether a list left rows out. Known after the answer is written. */
  hasMore?: () => boolean;
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

function formatCell(cell: Cell, timeZone: TimeZone): string {
  if (cell === null) return '-';
  if (cell instanceof Date) return plainTime(cell, timeZone);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  // A row stays one line.
  return String(cell).replace(/[\t\r\n]+/g, ' ');
}
