import { watermarkOf } from './watermark.js';

describe('horizonOf', () => {
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
