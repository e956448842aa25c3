import { Body, type PipeTransform, Query } from '@nestjs/common';
import { DomainError, type FieldError, validationFailed } from '../errors/domain-error.js';

/** Checks what comes in by a function, which throws or gives what it made of it. */
export class Reader implements PipeTransform {
  constructor(readonly transform: (given: never) => unknown) {}
}

/** The body of a route that speaks somebody else's protocol, whose faults a class of ours could not tell in its words. */
export function BodyReadBy(read: (given: never) => unknown): ParameterDecorator {
  return Body(new Reader(read));
}

/** What stands behind the question mark in a page's address, which people change by hand. */
export function QueryReadBy(read: (given: never) => unknown): ParameterDecorator {
  return Query(new Reader(read));
}

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
