import { monthIn } from './list-filter.js';

describe('A month', () => {
  it.each(['2026-11', '2000-01', '2099-12'])('is %s', (month) => {
    expect(monthIn({ month }, 'month')).toBe(month);
  });

  it.each(['', '2026', '2026-13', '2026-00', '26-11', '2026-11-01', '9999-01', '2026-1'])(
    'is not %j',
    (month) => expect(monthIn({ month }, 'month')).toBeUndefined(),
  );
});
