import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Fault, Optional } from './fault-decorator.js';

interface AmountOptions {
  max: number;
  description: string;
  example: number;
}

/** A number that prints with more than two decimals, or with an exponent, is no amount of money. */
const AMOUNT = /^\d+(\.\d{1,2})?$/;

/** An amount of money that may be left out: a JSON number with at most two decimals. */
export function OptionalAmount({ max, ...documentation }: AmountOptions): PropertyDecorator {
  return applyDecorators(
    Optional(),
    Fault('wrong_type', 'must be a number', (value) => typeof value === 'number'),
    Fault('too_small', 'must be at least 0', (value) => (value as number) >= 0),
    Fault('too_large', `must be at most ${max}`, (value) => (value as number) <= max),
    Fault('too_precise', 'must have at most 2 decimals', (value) => AMOUNT.test(String(value))),
    ApiPropertyOptional({ ...documentation, type: Number, nullable: true, minimum: 0, maximum: max }),
  );
}
