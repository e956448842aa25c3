import {
  addDays,
  addMonths,
  dayAt,
  isMidnight,
  isoTime,
  isTimeZone,
  monthAt,
  monthsBetween,
  offsetName,
  parseEnd,
  parseInstant,
  parseMonth,
  parseTime,
  periodOf,
  plainTime,
  formatEnd,
  formatPeriod,
  startOfDay,
  startOfMonth,
} from './time.js';

const HOUR_MS = 3_600_000;
const iso = (date: Date | null) => date?.toISOString() ?? null;

describe('A time zone', () => {
  it.each(['Asia/Kolkata', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'UTC'])(
    'is %s',
    (name) => expect(isTimeZone(name)).toBe(true),
  );

  it.each(['', 'IST', 'CET', 'EST', 'GMT+5:30', '+05:30', 'Asia/Kolkatta', 'India', 'Asia/Kolkata ', "A/'"])(
    'is not %j',
    (name) => expect(isTimeZone(name)).toBe(false),
  );
});

describe('A day in a zone', () => {
  it.each([
    ['2026-11-01', 'Asia/Kolkata', '2026-10-31T18:30:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  ])('%s begins in %s at its own midnight: %s', (day, zone, begin) => {
    expect(iso(startOfDay(day, zone))).toBe(begin);
  });

  it('has an order placed at 03:00 on the first in its month', () => {
    const placed = new Date('2026-10-31T21:30:00Z');
    expect(dayAt(placed, 'Asia/Kolkata')).toBe('2026-11-01');
    expect(monthAt(placed, 'Asia/Kolkata')).toBe('2026-11');
    expect(dayAt(placed, 'UTC')).toBe('2026-10-31');
  });

  it.each([
    ['2026-03-28', 'Europe/Berlin', 24],
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2026-11-01', 'America/New_York', 25],
    // Lord Howe changes its clocks by half an hour.
    ['2026-10-04', 'Australia/Lord_Howe', 23.5],
    // Midnight is skipped, or comes twice.
    ['2026-09-06', 'America/Santiago', 23],
    ['2026-04-04', 'America/Santiago', 25],
    ['2026-11-01', 'America/Havana', 25],
    // Samoa crossed the date line: it had no 30 December.
    ['2011-12-29', 'Pacific/Apia', 24],
    ['2011-12-30', 'Pacific/Apia', 0],
  ])('%s has in %s %d hours', (day, zone, hours) => {
    const [begins, ends] = [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)];
    expect((ends.getTime() - begins.getTime()) / HOUR_MS).toBe(hours);
    if (hours > 0) {
      expect([dayAt(begins, zone), dayAt(ends.getTime() - 1, zone)]).toEqual([day, day]);
      expect(dayAt(begins.getTime() - 1, zone) < day).toBe(true);
    }
    expect(isMidnight(begins, zone)).toBe(true);
    expect(isMidnight(new Date(begins.getTime() + 1), zone)).toBe(false);
  });

  it('is counted by the calendar', () => {
    expect([addDays('2026-12-31', 1), addDays('2028-03-01', -1)]).toEqual(['2027-01-01', '2028-02-29']);
    expect([addMonths('2026-11', 2), addMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
  });
});

describe('A month', () => {
  it.each([
    ['2026-12', 'UTC', '2026-12-01T00:00Z', '2027-01-01T00:00Z'],
    ['2026-10', 'Europe/Berlin', '2026-10-01T00:00+02:00', '2026-11-01T00:00+01:00'],
  ])('%s goes in %s from its first moment, %s, to that of the next, %s', (month, zone, from, to) => {
    expect(periodOf(month, zone)).toEqual({ from: new Date(from), to: new Date(to) });
    expect(startOfMonth(month, zone)).toEqual(new Date(from));
  });

  it('lists the months since the first one, latest first, and at most 60', () => {
    expect(monthsBetween('2025-11', '2026-02')).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
    expect(monthsBetween('2001-01', '2026-12')).toHaveLength(60);
    expect(monthsBetween('2027-01', '2026-12')).toEqual([]);
  });
});

describe('A time in a zone', () => {
  const AT = new Date('2026-11-20T08:35:10.250Z');

  it('is told to people and to programs', () => {
    expect(plainTime(AT, 'Asia/Kolkata')).toBe('2026-11-20 14:05:10');
    expect(isoTime(AT, 'Asia/Kolkata')).toBe('2026-11-20T14:05:10.250+05:30');
    expect(isoTime(AT, 'America/St_Johns')).toBe('2026-11-20T05:05:10.250-03:30');
    expect(new Date(isoTime(AT, 'America/St_Johns'))).toEqual(AT);
  });

  it.each([
    ['Asia/Kolkata', AT, 'GMT+5:30'],
    ['Europe/Berlin', AT, 'GMT+1'],
    ['Europe/Berlin', Date.UTC(2026, 6), 'GMT+2'],
    ['America/New_York', AT, 'GMT-5'],
    ['UTC', AT, 'GMT'],
  ])('in %s has at %s the offset %s', (zone, at, name) => expect(offsetName(at, zone)).toBe(name));

  it('follows the clocks of summer', () => {
    expect(plainTime(new Date('2026-03-29T00:59:59Z'), 'Europe/Berlin')).toBe('2026-03-29 01:59:59');
    expect(plainTime(new Date('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toBe('2026-03-29 03:00:00');
  });
});

describe('Dates and times that people type', () => {
  it.each([
    ['2026-11-20', '2026-11-19T18:30:00.000Z'],
    ['2026-11-20T10:30', '2026-11-20T05:00:00.000Z'],
    ['2026-11-20 10:30:15', '2026-11-20T05:00:15.000Z'],
    ['2026-11-20T10:30:15.250Z', '2026-11-20T10:30:15.250Z'],
    // Python writes microseconds, Go nanoseconds.
    ['2026-11-20T10:30:15.250999999+00:00', '2026-11-20T10:30:15.250Z'],
    ['2026-11-20T10:30+01:00', '2026-11-20T09:30:00.000Z'],
    [' 2026-11-20 ', '2026-11-19T18:30:00.000Z'],
  ])('are read in their zone: %s is %s', (text, expected) => {
    expect(iso(parseInstant(text, 'Asia/Kolkata'))).toBe(expected);
  });

  it('are the next ones where clocks skip them, and the first ones where they come twice', () => {
    expect(iso(parseInstant('2026-03-29T02:30', 'Europe/Berlin'))).toBe('2026-03-29T01:30:00.000Z');
    expect(iso(parseInstant('2026-10-25T02:30', 'Europe/Berlin'))).toBe('2026-10-25T00:30:00.000Z');
  });

  it.each(['', 'soon', '20.11.2026', '2026-13-01', '2026-02-30T10:00', '2026-11-20T25:00', '2026-11-20T'])(
    'are refused: %j',
    (text) => expect(parseInstant(text, 'UTC')).toBeNull(),
  );

  it.each(['0001-01-01T00:00+05:30', '9999-12-31T23:59-05:00'])(
    'are refused if UTC has no year of four digits for them: %s',
    (text) => expect(parseInstant(text, 'UTC')).toBeNull(),
  );

  it.each([
    ['20/11/2026', '2026-11-19T18:30:00.000Z'],
    [' 20.11.2026, 10:30', '2026-11-20T05:00:00.000Z'],
    ['2026-11-20T10:30+01:00', '2026-11-20T09:30:00.000Z'],
    ['20/11/2026 10:15:30 PM', '2026-11-20T16:45:30.000Z'],
    ['20/11/2026 6:05 am', '2026-11-20T00:35:00.000Z'],
    ['20/11/2026 12:00 AM', '2026-11-19T18:30:00.000Z'],
    ['20/11/2026 12:30PM', '2026-11-20T07:00:00.000Z'],
    ['20/11/2026 13:00 PM', undefined],
    ['27-Nov-26', '2026-11-26T18:30:00.000Z'],
    ['27 November 2026 18:00', '2026-11-27T12:30:00.000Z'],
    ['31-Nov-26', undefined],
    ['27-Nox-26', undefined],
    ['27-11-26', undefined],
    ['27-Nov-126', undefined],
    ['11/20/2026', undefined],
    ['20/11/26', undefined],
  ])('may begin with the day: %s is %s', (text, expected) => {
    expect(parseTime(text, 'Asia/Kolkata')?.toISOString()).toBe(expected);
  });

  it.each([
    ['31-12-2026', 'UTC', '2027-01-01T00:00:00.000Z'],
    ['2026-12-31', 'UTC', '2027-01-01T00:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-12-31T12:00', 'Asia/Kolkata', '2026-12-31T06:30:00.000Z'],
  ])('end with the end of a day, or at an exact time: %s in %s is %s', (text, zone, end) => {
    expect(iso(parseEnd(text, zone))).toBe(end);
  });

  it.each(['2026-12-31', '2026-10-25', '2026-12-31T12:00:00.000Z'])(
    'show an end as it was typed: %s',
    (text) => {
      for (const zone of ['UTC', 'Asia/Kolkata', 'Europe/Berlin'])
        expect(formatEnd(parseEnd(text, zone)!, zone)).toBe(text);
    },
  );

  it.each(['2026-11', '2000-01', '2099-12'])('may be a month: %s', (month) => {
    expect(parseMonth(` ${month} `)).toBe(month);
  });

  it.each(['', '2026', '2026-13', '2026-00', '26-11', '2026-11-01', '1999-12', '9999-01', '2026-1'])(
    'are no month: %j',
    (text) => expect(parseMonth(text)).toBeUndefined(),
  );

  const at = (text: string) => parseInstant(text, 'Asia/Kolkata')!;

  it.each([
    ['from 2026-12-01', '2026-12-01', null],
    ['from 2026-12-01 to 2026-12-31', '2026-12-01', parseEnd('2026-12-31', 'Asia/Kolkata')],
    ['from 2026-12-01 09:30:00 to 2026-12-31 18:00:00', '2026-12-01 09:30', at('2026-12-31 18:00')],
  ])('are shown as a period, with times only where they are no midnight: %s', (period, from, to) => {
    expect(formatPeriod(at(from), to, 'Asia/Kolkata')).toBe(period);
  });
});
