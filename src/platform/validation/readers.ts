import { DomainError, type FieldError, validationFailed } from '../errors/domain-error.js';
import { parseEnd, parseTime, type TimeZone } from '../time/time.js';

type Readers<Fields> = { [Name in keyof Fields]: () => Fields[Name] };

/** Reads every field with its own function. All faults are reported at once, by field. */
export function readFields<Fields extends object>(readers: Readers<Fields>): Fields {
  const faults: FieldError[] = [];
  const read: Partial<Fields> = {};
  for (const field of Object.keys(readers) as (keyof Fields & string)[]) {
    try {
      read[field] = readers[field]();
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'invalid_value') throw error;
      faults.push({ field, code: error.code, message: error.message });
    }
  }
  if (faults.length > 0)
    throw new DomainError('invalid_value', faults.map(({ message }) => message).join(' '), {
      errors: faults,
    });
  return read as Fields;
}

/** Reads one field. A refusal keeps its words, and names the field for a form. */
export function readField<Value>(field: string, read: () => Value): Value {
  return readFields<Record<string, Value>>({ [field]: read })[field]!;
}

/** The fields whose day is included in the period. */
const ENDS: ReadonlySet<string> = new Set(['to', 'until']);

/**
 * The times of a form by field. Empty ones are left out, unless required. All faults are reported at once.
 */
export function readTimes<Name extends string, RequiredName extends Name = never>(
  texts: Record<Name, string>,
  zone: TimeZone,
  ...required: RequiredName[]
): Partial<Record<Name, Date>> & Record<RequiredName, Date> {
  const times: Partial<Record<string, Date>> = {};
  const faults: FieldError[] = [];
  for (const field of Object.keys(texts) as Name[]) {
    const text = texts[field].trim();
    if (text === '' && !(required as Name[]).includes(field)) continue;
    const at = ENDS.has(field) ? parseEnd(text, zone) : parseTime(text, zone);
    if (at) times[field] = at;
    else faults.push({ field, code: 'invalid_value', message: 'must be a date, such as 2026-01-31' });
  }
  if (faults.length > 0) throw validationFailed(faults);
  return times as Partial<Record<Name, Date>> & Record<RequiredName, Date>;
}
