import type { StreamableFile } from '@nestjs/common';
import { CSV, fileResponse, jsonResponse } from '../../platform/http/file-response.js';
import { BYTE_ORDER_MARK, type Cell, type CsvRows, csvText, fileText } from './csv-format.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';

export function csvResponse<Column extends string>(
  owner: ThreadOwner,
  name: string,
  columns: readonly Column[],
  rows: CsvRows<Column>,
): Promise<StreamableFile> {
  return fileResponse(
    owner,
    `${name}.csv`,
    'text/csv; charset=utf-8',
    withByteOrderMark(csvText(columns, rows)),
  );
}

/** An export for programs: a CSV file that can be imported, or JSON. */
export function exportResponse<Column extends string>(
  { owner, isJson, excel = false }: { owner: ThreadOwner; isJson: boolean; excel?: boolean },
  name: string,
  columns: readonly Column[],
  rows: CsvRows<Column>,
): Promise<StreamableFile> {
  return isJson
    ? jsonResponse(owner, rows)
    : fileResponse(owner, `${name}.csv`, `${CSV}; charset=utf-8`, fileText(columns, rows, excel));
}

interface AnsweredRows<Column extends string> {
  /** The name of the file, without its ending. */
  name: string;
  columns: readonly Column[];
  rows: CsvRows<Column>;
  /** CSV begins with a byte order mark. */
  excel?: boolean | undefined;
  /** The row as JSON has it. */
  toData?: (row: Record<Column, Cell>) => object;
}

/** Rows for a program: the envelope of JSON, or a CSV file. */
export function rowsResponse<Column extends string>(
  owner: ThreadOwner,
  type: string,
  { name, columns, rows, excel = false, toData = (row) => row }: AnsweredRows<Column>,
): Promise<StreamableFile> {
  return type === CSV
    ? fileResponse(owner, `${name}.csv`, `${CSV}; charset=utf-8`, fileText(columns, rows, excel))
    : jsonResponse(owner, mapped(rows, toData));
}

async function* mapped<Row, Result>(rows: AsyncIterable<Row>, map: (row: Row) => Result) {
  for await (const row of rows) yield map(row);
}

/** A row of a file as JSON has it: these columns are numbers, and an empty cell is null. */
export const withNumbers =
  (...columns: string[]) =>
  (row: Record<string, Cell>): object =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [
        name,
        cell === '' ? null : columns.includes(name) ? Number(cell) : cell,
      ]),
    );

async function* withByteOrderMark(chunks: AsyncGenerator<string>): AsyncGenerator<string> {
  // Sent with the first chunk, which is read before the response starts.
  const first = await chunks.next();
  yield BYTE_ORDER_MARK + (first.done ? '' : first.value);
  yield* chunks;
}
