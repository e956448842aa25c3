import { firstRows, mapRows, onePage } from './bounded-lists.js';

describe('A page of rows', () => {
  it.each([
    [[], undefined],
    [['a'], undefined],
    [['a', 'b'], undefined],
    [['a', 'b', 'c'], 'b'],
  ])('of two: after %j, the next begins after %s', (found, last) => {
    expect(onePage(found, 2)).toEqual({ rows: found.slice(0, 2), last });
  });
});

describe('Mapped rows', () => {
  let isOpen: boolean;

  async function* source(): AsyncGenerator<number, number> {
    isOpen = true;
    try {
      yield* [1, 2];
      return 5;
    } finally {
      isOpen = false;
    }
  }

  it('keep the number of the others', async () => {
    expect(await firstRows(mapRows(source(), (row) => row * 2))).toEqual({ rows: [2, 4], more: 5 });
    expect(isOpen).toBe(false);
  });

  it('end their source when one cannot be mapped', async () => {
    const broken = mapRows(source(), (row) => {
      if (row === 2) throw new Error('broken');
      return row;
    });
    await expect(firstRows(broken)).rejects.toThrow('broken');
    expect(isOpen).toBe(false);
  });

  it('end their source with a reader who stops early', async () => {
    for await (const row of mapRows(source(), String)) {
      expect([row, isOpen]).toEqual(['1', true]);
      break;
    }
    expect(isOpen).toBe(false);
  });
});
