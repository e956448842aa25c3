import { parseEnd, parseInstant, showEnd } from './instant.js';

const iso = (date: Date | null) => date?.toISOString() ?? null;

describe('Dates and times that the wholesaler types', () => {
  it.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T10:30', '2026-11-20T10:30:00.000Z'],
    ['2026-11-20 10:30:15', '2026-11-20T10:30:15.000Z'],
    ['2026-11-20T10:30:15.250Z', '2026-11-20T10:30:15.250Z'],
    ['2026-11-20T10:30+05:30', '2026-11-20T05:00:00.000Z'],
    [' 2026-11-20 ', '2026-11-20T00:00:00.000Z'],
  ])('are read: %s is %s', (text, expected) => {
    expect(iso(parseInstant(text))).toBe(expected);
  });

  it.each([
    '',
    'tomorrow',
    '20.11.2026',
    '2026-13-01',
    '2026-02-30',
    '2026-02-30T10:00',
    '2026-11-20T25:00',
    '2026-11-20T',
  ])('are refused: %j', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it('end with the end of a day, or at an exact time', () => {
    expect(iso(parseEnd('2026-12-31'))).toBe('2027-01-01T00:00:00.000Z');
    expect(iso(parseEnd('2026-12-31T12:00'))).toBe('2026-12-31T12:00:00.000Z');
  });

  it.each(['2026-12-31', '2026-12-31T12:00:00.000Z'])('show an end as it was typed: %s', (text) => {
    expect(showEnd(parseEnd(text)!)).toBe(text);
  });
});
