import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Fault, Required } from './fault-decorator.js';

interface WholeNumberOptions {
  min: number;
  max: number;
  description: string;
  example: number;
}

/** A JSON number without decimals in a range; a numeral in a string is none. */
export function RequiredWholeNumber({ min, max, ...documentation }: WholeNumberOptions): PropertyDecorator {
  return applyDecorators(
    Required(),
    Fault('wrong_type', 'must be a number', (value) => typeof value === 'number'),
    Fault('not_whole', 'must be a whole number', (value) => Number.isInteger(value)),
    Fault('too_small', `must be at least ${min}`, (value) => (value as number) >= min),
    Fault('too_large', `must be at most ${max}`, (value) => (value as number) <= max),
    ApiProperty({ ...documentation, type: 'integer', minimum: min, maximum: max }),
  );
}
