import { createWriteStream, statSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../../platform/errors/domain-error.js';

/** More than a million rows. */
export const MAX_FILE_BYTES = 100_000_000;

/** The name of a copy on this machine. The process id follows. */
const COPY_PREFIX = `import-${os.hostname()}-`;

/** System calls whose failure concerns the copy on disk, not the database. */
const COPY_CALLS = new Set(['mkdtemp', 'open', 'write', 'close']);

/** Copies a file to the disk, where the importer reads it. Other users of the machine cannot read it. */
export async function withFileCopy<Result>(
  bytes: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
  work: (copy: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `${COPY_PREFIX}${process.pid}-`)).catch(copyFailed);
  try {
    const copy = path.join(folder, 'file');
    await pipeline(Readable.from(bytes), createWriteStream(copy, { mode: 0o600 }), { signal }).catch(
      copyFailed,
    );
    return await work(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A killed process leaves the copy of its file behind. */
export async function removeAbandonedCopies(): Promise<void> {
  const startedAt = Date.now() - process.uptime() * 1_000;
  for (const name of await readdir(os.tmpdir())) {
    const [, pid] = name.startsWith(COPY_PREFIX)
      ? (/^(\d+)-/.exec(name.slice(COPY_PREFIX.length)) ?? [])
      : [];
    if (pid === undefined) continue;
    const folder = path.join(os.tmpdir(), name);
    // In a container each process has the same id as the one before it.
    const isAbandoned =
      Number(pid) === process.pid
        ? (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? startedAt) < startedAt
        : !isRunning(Number(pid));
    if (isAbandoned) await rm(folder, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function copyFailed(cause: unknown): never {
  const { syscall = '', code } = cause as NodeJS.ErrnoException;
  if (!COPY_CALLS.has(syscall)) throw cause;
  const message =
    `The temporary folder of the service is full or cannot be written (${code}). Nothing was changed. Ask ` +
    'the operator of the service to free disk space, then check the file again.';
  throw new DomainError('unavailable', message, { cause });
}
