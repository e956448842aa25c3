import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Writes no faster than the reader reads, so that an answer of any size needs little memory. */
export async function writeOut(stream: Writable, content: string | AsyncIterable<string>): Promise<void> {
  for await (const piece of typeof content === 'string' ? [content] : content) {
    if (!stream.write(piece)) await once(stream, 'drain');
  }
}

/** The text of one JSON array, in pieces. */
export async function* jsonArray(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '[';
  for await (const row of rows) {
    yield separator + JSON.stringify(row);
    separator = ',\n';
  }
  yield separator === '[' ? '[]' : ']';
}
