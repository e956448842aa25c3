import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { WholeNumberOptions } from './body-fields.decorator.js';
import { Fault, Optional } from './fault-decorator.js';
import { IsListParameter, Transform } from './named-fields.js';
import { readList, type SentList } from './read-query.js';

/** Converts digits, with a sign for the right words about -5. Other text is refused later. */
const digitsToNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
);

export function OptionalNumberParameter({
  min,
  max,
  ...documentation
}: WholeNumberOptions): PropertyDecorator {
  return applyDecorators(
    digitsToNumber,
    Optional(),
    Fault('wrong_type', 'must be a whole number', Number.isInteger),
    Fault('too_small', `must be at least ${min}`, (value) => (value as number) >= min),
    Fault('too_large', `must be at most ${max}`, (value) => (value as number) <= max),
    ApiPropertyOptional({ ...documentation, type: 'integer', minimum: min, maximum: max }),
  );
}

const BOOLEANS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** `true` or `false` in the query, in any case, or 1 or 0. Other text is refused. */
export function OptionalBooleanParameter(documentation: {
  description: string;
  example: boolean;
}): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => BOOLEANS.get(lowerCase(value)) ?? value),
    Optional(),
    Fault('wrong_type', 'must be true or false', (value) => typeof value === 'boolean'),
    ApiPropertyOptional({ ...documentation, type: Boolean }),
  );
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

interface ListParameterOptions {
  /** The things in the list, as in "SKUs". */
  of: string;
  max: number;
  description: string;
  example: string[];
  required: boolean;
}

/** Every spelling is read. Generated clients use this one. */
const WITH_COMMAS = { style: 'form', explode: false } as const;

/**
 * One or more of these names. The value is a list in the order of `names`, so equal requests have equal
 * values.
 */
export function OptionalNamesParameter(names: readonly string[], description: string): PropertyDecorator {
  const isName = (part: unknown) => names.includes(part as string);
  const inOrder = ({ value }: { value: string | string[] }) => {
    const parts = [value].flat().flatMap((part) => readList(part).names);
    return parts.every(isName) ? names.filter((name) => parts.includes(name)) : value;
  };
  return applyDecorators(
    IsListParameter(),
    Transform(inOrder),
    Optional(),
    Fault(
      'unknown_value',
      `must be one or more of ${names.join(', ')}`,
      (value) => Array.isArray(value) && value.every(isName),
    ),
    ApiPropertyOptional({ ...WITH_COMMAS, description, enum: names, isArray: true, example: names }),
  );
}

/** A parameter that names several things, read as a `SentList`. */
export function ListParameter({
  of,
  max,
  description,
  example,
  required,
}: ListParameterOptions): PropertyDecorator {
  return applyDecorators(
    IsListParameter(),
    Transform(({ value }: { value?: string | string[] }) => (value === undefined ? value : readList(value))),
    Fault('too_many', `must name at most ${max} ${of}`, (value) => (value as SentList).names.length <= max),
    ApiProperty({
      ...WITH_COMMAS,
      description:
        `${description} Separate values by commas, or repeat the parameter as \`name\`, \`name[]\` or ` +
        '`name[0]`. A repeated value, or one that is known as a whole, is never split, so it may contain a ' +
        `comma. At most ${max}.`,
      type: [String],
      maxItems: max,
      example,
      required,
    }),
  );
}
