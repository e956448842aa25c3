import { DomainError, type FieldError, validationFailed } from '../errors/domain-error.js';

type Readers<Fields> = { [Name in keyof Fields]: () => Fields[Name] };

/** Reads every field of a form, each by a function that refuses what it cannot read. All that is wrong is told at once, with its field. */
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
  if (faults.length > 0) throw validationFailed(faults);
  return read as Fields;
}
