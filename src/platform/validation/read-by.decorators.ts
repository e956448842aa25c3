import { Body, type PipeTransform } from '@nestjs/common';

/** Checks input by a function that throws or returns the value. */
export class Reader implements PipeTransform {
  constructor(readonly transform: (given: never) => unknown) {}
}

/** A body in a foreign protocol, whose faults need other words than our classes have. */
export function BodyReadBy(read: (given: never) => unknown): ParameterDecorator {
  return Body(new Reader(read));
}
