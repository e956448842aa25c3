import { SnapshotService } from './snapshot.service.js';
import type { SnapshotSource } from './snapshot-source.js';

describe('The wait of a client for its own writes', () => {
  it('ends with the refresh that began after the last write, not with an earlier one', async () => {
    const ends: (() => void)[] = [];
    const refresh = () => new Promise<void>((end) => ends.push(end));
    const source = { load: refresh, refresh } as unknown as SnapshotSource;
    const snapshot = new SnapshotService(source, { snapshotIntervalMs: 0, snapshotMaxAgeSeconds: 60 });
    snapshot.refreshFor([1, 2]);
    const first = snapshot.owedTo(1);
    snapshot.refreshFor([1]);
    ends[0]!();
    await first;
    expect([snapshot.owedTo(1), snapshot.owedTo(2)]).toEqual([expect.any(Promise), undefined]);
    const second = snapshot.owedTo(1);
    while (ends.length < 2) await Promise.resolve();
    ends[1]!();
    await second;
    expect(snapshot.owedTo(1)).toBeUndefined();
  });
});
