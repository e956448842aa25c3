import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { BYTE_ORDER_MARK, csvText } from '../../imports/csv-format.js';

/** A file for a spreadsheet, made as it is read. What can be known at once to be wrong is thrown while there is still a page to say so. */
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
