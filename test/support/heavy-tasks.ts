import { getPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { DomainError } from '../../src/platform/errors/domain-error.js';

export interface TaskOptions {
  slices?: number;
  /** Counts the pieces that the thread has made. */
  made?: Int32Array;
  /** The thread waits here until the cell is not 0. */
  gate?: Int32Array;
  ends?: 'refused' | 'with a bug' | 'without memory' | 'never';
}

/** A cell that the test and the thread share. */
export const shared = () => new Int32Array(new SharedArrayBuffer(4));

/** The work that suites of `WorkerThreads` run in a thread. The last slice names the thread. */
export default async function* task(
  { slices = 0, made = shared(), gate, ends }: TaskOptions,
  input: AsyncIterable<unknown>,
): AsyncGenerator<unknown> {
  for (let piece = 0; piece < slices; piece++) {
    Atomics.add(made, 0, 1);
    yield piece;
  }
  if (gate) Atomics.wait(gate, 0, 0);
  for await (const value of input) yield { given: value };
  if (ends === 'refused') throw new DomainError('unreadable_file', 'A torn line.', { facts: { line: 3 } });
  if (ends === 'with a bug') throw new TypeError('A bug.');
  if (ends === 'without memory')
    for (const kept: unknown[] = []; ;) kept.push(Buffer.alloc(1_000_000).toString('latin1'));
  while (ends === 'never');
  yield { isMainThread, priority: getPriority() };
}
