import { open, stat } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { HeavyWork } from '../platform/heavy-work/heavy-work.js';
import { ThreadDied } from '../platform/heavy-work/thread.js';
import { type Leave, Places, tooManyAtOnce } from '../platform/rate-limit/places.js';
import { csvSource } from './csv-source.js';
import { explaining, read, unreadable, WORKBOOK } from './file-bytes.js';
import { isJson, jsonSource } from './json-source.js';
import type { RecordSource, RecordBatch } from './record-source.js';
import { unreadableWorkbook } from './xlsx/workbook.js';

@Injectable()
export class ImportFiles {
  constructor(private readonly heavy: HeavyWork) {}

  /** Opens a workbook, CSV or a JSON list. An unreadable file is refused before any work. */
  async open(path: string, called = `The file ${path}`): Promise<RecordSource> {
    try {
      const stats = await stat(path);
      const start = stats.isFile() ? await startOf(path) : undefined;
      if (start?.equals(WORKBOOK)) return xlsxSource(path, this.heavy);
      if (start && isJson(start)) return jsonSource(path, stats.size);
      return csvSource(explaining(read(path), called), stats.size);
    } catch (cause) {
      throw unreadable(called, cause);
    }
  }
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

/** All imports of this process: the other threads stay free for people who wait. */
const ACCOUNT = 'imports';

/** An import waits for the one before as long as that takes. */
const turns = new Places<string>(tooManyAtOnce, { atOnce: 1, waitsMs: 86_400_000 });

/** Reads the first visible sheet in a thread, as a stream. */
export function xlsxSource(path: string, heavy: HeavyWork): RecordSource {
  return { batches: (signal) => batchesOf(path, heavy, signal) };
}

async function* batchesOf(path: string, heavy: HeavyWork, signal?: AbortSignal): AsyncGenerator<RecordBatch> {
  const module = import.meta.resolve('./read-sheet.js');
  let leave: Leave | undefined;
  try {
    leave = await turns.enter(ACCOUNT, {
      get destroyed() {
        return signal?.aborted === true;
      },
    });
    yield* heavy.run<RecordBatch>(ACCOUNT, { module, facts: { path }, signal, isPatient: true });
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ThreadDied && error.isOutOfMemory)) throw error;
    throw unreadableWorkbook('it needs too much memory; save it as CSV UTF-8', error);
  } finally {
    leave?.();
  }
}
