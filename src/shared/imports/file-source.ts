import { open, stat } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { HeavyWork } from '../../platform/worker-threads/worker-threads.js';
import { csvSource } from './csv-source.js';
import { explaining, read, unreadable, WORKBOOK } from './file-bytes.js';
import { isJson, jsonSource } from './json-source.js';
import type { RecordSource } from './record-source.js';
import { xlsxSource } from './xlsx/xlsx-source.js';

@Injectable()
export class ImportFiles {
  constructor(private readonly heavy: HeavyWork) {}

  /** Opens a workbook, a CSV file or a JSON list. Refuses an unreadable file before any work. */
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
