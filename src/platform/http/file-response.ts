import { Readable } from 'node:stream';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { StreamableFile } from '@nestjs/common';
import { restAfter } from '../files/pace.js';
import { spooled } from '../files/spool.js';
import type { ThreadOwner } from '../worker-threads/thread-owner.js';

export const CSV = 'text/csv';
export const PDF = 'application/pdf';
export const ZIP = 'application/zip';

/** Streams a file. The first chunk is read before the response starts, so an early error has its status. */
export async function fileResponse(
  { onMade, signal }: ThreadOwner,
  /** Without a name it is no attachment. */
  name: string | undefined,
  type: string,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<StreamableFile> {
  signal?.throwIfAborted();
  const rest = spooled(chunks, { onPiece: restAfter, onMade });
  // A stream that is destroyed before it is read never reaches its generator.
  signal?.addEventListener('abort', () => void rest.return(undefined).catch(() => undefined), { once: true });
  const first = await rest.next();
  signal?.throwIfAborted();
  return new StreamableFile(Readable.from(remainingChunks(first, rest)), {
    type,
    ...(name !== undefined && { disposition: `attachment; filename="${name}"` }),
  });
}

/** A reader that stops early also stops the source. */
async function* remainingChunks<Piece>(first: IteratorResult<Piece>, rest: AsyncIterator<Piece>) {
  try {
    for (let chunk = first; !chunk.done; chunk = await rest.next()) yield chunk.value;
  } finally {
    await rest.return?.();
  }
}

/** `around` is the text before and after the list. */
export function jsonResponse(
  owner: ThreadOwner,
  rows: AsyncIterable<object>,
  around: readonly [string, string] = ['{"success":true,"data":[', ']}'],
): Promise<StreamableFile> {
  return fileResponse(owner, undefined, 'application/json; charset=utf-8', jsonText(rows, around));
}

/** Sends many rows together: a write for each row would cost more than the row. */
const CHUNK_CHARACTERS = 8 * 1024;

async function* jsonText(rows: AsyncIterable<object>, [before, after]: readonly [string, string]) {
  let chunk = before;
  let separator = '';
  for await (const row of rows) {
    chunk += separator + JSON.stringify(row);
    separator = ',\n';
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
    // A source whose rows are ready at once must not delay requests.
    await othersTurn();
  }
  yield chunk + after;
}
