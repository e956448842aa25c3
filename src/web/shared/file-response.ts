import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { BYTE_ORDER_MARK, type CsvRows, csvText } from '../../shared/imports/csv-format.js';
import { restAfter } from '../../platform/files/pace.js';
import { spooled } from '../../platform/files/spool.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import { UNIT_COSTS } from '../../platform/limits/request-costs.js';

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

/** Streams a file. The first chunk is read before the response starts, so an early error gets a page. */
export async function fileResponse(
  { charge, onMade, signal }: ThreadOwner,
  name: string,
  type: string,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<StreamableFile> {
  signal?.throwIfAborted();
  const onChunk = (bytes: number) => {
    charge?.((bytes / 1024) * UNIT_COSTS.fileKilobyte);
    return restAfter(bytes);
  };
  const rest = spooled(chunks, { onPiece: onChunk, onMade });
  // A stream that is destroyed before it is read never reaches its generator.
  signal?.addEventListener('abort', () => void rest.return(undefined).catch(() => undefined), { once: true });
  const first = await rest.next();
  signal?.throwIfAborted();
  return new StreamableFile(Readable.from(remainingChunks(first, rest)), {
    type,
    disposition: `attachment; filename="${name}"`,
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

async function* withByteOrderMark(chunks: AsyncGenerator<string>): AsyncGenerator<string> {
  // Sent with the first chunk, which is read before the response starts.
  const first = await chunks.next();
  yield BYTE_ORDER_MARK + (first.done ? '' : first.value);
  yield* chunks;
}
