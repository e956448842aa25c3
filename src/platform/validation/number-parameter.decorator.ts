import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Fault, Optional } from './fault-decorator.js';

interface NumberOptions {
  min: number;
  max: number;
  description: string;
  example: number;
}

/** A numeral and nothing else; what is none stays as it is, to be refused. */
const digitsToNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
);

/** A whole number in the query of an address. */
export function OptionalNumberParameter({ min, max, ...documentation }: NumberOptions): PropertyDecorator {
  return applyDecorators(
    digitsToNumber,
    Optional(),
    Fault('wrong_type', 'must be a whole number', Number.isInteger),
    Fault('too_small', `must be at least ${min}`, (value) => (value as number) >= min),
    Fault('too_large', `must be at most ${max}`, (value) => (value as number) <= max),
    ApiPropertyOptional({ ...documentation, type: 'integer', minimum: min, maximum: max }),
  );
}
