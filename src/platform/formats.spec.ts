import { exactTime, relativeTime } from './formats.js';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-11-20T19:00:00Z');
const inHours = (hours: number, zone = 'UTC') => relativeTime(new Date(NOW + hours * HOUR_MS), NOW, zone);

describe('A time near now', () => {
  it.each([
    [0.01, 'in a moment'],
    [0.98, 'in 59 minutes'],
    [0.99, 'in 1 hour'],
    [1.9, 'in 1 hour'],
    [1, 'in 1 hour'],
    [47, 'in 47 hours'],
    [71.9, 'in 71 hours'],
    [71.99, 'in 72 hours'],
    [72, 'in 3 days'],
    [13 * 24, 'in 13 days'],
    [14 * 24, '4 Dec 2026'],
    [-0.01, 'just now'],
    [-0.99, '59 minutes ago'],
    [-23.9, '23 hours ago'],
    [-24, 'yesterday'],
    [-14 * 24, '6 Nov 2026'],
  ])('%d hours from now is %s', (hours, expected) => {
    expect(inHours(hours)).toBe(expected);
  });

  it('counts the days of the zone', () => {
    // 19:00 on the 20th in UTC is 00:30 on the 21st in India.
    expect(inHours(-25, 'UTC')).toBe('yesterday');
    expect(inHours(-25, 'Asia/Kolkata')).toBe('2 days ago');
    expect(inHours(-14 * 24 - 1, 'Asia/Kolkata')).toBe('6 Nov 2026');
  });
});

describe('An exact time', () => {
  it('is the time of the zone, for two zones in turn', () => {
    const at = new Date('2026-10-31T21:30:00Z');
    expect([exactTime(at, 'Asia/Kolkata'), exactTime(at, 'Europe/Berlin')]).toEqual([
      '1 Nov 2026, 03:00',
      '31 Oct 2026, 22:30',
    ]);
    expect(exactTime(at, 'Asia/Kolkata')).toBe('1 Nov 2026, 03:00');
  });
});
