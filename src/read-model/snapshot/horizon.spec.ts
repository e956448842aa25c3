import { horizonOf } from './horizon.js';

describe('horizonOf', () => {
  it('rests on the highest stamp that was seen', () => {
    expect(horizonOf({ seenBelow: 900, highestStamp: 700 })).toBe(701);
  });

  it('stays below a transaction that is still open, however high the stamps that were seen', () => {
    expect(horizonOf({ seenBelow: 650, highestStamp: 700 })).toBe(650);
  });

  it('does not pass ids that PostgreSQL gives out again after a crash', () => {
    const beforeCrash = horizonOf({ seenBelow: 808, highestStamp: 700 });
    const idAfterCrash = 758;
    expect(beforeCrash).toBeLessThanOrEqual(idAfterCrash);
  });

  it('asks an empty database for everything', () => {
    expect(horizonOf({ seenBelow: 750, highestStamp: 0 })).toBe(1);
  });
});
