import type { WorkerThreads } from '../../../platform/worker-threads/worker-threads.js';
import { ThreadDied } from '../../../platform/worker-threads/thread.js';
import {
  type Release,
  ConcurrencyLimit,
  connectedUntil,
  tooManyAtOnce,
} from '../../../platform/limits/concurrency-limit.js';
import type { RecordBatch, RecordSource } from '../record-source.js';
import { unreadableWorkbook } from './workbook.js';

/** All imports of this process share one account, so that other threads stay free for people who wait. */
const ACCOUNT = 'imports';

/** One import at a time. The next one waits up to a day. */
const importLimit = new ConcurrencyLimit<string>(tooManyAtOnce, { perKey: 1, maxWaitMs: 86_400_000 });

/** Reads the first visible sheet in a thread, as a stream. */
export function xlsxSource(path: string, workers: WorkerThreads): RecordSource {
  return { batches: (signal) => batchesOf(path, workers, signal) };
}

async function* batchesOf(
  path: string,
  workers: WorkerThreads,
  signal?: AbortSignal,
): AsyncGenerator<RecordBatch> {
  const module = import.meta.resolve('./read-sheet.js');
  let release: Release | undefined;
  try {
    release = await importLimit.acquire(ACCOUNT, connectedUntil(signal));
    yield* workers.run<RecordBatch>(ACCOUNT, { module, facts: { path }, signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ThreadDied && error.isOutOfMemory)) throw error;
    throw unreadableWorkbook('it needs too much memory; save it as CSV UTF-8', error);
  } finally {
    release?.();
  }
}
