import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { forTerminal } from '../../platform/validation/texts.js';

/** A terminal, or what takes the place of one. */
type Output = Writable & { isTTY?: boolean };

/** Everything that commands say goes through here: what others wrote must not steer the operator's terminal. */
export function say(stream: Output, text: string): boolean {
  return stream.write(forTerminal(stream, text));
}

/** Writes no faster than the reader reads, so that an answer of any size needs little memory. */
export async function writeOut(stream: Output, content: string | AsyncIterable<string>): Promise<void> {
  for await (const piece of typeof content === 'string' ? [content] : content) {
    if (!say(stream, piece)) await once(stream, 'drain');
  }
}

/** Many rows leave together: a write for each would cost more than the row. */
const PIECE_CHARACTERS = 16 * 1024;

/** The text of one JSON array, in pieces. */
export async function* jsonArray(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '[';
  let piece = '';
  for await (const row of rows) {
    piece += separator + JSON.stringify(row);
    separator = ',\n';
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}${separator === '[' ? '[]' : ']'}`;
}
