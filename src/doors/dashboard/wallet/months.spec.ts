import { isMonth, monthOf, monthsBetween, nameOf, periodOf } from './months.js';

describe('A month', () => {
  it.each(['2026-11', '2000-01', '2099-12'])('is %s', (text) => expect(isMonth(text)).toBe(true));

  it.each(['', '2026', '2026-13', '2026-00', '26-11', '2026-11-01', '9999-01', '2026-1'])(
    'is not %j',
    (text) => expect(isMonth(text)).toBe(false),
  );

  it('goes from its first moment to that of the next, by the clock of the machine', () => {
    expect(periodOf('2026-12')).toEqual({ from: new Date(2026, 11, 1), to: new Date(2027, 0, 1) });
    expect(monthOf(periodOf('2026-03').from)).toBe('2026-03');
    expect(nameOf('2026-03')).toBe('March 2026');
  });

  it('is one of those since the first, the latest first, and of no more than anybody looks through', () => {
    expect(monthsBetween(new Date(2025, 10, 30), new Date(2026, 1, 1))).toEqual([
      '2026-02',
      '2026-01',
      '2025-12',
      '2025-11',
    ]);
    expect(monthsBetween(new Date(2001, 0, 1), new Date(2026, 11, 31))).toHaveLength(60);
    expect(monthsBetween(new Date(2027, 0, 1), new Date(2026, 11, 31))).toEqual([]);
  });
});
