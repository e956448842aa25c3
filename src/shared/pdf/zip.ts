import { setImmediate as othersTurn } from 'node:timers/promises';
import { DomainError, validationFailed } from '../../platform/errors/domain-error.js';

export interface ZipEntry {
  name: string;
  content: AsyncIterable<string | Uint8Array>;
}

/** The limit of ZIP: the count of entries has two bytes. */
const MAX_ENTRIES = 65_535;

/** One ZIP file with all entries, in chunks. Memory holds one chunk. PDFs are compressed already. */
export async function* zipOf(entries: AsyncIterable<ZipEntry>, madeAt: Date): AsyncGenerator<Uint8Array> {
  // Loaded on demand: most commands need none.
  const { Zip, ZipPassThrough } = await import('fflate');
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  let count = 0;
  for await (const { name, content } of entries) {
    if (++count > MAX_ENTRIES)
      throw new DomainError('conflict', `A ZIP file holds at most ${MAX_ENTRIES} files.`);
    const file = new ZipPassThrough(name);
    file.mtime = madeAt;
    zip.add(file);
    for await (const chunk of content) {
      file.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
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

/** One of the entries. The refusal of another name has all names. */
export async function findEntry(entries: AsyncIterable<ZipEntry>, name: string): Promise<ZipEntry> {
  const names: string[] = [];
  for await (const entry of entries) {
    if (entry.name === name) return entry;
    names.push(entry.name);
  }
  const message = `must be one of ${names.join(', ')}`;
  throw validationFailed([{ field: 'file', code: 'unknown_value', message }]);
}
