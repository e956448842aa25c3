import { openSync, renameSync, statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';

const ENOUGH = 10 * 1024 * 1024;
const TAIL = 4096;

export function logFileOf(dataDir: string): string {
  return path.join(dataDir, 'postgres.log');
}

/** PostgreSQL and its supervisor write into a file, because they may outlive the terminal of whoever started them. */
export function openLogFile(dataDir: string): number {
  const file = logFileOf(dataDir);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > ENOUGH) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

export async function logSize(dataDir: string): Promise<number> {
  return (await stat(logFileOf(dataDir))).size;
}

/** What was written since the log had that size; of much, the end. */
export async function logSince(dataDir: string, position: number): Promise<string> {
  const file = await open(logFileOf(dataDir));
  try {
    const { size } = await file.stat();
    const from = Math.max(position, size - TAIL);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await file.close();
  }
}
