import { isReversed, periodPresets } from './period-fields.js';

describe('The days of a list', () => {
  it.each([
    ['2026-11-23', 'a Monday', '2026-11-23', '2026-11-01'],
    ['2026-11-22', 'a Sunday', '2026-11-16', '2026-11-01'],
    ['2027-01-01', 'a Friday', '2026-12-28', '2027-01-01'],
  ])('offer on %s, %s, the week since %s and the month since %s', (today, _, monday, first) => {
    expect(periodPresets(today).map(({ from, to }) => [from, to])).toEqual([
      [today, today],
      [monday, today],
      [first, today],
    ]);
  });

  it('are wrong if the first one is later than the last one', () => {
    expect(isReversed({ from: '2026-11-20', to: '2026-11-19' })).toBe(true);
    expect(isReversed({ from: '2026-11-20', to: '2026-11-20' })).toBe(false);
    expect(isReversed({ from: '2026-11-20' })).toBe(false);
  });
});
