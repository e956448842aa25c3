import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import type { WorkerThreads } from '../../platform/worker-threads/worker-threads.js';
import { ThreadDied, type Work } from '../../platform/worker-threads/thread.js';
import { type PdfJob, streamPdf } from './pdf-job.js';

type Run = (account: string, work: Work) => AsyncGenerator<Uint8Array>;

describe('A PDF job', () => {
  const signal = new AbortController().signal;
  const job: PdfJob<string, number> = {
    title: 'Two slips',
    madeAt: new Date(0),
    documentsModule: 'file:///papers.js',
    facts: 'facts',
    parts: (async function* () {})(),
  };
  const chunksOf = async (run: Run, owner: Partial<ThreadOwner> = {}) => {
    const chunks: Uint8Array[] = [];
    const heavy = { run } as unknown as WorkerThreads;
    for await (const piece of streamPdf(heavy, { account: 'client 7', ...owner } as ThreadOwner, job))
      chunks.push(piece);
    return chunks;
  };

  it('releases its slot before it waits, and runs for its owner, with its signal', async () => {
    const calls: unknown[] = [];
    const run: Run = async function* (account, work) {
      calls.push(account, work);
      yield Buffer.from('%PDF');
    };
    const leavePlace = () => void calls.push('left');
    expect(await chunksOf(run, { signal, releaseSlot: leavePlace })).toEqual([Buffer.from('%PDF')]);
    const { parts: input, ...facts } = job;
    const module = expect.stringMatching(/draw\.[jt]s$/) as string;
    expect(calls).toEqual(['left', 'client 7', { module, facts, input, signal }]);
  });

  const outOfMemory = Object.assign(new Error('No memory.'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  it.each([
    ['of a thread without memory is too large', new ThreadDied(outOfMemory), { code: 'file_too_large' }],
    [
      'of an ended thread can be tried again',
      new ThreadDied(),
      { code: 'unavailable', retryAfterSeconds: 2 },
    ],
    ['of a document with a bug fails with it', new RangeError('A bug.'), { message: 'A bug.' }],
  ])('%s', async (_, error, expected) => {
    const run: Run = async function* () {
      yield Buffer.from('%PDF');
      throw error;
    };
    await expect(chunksOf(run)).rejects.toMatchObject(expected);
  });
});
