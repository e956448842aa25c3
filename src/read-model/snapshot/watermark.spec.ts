import { unreadAfter, watermarkOf } from './watermark.js';

describe('The watermark of a store', () => {
  it('follows the highest stamp', () => {
    expect(watermarkOf({ visibleBelow: 900, highestVersion: 700 })).toBe(701);
  });

  it('stays below an open transaction', () => {
    expect(watermarkOf({ visibleBelow: 650, highestVersion: 700 })).toBe(650);
  });

  it('stays below ids that PostgreSQL may reuse after a crash', () => {
    const beforeCrash = watermarkOf({ visibleBelow: 808, highestVersion: 700 });
    const idAfterCrash = 758;
    expect(beforeCrash).toBeLessThanOrEqual(idAfterCrash);
  });

  it('starts an empty database at the beginning', () => {
    expect(watermarkOf({ visibleBelow: 750, highestVersion: 0 })).toBe(1);
  });
});

describe('What a refresh reads', () => {
  it('is what later transactions and those that were open have written', () => {
    expect(unreadAfter({ xmax: 701, open: [650, 660] }, 700)).toEqual({ from: 701, open: [650, 660] });
    expect(unreadAfter({ xmax: 690, open: [650] }, 700)).toEqual({ from: 690, open: [650] });
  });

  it('is also what reuses an id after a crash that no row carries', () => {
    expect(unreadAfter({ xmax: 808, open: [] }, 700)).toEqual({ from: 701, open: [] });
  });
});
