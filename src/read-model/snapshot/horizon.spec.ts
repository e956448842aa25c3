import { horizonAfter } from './horizon.js';

describe('horizonAfter', () => {
  it('rests on the highest stamp that was seen', () => {
    expect(horizonAfter(900, 700)).toBe(701);
  });

  it('stays below a transaction that is still open, however high the stamps that were seen', () => {
    expect(horizonAfter(650, 700)).toBe(650);
  });

  it('does not pass ids that PostgreSQL gives out again after a crash', () => {
    const beforeCrash = horizonAfter(808, 700);
    const idAfterCrash = 758;
    expect(beforeCrash).toBeLessThanOrEqual(idAfterCrash);
  });

  it('asks an empty database for everything', () => {
    expect(horizonAfter(750, 0)).toBe(1);
  });
});
