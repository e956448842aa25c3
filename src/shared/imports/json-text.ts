/** Writes many rows together: a write for each row would cost more than the row. */
const CHUNK_CHARACTERS = 16 * 1024;

/** One JSON array in chunks, with a row on each line. */
export async function* jsonArray(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '[';
  let chunk = '';
  for await (const row of rows) {
    chunk += separator + JSON.stringify(row);
    separator = ',\n';
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}${separator === '[' ? '[]' : ']'}`;
}

/** One JSON string in chunks, of a text in pieces. */
export async function* jsonString(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '"';
  for await (const piece of pieces) {
    chunk += JSON.stringify(piece).slice(1, -1);
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}"`;
}
