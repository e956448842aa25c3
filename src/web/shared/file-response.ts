import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { BYTE_ORDER_MARK, type CsvRows, csvText } from '../../shared/imports/csv-format.js';
import { restAfter } from '../../platform/files/pace.js';
import { spooled } from '../../platform/files/spool.js';
import type { Asker } from '../../platform/worker-threads/thread-owner.js';
import { PRICES } from '../../platform/limits/request-costs.js';

export function csvFile<Column extends string>(
  asker: Asker,
  name: string,
  columns: readonly Column[],
  rows: CsvRows<Column>,
): Promise<StreamableFile> {
  return fileOf(asker, `${name}.csv`, 'text/csv; charset=utf-8', withMark(csvText(columns, rows)));
}

/** Streams a file. The first chunk is read before the response starts, so an early error gets a page. */
export async function fileOf(
  { charge, onMade, signal }: Asker,
  name: string,
  type: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<StreamableFile> {
  signal?.throwIfAborted();
  const onPiece = (bytes: number) => {
    charge?.((bytes / 1024) * PRICES.fileKilobyte);
    return restAfter(bytes);
  };
  const rest = spooled(pieces, { onPiece, onMade });
  // A stream that is destroyed before it is read never reaches its generator.
  signal?.addEventListener('abort', () => void rest.return(undefined), { once: true });
  const first = await rest.next();
  signal?.throwIfAborted();
  return new StreamableFile(Readable.from(goingOn(first, rest)), {
    type,
    disposition: `attachment; filename="${name}"`,
  });
}

/** A reader that stops early also stops the source. */
async function* goingOn<Piece>(first: IteratorResult<Piece>, rest: AsyncIterator<Piece>) {
  try {
    for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value;
  } finally {
    await rest.return?.();
  }
}

async function* withMark(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  // Sent with the first chunk, which is read before the response starts.
  const first = await pieces.next();
  yield BYTE_ORDER_MARK + (first.done ? '' : first.value);
  yield* pieces;
}
