import { horizonOf } from './watermark.js';

describe('horizonOf', () => {
  it('follows the highest stamp', () => {
    expect(horizonOf({ seenBelow: 900, highestStamp: 700 })).toBe(701);
  });

  it('stays below an open transaction', () => {
    expect(horizonOf({ seenBelow: 650, highestStamp: 700 })).toBe(650);
  });

  it('stays below ids that PostgreSQL may reuse after a crash', () => {
    const beforeCrash = horizonOf({ seenBelow: 808, highestStamp: 700 });
    const idAfterCrash = 758;
    expect(beforeCrash).toBeLessThanOrEqual(idAfterCrash);
  });

  it('starts an empty database at the beginning', () => {
    expect(horizonOf({ seenBelow: 750, highestStamp: 0 })).toBe(1);
  });
});
