import { onePage } from './bounded-lists.js';

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
