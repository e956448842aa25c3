const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:?\d{2})?$/i;
const DAY_MS = 86_400_000;

/** Reads an ISO date or time, as UTC if no zone is given. Null if it is neither, such as 2026-02-30. */
export function parseInstant(text: string): Date | null {
  const given = text.trim();
  if (DATE.test(given)) return midnight(given);
  const [, day, time, zone = 'Z'] = TIME.exec(given) ?? [];
  if (day === undefined || time === undefined || midnight(day) === null) return null;
  const instant = new Date(`${day}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** Reads the end of a period: a bare date includes that day. */
export function parseEnd(text: string): Date | null {
  const instant = parseInstant(text);
  return instant && DATE.test(text.trim()) ? new Date(instant.getTime() + DAY_MS) : instant;
}

/** The end of a period as a person would type it: its last day, or the time. */
export function showEnd(end: Date): string {
  return end.getTime() % DAY_MS === 0
    ? new Date(end.getTime() - DAY_MS).toISOString().slice(0, 10)
    : end.toISOString();
}

/** `Date` takes 30 February for 2 March. */
function midnight(day: string): Date | null {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? date : null;
}
