import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../platform/errors/domain-error.js';
import { HeavyWork } from '../platform/heavy-work/heavy-work.js';
import { csvSource } from './csv-source.js';
import type { RecordSource } from './record-source.js';
import { xlsxSource } from './xlsx/xlsx-source.js';

/** The first bytes of workbooks. */
const WORKBOOK = Buffer.from('PK\x03\x04', 'latin1');
const OLD_OR_LOCKED = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

const SAVE_AS =
  'Save it as "Excel Workbook (.xlsx)" without a password, or as "CSV UTF-8 (Comma delimited)".';

@Injectable()
export class ImportFiles {
  constructor(private readonly heavy: HeavyWork) {}

  /** Opens a workbook or CSV. An unreadable file is refused before any work. */
  async open(path: string, called = `The file ${path}`): Promise<RecordSource> {
    try {
      const stats = await stat(path);
      const start = stats.isFile() ? await startOf(path) : undefined;
      if (start?.equals(WORKBOOK)) return xlsxSource(path, this.heavy);
      return csvSource(explaining(read(path), called), stats.size);
    } catch (cause) {
      throw unreadable(called, cause);
    }
  }
}

/** A pipe has no known size, so there is no progress to show. */
export function pipeSource(pipe: AsyncIterable<Buffer>): RecordSource {
  return csvSource(explaining(pipe, 'The file -'), Infinity);
}

async function startOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(WORKBOOK.length), 0, WORKBOOK.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Opens the file when it is read: an import may be refused before. */
async function* read(path: string): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(path)) yield piece as Buffer;
}

async function* explaining(chunks: AsyncIterable<Buffer>, called: string): AsyncGenerator<Buffer> {
  let isStart = true;
  try {
    for await (const chunk of chunks) {
      if (isStart) checkStart(chunk);
      isStart = false;
      yield chunk;
    }
  } catch (cause) {
    throw cause instanceof DomainError ? cause : unreadable(called, cause);
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

function unreadable(called: string, cause: unknown): DomainError {
  const message = `${called} cannot be read: ${(cause as Error).message}`;
  return new DomainError('unreadable_file', message, { cause });
}
