/** A name of the IANA list, such as "Asia/Kolkata", or "UTC". */
export type TimeZone = string;

/** A calendar day: "2026-11-20". */
export type Day = string;

/** A calendar month: "2026-11". */
export type Month = string;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** IST is the time of three countries, and PostgreSQL reads the sign of +05:30 the other way round. */
const NAME = /^(UTC|[A-Z][A-Za-z_]+(\/[A-Za-z0-9_+-]+)+)$/;

export function isTimeZone(name: string): boolean {
  try {
    return NAME.test(name) && formatOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** A format takes long to make. */
const formats = new Map<TimeZone, Intl.DateTimeFormat>();

function formatOf(timeZone: TimeZone): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  return format;
}

const OFFSET = /GMT(?:([+-])(\d+):(\d+))?/;

/** The milliseconds by which the zone is ahead of UTC. */
function offsetAt(at: number, timeZone: TimeZone): number {
  const [, sign, hours = 0, minutes = 0] = OFFSET.exec(formatOf(timeZone).format(at))!;
  return (Number(hours) * 60 + Number(minutes)) * MINUTE_MS * (sign === '-' ? -1 : 1);
}

/** The local time of the zone, as the UTC fields of a Date. */
export function clockAt(at: Date | number, timeZone: TimeZone): Date {
  return new Date(Number(at) + offsetAt(Number(at), timeZone));
}

/**
 * The first moment at which the clocks of the zone show this time, or a later one if they skip it. The two
 * possible offsets are those of a day before and a day after.
 */
function whenClockShows(clockTime: number, timeZone: TimeZone): Date {
  const [first, second] = [-DAY_MS, DAY_MS]
    .map((apart) => clockTime - offsetAt(clockTime + apart, timeZone))
    .sort((a, b) => a - b) as [number, number];
  return new Date(clockAt(first, timeZone).getTime() >= clockTime ? first : second);
}

export function dayAt(at: Date | number, timeZone: TimeZone): Day {
  return clockAt(at, timeZone).toISOString().slice(0, 10);
}

export function monthAt(at: Date | number, timeZone: TimeZone): Month {
  return dayAt(at, timeZone).slice(0, 7);
}

/** The first moment of the day. Where clocks skip midnight, it is later. */
export function startOfDay(day: Day, timeZone: TimeZone): Date {
  return whenClockShows(Date.parse(day), timeZone);
}

export function startOfMonth(month: Month, timeZone: TimeZone): Date {
  return startOfDay(`${month}-01`, timeZone);
}

/** From the first moment of the month to the first of the next one. */
export function periodOf(month: Month, timeZone: TimeZone): { from: Date; to: Date } {
  return { from: startOfMonth(month, timeZone), to: startOfMonth(addMonths(month, 1), timeZone) };
}

/** A longer list would be hard to use. */
const MAX_MONTHS = 60;

/** Latest first. */
export function monthsBetween(first: Month, last: Month): Month[] {
  const months: Month[] = [];
  for (let month = last; month >= first && months.length < MAX_MONTHS; month = addMonths(month, -1))
    months.push(month);
  return months;
}

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(first: Day, last: Day): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS;
}

export function addMonths(month: Month, months: number): Month {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7);
}

