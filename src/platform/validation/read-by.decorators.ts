import { Body, type PipeTransform, Query } from '@nestjs/common';

/** Checks input by a function that throws or returns the value. */
export class Reader implements PipeTransform {
  constructor(readonly transform: (given: never) => unknown) {}
}

/** A body in a foreign protocol, whose faults need other words than our classes have. */
export function BodyReadBy(read: (given: never) => unknown): ParameterDecorator {
  return Body(new Reader(read));
}

/** The query of a page's address, which people edit by hand. */
export function QueryReadBy(read: (given: never) => unknown): ParameterDecorator {
  return Query(new Reader(read));
}
