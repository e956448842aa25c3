import { open, stat } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { WorkerThreads } from '../../platform/worker-threads/worker-threads.js';
import { csvSource } from './csv-source.js';
import { withFileErrors, readFileChunks, unreadableFile, XLSX_SIGNATURE } from './file-bytes.js';
import { isJson, jsonSource } from './json-source.js';
import type { RecordSource } from './record-source.js';
import { xlsxSource } from './xlsx/xlsx-source.js';

@Injectable()
export class ImportFiles {
  constructor(private readonly workers: WorkerThreads) {}

  /** Opens a workbook, a CSV file or a JSON list. Refuses an unreadable file before any work. */
  async open(path: string, label = `The file ${path}`): Promise<RecordSource> {
    try {
      const stats = await stat(path);
      const start = stats.isFile() ? await readStart(path) : undefined;
      if (start?.equals(XLSX_SIGNATURE)) return xlsxSource(path, this.workers);
      if (start && isJson(start)) return jsonSource(path, stats.size);
      return csvSource(withFileErrors(readFileChunks(path), label), stats.size);
    } catch (cause) {
      throw unreadableFile(label, cause);
    }
  }
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(XLSX_SIGNATURE.length),
      0,
      XLSX_SIGNATURE.length,
      0,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
