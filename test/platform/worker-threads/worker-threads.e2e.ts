import { getPriority } from 'node:os';
import { jest } from '@jest/globals';
import { WorkerThreads } from '../../../src/platform/worker-threads/worker-threads.js';
import { ThreadDied } from '../../../src/platform/worker-threads/thread.js';
import { type TaskOptions, shared } from '../../support/heavy-tasks.js';
import { runNode } from '../../support/run-node.js';

const MODULE = import.meta.resolve('../../support/heavy-tasks.js');
const LOADER = import.meta.resolve('../../support/typescript-loader.js');
/** Only Linux has a priority for each thread: 19 is the lowest. */
const priority = process.platform === 'linux' ? 19 : getPriority();
const DONE = { isMainThread: false, priority };

async function all(slices: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const piece of slices) found.push(piece);
  return found;
}

function open(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}

describe('Heavy work', () => {
  let heavy: WorkerThreads;
  beforeEach(() => {
    heavy = new WorkerThreads();
  });
  afterEach(() => heavy.onApplicationShutdown());

  const run = (facts: TaskOptions, account = 'one', signal?: AbortSignal) =>
    heavy.run(account, { module: MODULE, facts, signal });

  it('is done in a thread of lower priority, which the next work finds warm', async () => {
    expect(await all(run({ slices: 2 }))).toEqual([0, 1, DONE]);
    expect(await all(run({ slices: 1 }))).toEqual([0, DONE]);
  });

  it('waits for other work of its account, and not for that of another', async () => {
    const [gate, made] = [shared(), shared()];
    const first = all(run({ gate }));
    const second = all(run({ slices: 1, made }));
    expect(await all(run({}, 'two'))).toEqual([DONE]);
    expect(await all(run({}, 'three'))).toEqual([DONE]);
    expect(made[0]).toBe(0);
    open(gate);
    expect(await first).toEqual([DONE]);
    expect(await second).toEqual([0, DONE]);
  });

  it('is refused at the end of a full queue, until there is room again', async () => {
    const gate = shared();
    const waiting = Array.from({ length: 9 }, () => all(run({ gate })));
    await expect(all(run({}))).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 });
    open(gate);
    await Promise.all(waiting);
    expect(await all(run({}))).toEqual([DONE]);
  });

  it('ends when its reader leaves, also in the middle of a piece', async () => {
    for await (const piece of run({ slices: 1, ends: 'never' })) {
      expect(piece).toBe(0);
      break;
    }
    const leaving = new AbortController();
    const left = run({ slices: 1, ends: 'never' }, 'one', leaving.signal);
    await left.next();
    const next = left.next();
    leaving.abort();
    await expect(next).rejects.toThrow('aborted');
    expect(await all(run({}))).toEqual([DONE]);
  });

  it('never begins for a reader who left while it waited', async () => {
    const [gate, made] = [shared(), shared()];
    const first = all(run({ gate }));
    const leaving = new AbortController();
    const left = all(run({ slices: 1, made }, 'one', leaving.signal));
    leaving.abort();
    open(gate);
    await first;
    await expect(left).rejects.toMatchObject({ code: 'malformed_request' });
    expect(made[0]).toBe(0);
  });

  it('never starts for a reader who left before', async () => {
    const left = AbortSignal.abort(new Error('Gone.'));
    const made = shared();
    await expect(all(run({ slices: 1, made }, 'one', left))).rejects.toThrow('Gone.');
    expect(await all(run({}))).toEqual([DONE]);
    expect(made[0]).toBe(0);
  });

  it('leaves its place if it cannot begin', async () => {
    const broken = () => all(heavy.run('one', { module: MODULE, facts: () => undefined }));
    for (let n = 0; n < 3; n++) await expect(broken()).rejects.toThrow('could not be cloned');
    expect(await all(run({}))).toEqual([DONE]);
  });

  it('stays a few pieces ahead of a slow reader', async () => {
    const made = shared();
    let taken = 0;
    for await (const piece of run({ slices: 500, made })) {
      // Time enough for the thread to make all.
      if (taken % 100 === 1) await all(run({ slices: 500 }, 'two'));
      if (typeof piece === 'number') expect(made[0]! - ++taken).toBeLessThanOrEqual(66);
    }
    expect(taken).toBe(500);
  });

  describe('of a long time', () => {
    beforeEach(
      () =>
        void jest.useFakeTimers({
          doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate', 'setInterval'],
        }),
    );
    afterEach(() => void jest.useRealTimers());

    it('is not ended by the time in which its thread was idle before', async () => {
      await all(run({}));
      const gate = shared();
      const work = run({ slices: 1, gate });
      await work.next();
      jest.advanceTimersByTime(30_000);
      open(gate);
      expect(await all(work)).toEqual([DONE]);
    });
  });

  it('reads its input as far as it uses it, and lets go of it', async () => {
    const message: string[] = [];
    async function* input() {
      try {
        for (let at = 0; ; at++) yield at;
      } finally {
        message.push('closed');
      }
    }
    for await (const piece of heavy.run('one', { module: MODULE, facts: {}, input: input() })) {
      if (JSON.stringify(piece) === '{"given":3}') break;
    }
    await all(run({}));
    expect(message).toEqual(['closed']);

    async function* failing(): AsyncGenerator<number> {
      yield 1;
      throw new RangeError('no more rows');
    }
    const failed = all(heavy.run('one', { module: MODULE, facts: {}, input: failing() }));
    await expect(failed).rejects.toBeInstanceOf(RangeError);
  });

  it('tells its refusal and its bug', async () => {
    const refused = all(run({ ends: 'refused' }));
    await expect(refused).rejects.toMatchObject({ code: 'unreadable_file', facts: { line: 3 } });
    await expect(all(run({ ends: 'with a bug' }))).rejects.toThrow('A bug.');
    expect(await all(run({}))).toEqual([DONE]);
  });

  it('that needs too much memory dies alone', async () => {
    const gate = shared();
    const neighbour = all(run({ gate }, 'two'));
    const died = await all(run({ ends: 'without memory' })).catch((error: unknown) => error);
    expect(died).toBeInstanceOf(ThreadDied);
    expect(died).toMatchObject({ isOutOfMemory: true });
    expect(await all(run({}))).toEqual([DONE]);
    open(gate);
    expect(await neighbour).toEqual([DONE]);
  });

  it('ends with the service', async () => {
    const work = run({ slices: 1, ends: 'never' });
    await work.next();
    const next = work.next();
    await Promise.all([expect(next).rejects.toBeInstanceOf(ThreadDied), heavy.onApplicationShutdown()]);
  });

  it('keeps a process while it works, and no longer', async () => {
    const room = import.meta.resolve('../../../src/platform/worker-threads/worker-threads.js');
    // A service that was started by `nice` has a low priority already.
    const script = `require('os').setPriority(15);
    import('${room}').then(async ({ WorkerThreads }) => {
      for await (const piece of new WorkerThreads().run('one', { module: '${MODULE}', facts: {} }))
        console.log(JSON.stringify(piece));
    })`;
    const { stdout, exitCode } = await runNode(['--import', LOADER, '-e', script]);
    const done = { ...DONE, priority: process.platform === 'linux' ? 19 : 15 };
    expect({ stdout, exitCode }).toEqual({ stdout: `${JSON.stringify(done)}\n`, exitCode: 0 });
  });
});
