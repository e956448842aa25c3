import { monthsOf, parseReturnPeriod, quarterEndedBy } from './return-period.js';

describe('The period of a return', () => {
  it.each([
    ['2026-11', ['2026-11', '2026-11']],
    ['2026-Q1', ['2026-01', '2026-03']],
    ['2026-Q4', ['2026-10', '2026-12']],
  ])('%s has the months %j', (period, months) => {
    expect(parseReturnPeriod(period)).toBe(period);
    expect(monthsOf(period)).toEqual(months);
  });

  it.each(['2026-Q0', '2026-Q5', '2026-Q11', 'x2026-Q1', '1999-Q4', '2026-q1', '2026', ''])(
    'is not %j',
    (text) => {
      expect(parseReturnPeriod(text)).toBeUndefined();
    },
  );

  it('is read without the blanks around it', () => {
    expect([' 2026-11 ', ' 2026-Q4 '].map(parseReturnPeriod)).toEqual(['2026-11', '2026-Q4']);
  });

  it.each([
    ['2026-02', undefined],
    ['2026-03', '2026-Q1'],
    ['2026-11', undefined],
    ['2026-12', '2026-Q4'],
  ])('that ends with %s is %s', (month, quarter) => expect(quarterEndedBy(month)).toBe(quarter));
});
