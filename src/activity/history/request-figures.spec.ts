import { lastPeriods } from './request-figures.js';

const NOW = Date.parse('2026-11-20T17:31:00Z');

describe('The last periods', () => {
  it('end with the current one', () => {
    expect(lastPeriods('hour', 3, NOW).map((begin) => begin.toISOString())).toEqual([
      '2026-11-20T15:00:00.000Z',
      '2026-11-20T16:00:00.000Z',
      '2026-11-20T17:00:00.000Z',
    ]);
  });

  it('are whole days in UTC', () => {
    expect(lastPeriods('day', 2, NOW).map((begin) => begin.toISOString())).toEqual([
      '2026-11-19T00:00:00.000Z',
      '2026-11-20T00:00:00.000Z',
    ]);
  });
});
