import { countSlices, runInSlices } from './run-in-slices.js';

/** Blocks the event loop. */
function work(milliseconds: number): void {
  const endsAt = performance.now() + milliseconds;
  while (performance.now() < endsAt);
}

describe('work in pieces', () => {
  it('lets other tasks run in between, and returns its result', async () => {
    let turns = 0;
    let going = true;
    const count = () => {
      turns++;
      if (going) setImmediate(count);
    };
    setImmediate(count);
    const result = await runInSlices(
      (function* () {
        for (let piece = 0; piece < 10; piece++) {
          work(6);
          yield;
        }
        return 'done';
      })(),
    );
    going = false;
    expect(result).toBe('done');
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('pauses after each slice between things that it awaits', async () => {
    const pauseAfterSlice = countSlices();
    await pauseAfterSlice();
    work(6);
    expect(pauseAfterSlice()).toBeDefined();
  });

  it('takes turns with other work in pieces', async () => {
    const order: string[] = [];
    const pieces = (name: string) =>
      runInSlices(
        (function* () {
          for (let piece = 1; piece <= 3; piece++) {
            order.push(`${name}${piece}`);
            yield;
          }
        })(),
      );
    await Promise.all([pieces('a'), pieces('b')]);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
  });

  it('reports a failure to its caller only', async () => {
    const failing = runInSlices(
      (function* (): Generator<void, void> {
        yield;
        throw new Error('out of paper');
      })(),
    );
    const other = runInSlices(
      (function* () {
        yield;
        return 'fine';
      })(),
    );
    await expect(failing).rejects.toThrow('out of paper');
    await expect(other).resolves.toBe('fine');
  });
});