/** "GMT+5:30". */
export function offsetName(at: Date | number, timeZone: TimeZone): string {
  const minutes = offsetAt(Number(at), timeZone) / MINUTE_MS;
  if (minutes === 0) return 'GMT';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `GMT${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${padded(rest)}`}`;
}

/** "2026-11-20T14:05:10.250+05:30", for programs. */
export function isoTime(at: Date, timeZone: TimeZone): string {
  const minutes = offsetAt(at.getTime(), timeZone) / MINUTE_MS;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = `${minutes < 0 ? '-' : '+'}${padded(hours)}:${padded(rest)}`;
  return clockAt(at, timeZone).toISOString().replace('Z', offset);
}

/** "2026-11-20 14:05:10", for spreadsheets and terminals. */
export function plainTime(at: Date, timeZone: TimeZone): string {
  const text = clockAt(at, timeZone).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

function padded(number: number): string {
  return String(number).padStart(2, '0');
}

const DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/;
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/i;

/** True for a day of the calendar, written as an ISO date. */
export function isDay(text: string): text is Day {
  // The Date constructor refuses 32 January, but takes 30 February for 2 March.
  return DATE.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
}

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

/** Reads a month of this century, written as "2026-11". */
export function parseMonth(text: string): Month | undefined {
  const month = text.trim();
  return MONTH.test(month) ? month : undefined;
}

/** Reads an ISO date or time, in this zone if it names none. Null if it is neither, such as 2026-02-30. */
export function parseInstant(text: string, timeZone: TimeZone): Date | null {
  const given = text.trim();
  if (isDay(given)) return inOurEra(startOfDay(given, timeZone));
  const [, day, time, offset] = TIME.exec(given) ?? [];
  if (day === undefined || !isDay(day)) return null;
  const instant = new Date(`${day}T${time}${offset?.toUpperCase() ?? 'Z'}`);
  if (Number.isNaN(instant.getTime())) return null;
  return inOurEra(offset === undefined ? whenClockShows(instant.getTime(), timeZone) : instant);
}

/** PostgreSQL has no year 0, and does not read the ISO form of a year with five digits. */
const inOurEra = (instant: Date) =>
  instant.getUTCFullYear() > 0 && instant.getUTCFullYear() < 10_000 ? instant : null;

const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?=$|[ ,])[ ,]*/;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** 27-Nov-26, as spreadsheets write it. With a month in numbers two digits of a year would be ambiguous. */
const NAMED_MONTH = /^(\d{1,2})[ /.-]([a-z]{3})[a-z]{0,6}[ /.-](\d{2}|\d{4})(?=$|[ ,])[ ,]*/i;

const TWELVE_HOURS = /\b(0?[1-9]|1[0-2])(:\d{2}(?::\d{2})?) ?([AP])M$/i;

/** The ISO form of a date or time as people write it in India: 31/01/2026 18:00, or 31/01/2026 6:00 PM. */
export function isoText(text: string): string {
  const dayFirst = (_: string, day: string, month: string, year: string) =>
    `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')} `;
  const namedMonth = (found: string, day: string, name: string, year: string) => {
    const month = MONTHS.indexOf(name.toLowerCase()) + 1;
    return month === 0 ? found : dayFirst('', day, String(month), year.padStart(4, '20'));
  };
  const hours24 = (_: string, hour: string, rest: string, half: string) =>
    `${padded((Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0))}${rest}`;
  return text
    .trim()
    .replace(DAY_FIRST, dayFirst)
    .replace(NAMED_MONTH, namedMonth)
    .replace(TWELVE_HOURS, hours24)
    .trim();
}

/** Reads a time as people type it into forms, commands and files: as `parseInstant`, or the day first. */
export function parseTime(text: string, timeZone: TimeZone): Date | null {
  return parseInstant(isoText(text), timeZone);
}

/** Like `parseTime`, for the end of a period: a bare date includes that day. */
export function parseEnd(text: string, timeZone: TimeZone): Date | null {
  const day = parseDay(text);
  return day === undefined ? parseTime(text, timeZone) : startOfDay(addDays(day, 1), timeZone);
}

export function parseDay(text: string): Day | undefined {
  const day = isoText(text);
  return isDay(day) ? day : undefined;
}

/** The end of a period as a person would type it: its last day, or the time. */
export function formatEnd(end: Date, timeZone: TimeZone): string {
  const day = dayAt(end, timeZone);
  return isMidnight(end, timeZone) ? addDays(day, -1) : end.toISOString();
}

/** "from 2026-12-01 to 2026-12-31": the last day is included. Times other than midnight are exact. */
export function formatPeriod(from: Date, to: Date | null, timeZone: TimeZone): string {
  const start = isMidnight(from, timeZone) ? dayAt(from, timeZone) : plainTime(from, timeZone);
  const end = to && (isMidnight(to, timeZone) ? addDays(dayAt(to, timeZone), -1) : plainTime(to, timeZone));
  return end === null ? `from ${start}` : `from ${start} to ${end}`;
}

/** True for the first moment of a day, which is also how a bare date is kept. */
export function isMidnight(at: Date, timeZone: TimeZone): boolean {
  return startOfDay(dayAt(at, timeZone), timeZone).getTime() === at.getTime();
}
