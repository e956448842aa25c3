import type { Asker } from '../../platform/worker-threads/thread-owner.js';
import type { HeavyWork } from '../../platform/worker-threads/worker-threads.js';
import { ThreadDied, type Work } from '../../platform/worker-threads/thread.js';
import { type Drawing, drawn } from './pdf-job.js';

type Run = (account: string, work: Work) => AsyncGenerator<Uint8Array>;

describe('A PDF job', () => {
  const signal = new AbortController().signal;
  const drawing: Drawing<string, number> = {
    title: 'Two slips',
    madeAt: new Date(0),
    papers: 'file:///papers.js',
    facts: 'facts',
    parts: (async function* () {})(),
  };
  const pieces = async (run: Run, asker: Partial<Asker> = {}) => {
    const found: Uint8Array[] = [];
    const heavy = { run } as unknown as HeavyWork;
    for await (const piece of drawn(heavy, { account: 'client 7', ...asker } as Asker, drawing))
      found.push(piece);
    return found;
  };

  it('releases its slot before it waits, and runs for its owner, with its signal', async () => {
    const told: unknown[] = [];
    const run: Run = async function* (account, work) {
      told.push(account, work);
      yield Buffer.from('%PDF');
    };
    const leavePlace = () => void told.push('left');
    expect(await pieces(run, { signal, leavePlace })).toEqual([Buffer.from('%PDF')]);
    const { parts: input, ...facts } = drawing;
    const module = expect.stringMatching(/draw\.[jt]s$/) as string;
    expect(told).toEqual(['left', 'client 7', { module, facts, input, signal }]);
  });

  const outOfMemory = Object.assign(new Error('No memory.'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  it.each([
    ['of a thread without memory is too large', new ThreadDied(outOfMemory), { code: 'file_too_large' }],
    [
      'of a thread that was ended can be tried again',
      new ThreadDied(),
      { code: 'unavailable', retryAfterSeconds: 2 },
    ],
    ['of a document with a bug fails with it', new RangeError('A bug.'), { message: 'A bug.' }],
  ])('%s', async (_, error, told) => {
    const run: Run = async function* () {
      yield Buffer.from('%PDF');
      throw error;
    };
    await expect(pieces(run)).rejects.toMatchObject(told);
  });
});
