import { Body, type PipeTransform, Query } from '@nestjs/common';

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
