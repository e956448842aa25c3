import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { BYTE_ORDER_MARK, csvText } from '../../imports/csv-format.js';

/** Streams a CSV file. The first piece is read before the answer starts, so an early error gets a page. */
export async function csvFile<Row extends object>(
  name: string,
  columns: readonly (keyof Row & string)[],
  rows: AsyncIterable<Row>,
): Promise<StreamableFile> {
  const pieces = csvText(columns, rows);
  const first = await pieces.next();
  return new StreamableFile(Readable.from(goingOn(first, pieces)), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name}.csv"`,
  });
}

async function* goingOn(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + (first.done ? '' : first.value);
  yield* rest;
}
