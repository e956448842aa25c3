import { lastDays, lastHours } from './request-figures.repository.js';

const iso = (times: Date[]) => times.map((time) => time.toISOString());

describe('The last periods', () => {
  it('end with the current hour', () => {
    expect(iso(lastHours(3, Date.parse('2026-11-20T17:31:00Z')))).toEqual([
      '2026-11-20T15:00:00.000Z',
      '2026-11-20T16:00:00.000Z',
      '2026-11-20T17:00:00.000Z',
    ]);
  });

  it('end with today, which begins earlier in the east', () => {
    const night = Date.parse('2026-11-20T19:00:00Z');
    expect(iso(lastDays(2, night, 'UTC'))).toEqual(['2026-11-19T00:00:00.000Z', '2026-11-20T00:00:00.000Z']);
    expect(iso(lastDays(2, night, 'Asia/Kolkata'))).toEqual([
      '2026-11-19T19:00:00.000Z',
      '2026-11-20T19:00:00.000Z',
    ]);
  });

  it('have a day of 23 and a day of 25 hours where clocks change', () => {
    expect(iso(lastDays(3, Date.parse('2026-03-30T12:00:00Z'), 'Europe/Berlin'))).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(iso(lastDays(3, Date.parse('2026-10-26T12:00:00Z'), 'Europe/Berlin'))).toEqual([
      '2026-10-23T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
  });
});
