import { monthOf, monthsBetween, nameOf, periodOf, readWalletQuery } from './wallet-query.js';

describe('A month', () => {
  it.each(['2026-11', '2000-01', '2099-12'])('is %s', (month) => {
    expect(readWalletQuery({ month }).month).toBe(month);
  });

  it.each(['', '2026', '2026-13', '2026-00', '26-11', '2026-11-01', '9999-01', '2026-1'])(
    'is not %j',
    (month) => expect(readWalletQuery({ month }).month).toBeUndefined(),
  );

  it('goes from its first moment to that of the next, by the clock of the machine', () => {
    expect(periodOf('2026-12')).toEqual({ from: new Date(2026, 11, 1), to: new Date(2027, 0, 1) });
    expect(monthOf(periodOf('2026-03').from)).toBe('2026-03');
    expect(nameOf('2026-03')).toBe('March 2026');
  });

  it('lists the months since the first one, latest first, and at most 60', () => {
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
