import { monthsBetween, readWalletQuery } from './wallet-query.js';

describe('A month', () => {
  it.each(['2026-11', '2000-01', '2099-12'])('is %s', (month) => {
    expect(readWalletQuery({ month }).month).toBe(month);
  });

  it.each(['', '2026', '2026-13', '2026-00', '26-11', '2026-11-01', '9999-01', '2026-1'])(
    'is not %j',
    (month) => expect(readWalletQuery({ month }).month).toBeUndefined(),
  );

  it('lists the months since the first one, latest first, and at most 60', () => {
    expect(monthsBetween('2025-11', '2026-02')).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
    expect(monthsBetween('2001-01', '2026-12')).toHaveLength(60);
    expect(monthsBetween('2027-01', '2026-12')).toEqual([]);
  });
});
