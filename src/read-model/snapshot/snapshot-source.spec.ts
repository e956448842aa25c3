import type { ChangeHeader } from './change-query.js';
import type { SnapshotConnection } from './snapshot-connection.js';
import { SnapshotSource } from './snapshot-source.js';

describe('A refresh', () => {
  async function provenAfter(...headers: { xmin: number; provenBelow: number }[]): Promise<number[]> {
    const proven: number[] = [];
    const answers = [{ xmin: 900, provenBelow: 900 }, ...headers].map((header): ChangeHeader => ({
      identity: 'one',
      isForeign: false,
      xmax: header.xmin,
      open: [],
      pastGenerations: {},
      clockSkewMs: 0,
      ...header,
    }));
    const source = new SnapshotSource({
      beginGenerationIfForeign: () => Promise.resolve(),
      changesSince: () => Promise.resolve(answers.shift()!),
      prove: (xmin: number) => Promise.resolve(proven.push(xmin)),
    } as unknown as SnapshotConnection);
    const state = await source.load();
    for (const _ of headers) await source.refresh(state);
    return proven;
  }

  it('writes down which transactions have ended', async () => {
    expect(await provenAfter({ xmin: 950, provenBelow: 900 })).toEqual([950]);
  });

  it('writes nothing when nothing has ended but what another node wrote', async () => {
    expect(await provenAfter({ xmin: 951, provenBelow: 950 })).toEqual([]);
  });

  it('does not write each time', async () => {
    expect(await provenAfter({ xmin: 950, provenBelow: 900 }, { xmin: 960, provenBelow: 950 })).toEqual([
      950,
    ]);
  });
});

describe('The oldest open transaction', () => {
  it('stays the same until it ends, while others begin and end', async () => {
    const header = {
      identity: 'one',
      isForeign: false,
      provenBelow: 900,
      pastGenerations: {},
      clockSkewMs: 0,
    };
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
      prove: () => Promise.resolve(),
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
