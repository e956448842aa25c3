import type { HeavyWork } from '../../../platform/worker-threads/worker-threads.js';
import { ThreadDied } from '../../../platform/worker-threads/thread.js';
import { type Leave, Places, tooManyAtOnce } from '../../../platform/limits/concurrency-limit.js';
import type { RecordBatch, RecordSource } from '../record-source.js';
import { unreadableWorkbook } from './workbook.js';

/** All imports of this process share one account, so that other threads stay free for people who wait. */
const ACCOUNT = 'imports';

/** One import at a time. The next one waits up to a day. */
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
