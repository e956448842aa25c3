import { setImmediate as othersTurn } from 'node:timers/promises';
import { DomainError } from '../../platform/errors/domain-error.js';

export interface ZipEntry {
  name: string;
  content: AsyncIterable<string | Uint8Array>;
}

/** The limit of ZIP: the count of entries has two bytes. */
const MOST = 65_535;

/** One ZIP file with all entries, in chunks. Memory holds one chunk. PDFs are compressed already. */
export async function* zipOf(entries: AsyncIterable<ZipEntry>, madeAt: Date): AsyncGenerator<Uint8Array> {
  // Loaded on demand: most commands need none.
  const { Zip, ZipPassThrough } = await import('fflate');
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    ready.push(piece);
  });
  let count = 0;
  for await (const { name, content } of entries) {
    if (++count > MOST) throw new DomainError('conflict', `A ZIP file holds at most ${MOST} files.`);
    const file = new ZipPassThrough(name);
    file.mtime = madeAt;
    zip.add(file);
    for await (const piece of content) {
      file.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
      yield* ready.splice(0);
      // Chunks that are ready at once, such as rows in memory, must not delay requests.
      await othersTurn();
    }
    file.push(new Uint8Array(0), true);
    yield* ready.splice(0);
  }
  zip.end();
  yield* ready.splice(0);
}
