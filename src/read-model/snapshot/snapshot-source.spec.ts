import type { SnapshotConnection } from './snapshot-connection.js';
import { SnapshotSource } from './snapshot-source.js';

describe('A refresh', () => {
  it('tells the database that a node runs, but not each time', async () => {
    const header = { identity: 'one', isForeign: false, xmin: 900, xmax: 900, open: [], clockSkewMs: 0 };
    let beats = 0;
    const source = new SnapshotSource({
      beginGenerationIfForeign: () => Promise.resolve(),
      changesSince: () => Promise.resolve(header),
      beat: () => Promise.resolve(beats++),
    } as unknown as SnapshotConnection);
    const state = await source.load();
    for (const _ of [1, 2, 3]) await source.refresh(state);
    expect(beats).toBe(1);
  });
});

describe('The oldest open transaction', () => {
  it('stays the same until it ends, while others begin and end', async () => {
    const header = { identity: 'one', isForeign: false, clockSkewMs: 0 };
    const moments = [
      { xmin: 900, xmax: 900, open: [] },
      { xmin: 900, xmax: 910, open: [900, 905] },
      { xmin: 900, xmax: 950, open: [900] },
      { xmin: 930, xmax: 960, open: [930] },
      { xmin: 960, xmax: 960, open: [] },
    ];
    const source = new SnapshotSource({
      beginGenerationIfForeign: () => Promise.resolve(),
      changesSince: () => Promise.resolve({ ...header, ...moments.shift()! }),
      beat: () => Promise.resolve(),
    } as unknown as SnapshotConnection);
    const state = await source.load();
    const oldest: { id: number; since: number }[] = [];
    while (moments.length > 0) {
      await source.refresh(state);
      oldest.push(source.oldestTransaction);
    }
    expect(oldest.map(({ id }) => id)).toEqual([900, 900, 930, 0]);
    expect(oldest[1]).toBe(oldest[0]);
  });
});
