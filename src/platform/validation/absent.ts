import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateIf } from 'class-validator';
import { Fault } from './fault-decorator.js';
import { isBlank } from './storable-text.js';

/** `null` and a text of white space alone say nothing: they count as absent. */
const absentIfEmpty = Transform(({ value }: { value: unknown }) =>
  value === null || isBlank(value) ? undefined : value,
);

export function Required(): PropertyDecorator {
  return applyDecorators(
    absentIfEmpty,
    Fault('required', 'is required', (value) => value !== undefined),
  );
}

export function Optional(): PropertyDecorator {
  return applyDecorators(
    absentIfEmpty,
    ValidateIf((_, value) => value !== undefined),
  );
}
