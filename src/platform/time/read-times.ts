import { type FieldError, validationFailed } from '../errors/domain-error.js';
import { parseEnd, parseInstant, type TimeZone } from './time.js';

/** The fields that include their day. */
const ENDS: ReadonlySet<string> = new Set(['to', 'until']);

/** The times of a form by field. Empty ones are left out. All faults are told at once. */
export function readTimes<Name extends string>(
  texts: Record<Name, string>,
  zone: TimeZone,
): Partial<Record<Name, Date>> {
  const times: Partial<Record<Name, Date>> = {};
  const faults: FieldError[] = [];
  for (const field of Object.keys(texts) as Name[]) {
    const text = texts[field].trim();
    if (text === '') continue;
    const at = ENDS.has(field) ? parseEnd(text, zone) : parseInstant(text, zone);
    if (at) times[field] = at;
    else faults.push({ field, code: 'invalid_value', message: 'must be a date, such as 2026-01-31' });
  }
  if (faults.length > 0) throw validationFailed(faults);
  return times;
}
