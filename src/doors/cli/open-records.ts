import { type FileHandle, open } from 'node:fs/promises';
import { csvSource } from '../../imports/csv-source.js';
import type { RecordSource } from '../../imports/record-source.js';
import { xlsxSource } from '../../imports/xlsx/xlsx-source.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Surroundings } from './terminal.js';

const STANDARD_INPUT = '-';

/** The first bytes of workbooks. */
const WORKBOOK = Buffer.from('PK\x03\x04', 'latin1');
const OLD_OR_LOCKED = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

const SAVE_AS =
  'Save it as "Excel Workbook (.xlsx)" without a password, or as "CSV UTF-8 (Comma delimited)".';

/** Opens a file for an import. An unreadable file is refused before any work. */
export async function openRecords(path: string, { stdin }: Surroundings): Promise<RecordSource> {
  // A pipe has no known size, so there is no progress to show.
  if (path === STANDARD_INPUT) return csvSource(explaining(path, stdin), Infinity);
  try {
    const file = await open(path);
    const stats = await file.stat();
    const start = stats.isFile() ? await startOf(file) : undefined;
    if (!start?.equals(WORKBOOK)) return csvSource(explaining(path, file.createReadStream()), stats.size);
    await file.close();
    return xlsxSource(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function startOf(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(WORKBOOK.length), 0, WORKBOOK.length, 0);
  return buffer.subarray(0, bytesRead);
}

async function* explaining(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isStart = true;
  try {
    for await (const chunk of chunks) {
      if (isStart) checkStart(chunk);
      isStart = false;
      yield chunk;
    }
  } catch (cause) {
    throw cause instanceof DomainError ? cause : unreadable(path, cause);
  }
}

function checkStart(chunk: Buffer): void {
  const begins = (sign: Buffer) => chunk.subarray(0, sign.length).equals(sign);
  if (begins(OLD_OR_LOCKED))
    throw new DomainError(
      'unreadable_file',
      `The file is an old workbook (.xls), or has a password. ${SAVE_AS}`,
    );
  if (begins(WORKBOOK))
    throw new DomainError('unreadable_file', 'A workbook (.xlsx) cannot be read from a pipe: name the file.');
}

function unreadable(path: string, cause: unknown): DomainError {
  return new DomainError('unreadable_file', `The file ${path} cannot be read: ${(cause as Error).message}`, {
    cause,
  });
}
