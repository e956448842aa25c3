import { open } from 'node:fs/promises';
import { csvSource } from '../../imports/csv-source.js';
import type { RecordSource } from '../../imports/record-source.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Surroundings } from './surroundings.js';

const STANDARD_INPUT = '-';

/** A file named on the command line, as an import reads it. One that cannot be read is told of before anything happens. */
export async function openCsvFile(path: string, { stdin }: Surroundings): Promise<RecordSource> {
  // How far it is can only be told of what has an end that is known.
  if (path === STANDARD_INPUT) return csvSource(telling(path, stdin), Infinity);
  try {
    const file = await open(path);
    const { size } = await file.stat();
    return csvSource(telling(path, file.createReadStream()), size);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function* telling(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): DomainError {
  return new DomainError('unreadable_file', `The file ${path} cannot be read: ${(cause as Error).message}`, {
    cause,
  });
}
