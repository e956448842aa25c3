import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { Fault, Optional, Required } from './fault-decorator.js';
import { isPlainObject, type NestedContext } from './named-fields.js';

interface NestedOptions {
  description: string;
  optional?: boolean;
}

interface ListOptions {
  description: string;
  min: number;
  max: number;
}

/** An object with fields of its own. `ValidateNested` alone would let an array pass in its place. */
export function Nested(type: () => Class, { description, optional }: NestedOptions): PropertyDecorator {
  return applyDecorators(
    Type(type),
    optional ? Optional() : Required(),
    Fault('wrong_type', 'must be an object', isPlainObject),
    ValidateNested({ context: { type } satisfies NestedContext }),
    ApiProperty({ type: () => type(), description, required: !optional }),
  );
}

export function NestedList(type: () => Class, { description, min, max }: ListOptions): PropertyDecorator {
  return applyDecorators(
    Type(type),
    refuseOddElements,
    Required(),
    Fault('wrong_type', 'must be an array', Array.isArray),
    Fault(
      'too_few',
      `must have at least ${min} ${min === 1 ? 'entry' : 'entries'}`,
      (value) => (value as unknown[]).length >= min,
    ),
    Fault('too_many', `must have at most ${max} entries`, (value) => (value as unknown[]).length <= max),
    ValidateNested({ context: { type, most: max } satisfies NestedContext }),
    ApiProperty({ type: () => [type()], description, minItems: min, maxItems: max }),
  );
}

/** `ValidateNested` overlooks `null` and arrays among the elements, but not `false`. */
const refuseOddElements = Transform(({ value }: { value: unknown }) =>
  Array.isArray(value) ? value.map((element: unknown) => (isPlainObject(element) ? element : false)) : value,
);
