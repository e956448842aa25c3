import { CoalescedTask } from './coalesced-task.js';

describe('CoalescedTask', () => {
  /** Work that the test ends and that counts its runs. */
  function controlledTask() {
    const ends: ((error?: Error) => void)[] = [];
    const task = new CoalescedTask(
      () => new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve()))),
    );
    return { task, ends };
  }

  it('shares one next run between all calls during a run', async () => {
    const { task, ends } = controlledTask();
    const first = task.run();
    const later = [task.run(), task.run(), task.run()];
    expect(ends).toHaveLength(1);
    ends[0]!();
    await first;
    await Promise.resolve();
    expect(ends).toHaveLength(2);
    ends[1]!();
    await Promise.all(later);
    expect(ends).toHaveLength(2);
  });

  it('does not start a second run beside a waiting one between two runs', async () => {
    const { task, ends } = controlledTask();
    const between = task.run().then(() => task.run());
    const waiting = task.run();
    ends[0]!();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    expect(ends.length).toBeLessThanOrEqual(3);
    ends[1]!();
    await waiting;
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    ends[2]?.();
    await between;
  });

  it('reports a failure to the callers of that run, and continues', async () => {
    const { task, ends } = controlledTask();
    const failing = task.run();
    const next = task.run();
    ends[0]!(new Error('lost'));
    await expect(failing).rejects.toThrow('lost');
    await Promise.resolve();
    ends[1]!();
    await expect(next).resolves.toBeUndefined();
  });

  it('is idle when all runs have ended, failed ones included', async () => {
    const { task, ends } = controlledTask();
    const failing = task.run();
    const idle = task.idle();
    ends[0]!(new Error('lost'));
    await expect(failing).rejects.toThrow('lost');
    await expect(idle).resolves.toBeUndefined();
  });
});
