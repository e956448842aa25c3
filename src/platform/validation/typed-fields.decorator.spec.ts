import { readPeriodOf } from './typed-fields.decorator.js';

describe('A period of the admin API', () => {
  it.each([
    [{ from: '2026-11-01', to: '2026-11-01' }, '2026-10-31T18:30:00.000Z', '2026-11-01T18:30:00.000Z'],
    [{ from: '2026-11-01T06:00:00Z' }, '2026-11-01T06:00:00.000Z', undefined],
    [{ to: '2026-11-01T06:00:00+05:30' }, undefined, '2026-11-01T00:30:00.000Z'],
  ])('%j has the days of the wholesaler', (query, from, to) => {
    const period = readPeriodOf(query, 'Asia/Kolkata');
    expect([period.from?.toISOString(), period.to?.toISOString()]).toEqual([from, to]);
  });
});
