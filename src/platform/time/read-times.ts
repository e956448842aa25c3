import { type FieldError, validationFailed } from '../errors/domain-error.js';
import { parseEnd, parseInstant, type TimeZone } from './time.js';

/** The fields that include their day. */
const ENDS: ReadonlySet<string> = new Set(['to', 'until']);

/** The times of a form by field. Empty ones are left out, unless needed. All faults are told at once. */
export function readTimes<Name extends string, Needed extends Name = never>(
  texts: Record<Name, string>,
  zone: TimeZone,
  ...needed: Needed[]
): Partial<Record<Name, Date>> & Record<Needed, Date> {
  const times: Partial<Record<string, Date>> = {};
  const faults: FieldError[] = [];
  for (const field of Object.keys(texts) as Name[]) {
    const text = texts[field].trim();
    if (text === '' && !(needed as Name[]).includes(field)) continue;
    const at = ENDS.has(field) ? parseEnd(text, zone) : parseInstant(text, zone);
    if (at) times[field] = at;
    else faults.push({ field, code: 'invalid_value', message: 'must be a date, such as 2026-01-31' });
  }
  if (faults.length > 0) throw validationFailed(faults);
  return times as Partial<Record<Name, Date>> & Record<Needed, Date>;
}
