import { jest } from '@jest/globals';
import { SnapshotService } from './snapshot.service.js';
import type { SnapshotSource } from './snapshot-source.js';

/** Refreshes that the test ends. */
function controlled() {
  const ends: ((error?: Error) => void)[] = [];
  const refresh = () =>
    new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
  const source = {
    load: refresh,
    refresh,
    close: () => undefined,
    clockSkewMs: 0,
  } as unknown as SnapshotSource;
  const snapshot = new SnapshotService(source, {
    snapshotIntervalMs: 0,
    snapshotMaxAgeSeconds: 60,
    maxClockSkewSeconds: 60,
  });
  const started = async (count: number) => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    expect(ends).toHaveLength(count);
  };
  return { ends, snapshot, started };
}

describe('Refreshes', () => {
  it('run one at a time, and calls during one share the next', async () => {
    const { ends, snapshot, started } = controlled();
    const first = snapshot.refreshNow();
    await started(1);
    const later = [snapshot.refreshNow(), snapshot.refreshNow()];
    await started(1);
    ends[0]!();
    const between = first.then(() => snapshot.refreshNow());
    await started(2);
    ends[1]!();
    await Promise.all(later);
    await started(3);
    ends[2]!();
    await between;
  });

  it('tell a failure to the callers of that one, and continue', async () => {
    const { ends, snapshot, started } = controlled();
    const failing = snapshot.refreshNow();
    await started(1);
    const next = snapshot.refreshNow();
    ends[0]!(new Error('lost'));
    await expect(failing).rejects.toThrow('lost');
    await started(2);
    ends[1]!();
    await expect(next).resolves.toBeUndefined();
  });

  it('go on by themselves after one that failed', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
    try {
      const { ends, snapshot, started } = controlled();
      const start = snapshot.start();
      await started(1);
      ends[0]!();
      await start;
      jest.runOnlyPendingTimers();
      await started(2);
      ends[1]!(new Error('lost'));
      await started(2);
      jest.runOnlyPendingTimers();
      await started(3);
      ends[2]!();
      await snapshot.onApplicationShutdown();
    } finally {
      jest.useRealTimers();
    }
  });

  it('are over before the shutdown goes on, failed ones included', async () => {
    const { ends, snapshot, started } = controlled();
    const failing = snapshot.refreshNow();
    await started(1);
    let isDown = false;
    const down = snapshot.onApplicationShutdown().then(() => (isDown = true));
    await started(1);
    expect(isDown).toBe(false);
    ends[0]!(new Error('lost'));
    await expect(failing).rejects.toThrow('lost');
    await down;
  });
});

describe('The wait of a client for its own writes', () => {
  it('ends with the refresh that began after the last write, not with an earlier one', async () => {
    const { ends, snapshot, started } = controlled();
    snapshot.refreshFor([1, 2]);
    const first = snapshot.pendingRefreshOf(1);
    await started(1);
    snapshot.refreshFor([1]);
    ends[0]!();
    await first;
    expect([snapshot.pendingRefreshOf(1), snapshot.pendingRefreshOf(2)]).toEqual([
      expect.any(Promise),
      undefined,
    ]);
    const second = snapshot.pendingRefreshOf(1);
    await started(2);
    ends[1]!();
    await second;
    expect(snapshot.pendingRefreshOf(1)).toBeUndefined();
  });
});
