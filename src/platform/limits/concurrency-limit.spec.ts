import { jest } from '@jest/globals';
import { DomainError } from '../errors/domain-error.js';
import { type Release, ConcurrencyLimit } from './concurrency-limit.js';

const full = () => new DomainError('rate_limited', 'The line is full.');

/** Records which work has begun, and ends it on request. */
class Work {
  readonly started: string[] = [];
  private readonly leaves = new Map<string, Release>();

  constructor(private readonly limit: ConcurrencyLimit<string>) {}

  /** The key is the first letter of the name. "a1!" is urgent. */
  async enter(name: string, client?: { destroyed: boolean }): Promise<void> {
    const leave = await this.limit.acquire(name[0]!, client, name.endsWith('!'));
    this.started.push(name);
    this.leaves.set(name, leave);
  }

  async begin(...names: string[]): Promise<void> {
    // Some entries wait until they time out, which is after the test.
    for (const name of names) this.enter(name).catch(() => undefined);
    await settled();
  }

  async end(name: string): Promise<void> {
    this.leaves.get(name)!();
    await settled();
  }
}

const settled = () => new Promise(setImmediate);

describe('Places', () => {
  it('admit four entries of a key at once, and the next when one ends', async () => {
    const work = new Work(new ConcurrencyLimit(full));
    await work.begin('a1', 'a2', 'a3', 'a4', 'a5', 'a6');
    expect(work.started).toEqual(['a1', 'a2', 'a3', 'a4']);
    await work.end('a3');
    expect(work.started.at(-1)).toBe('a5');
    await work.end('a5');
    expect(work.started.at(-1)).toBe('a6');
  });

  it('are counted for each key separately', async () => {
    const work = new Work(new ConcurrencyLimit(full));
    await work.begin('a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a4', 'b4', 'a5', 'b5');
    expect(work.started.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4']);
    await work.end('a1');
    expect(work.started).not.toContain('b5');
    await work.end('b1');
    expect(work.started.slice(8)).toEqual(['a5', 'b5']);
  });

  it('are released once, even when released twice', async () => {
    const work = new Work(new ConcurrencyLimit(full));
    await work.begin('a1', 'a2', 'a3', 'a4', 'a5', 'a6');
    await work.end('a1');
    await work.end('a1');
    expect(work.started).toHaveLength(5);
  });

  it('skip clients that left while waiting', async () => {
    const limit = new ConcurrencyLimit<string>(full, { perKey: 1, total: 1 });
    const work = new Work(limit);
    await work.begin('a1');
    const client = { destroyed: false };
    const gone = [work.enter('a2', client), work.enter('b1', client)];
    await work.begin('c1');
    client.destroyed = true;
    await Promise.all([
      work.end('a1'),
      ...gone.map((each) => expect(each).rejects.toThrow('went away before its turn')),
    ]);
    expect(work.started).toEqual(['a1', 'c1']);
  });

  it('let 256 entries of a key wait, and keep other keys free', async () => {
    const limit = new ConcurrencyLimit<string>(full);
    const work = new Work(limit);
    await work.begin(...Array.from({ length: 4 + 256 }, (_, n) => `a${n}`));
    await expect(work.enter('a')).rejects.toThrow('The line is full.');
    await work.begin('b1');
    expect(work.started).toContain('b1');
  });

  it('take turns between keys, so that a long line does not delay a short one', async () => {
    const work = new Work(new ConcurrencyLimit(full, { perKey: 2, total: 2 }));
    await work.begin('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2');
    expect(work.started).toEqual(['a1', 'a2']);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'a4']) await work.end(name);
    expect(work.started).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']);
  });

  it('end each wait after two seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const work = new Work(new ConcurrencyLimit(full));
      await work.begin('a1', 'a2', 'a3', 'a4');
      const left: unknown[] = [];
      const wait = (name: string) =>
        void work.enter(name).catch(({ code }: DomainError) => left.push([name, code]));
      wait('a5');
      jest.advanceTimersByTime(1_500);
      wait('a6');
      jest.advanceTimersByTime(600);
      await settled();
      expect(left).toEqual([['a5', 'unavailable']]);
      await work.end('a1');
      expect(work.started.at(-1)).toBe('a6');
      jest.advanceTimersByTime(1_500);
      await settled();
      expect(left).toHaveLength(1);
    } finally {
      jest.useRealTimers();
    }
  });

  it('have some that only urgent entries of a key take, also from behind others that wait', async () => {
    const work = new Work(new ConcurrencyLimit(full, { perKey: 2, reserved: 1 }));
    await work.begin('a1', 'a2', 'a3', 'a4!', 'a5!', 'a6', 'b1', 'b2', 'b3');
    expect(work.started).toEqual(['a1', 'a2', 'a4!', 'b1', 'b2']);
    await work.end('a4!');
    expect(work.started.slice(5)).toEqual(['a5!']);
    await work.end('a5!');
    expect(work.started).toHaveLength(6);
    await work.end('a1');
    await work.end('a2');
    expect(work.started.slice(6)).toEqual(['a3', 'a6']);
    await work.begin('a7!', 'a8!');
    expect(work.started.slice(8)).toEqual(['a7!']);
    await work.end('a3');
    expect(work.started.slice(9)).toEqual(['a8!']);
  });

  it('are released when the work fails', async () => {
    const limit = new ConcurrencyLimit<string>(full, { perKey: 1, maxWaiting: 0 });
    const failing = limit.run('a', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await expect(limit.run('a', () => Promise.resolve('yes'))).resolves.toBe('yes');
  });

  it('forget a key without work', async () => {
    const limit = new ConcurrencyLimit<string>(full, { perKey: 1, total: 1 });
    const work = new Work(limit);
    await work.begin('a1', 'b1');
    await work.end('a1');
    await work.end('b1');
    expect((limit as unknown as { queues: Map<string, unknown> }).queues.size).toBe(0);
  });
});
