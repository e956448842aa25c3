import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Fault, Optional } from './fault-decorator.js';

interface NumberOptions {
  min: number;
  max: number;
  description: string;
  example: number;
}

/** Converts digits. Other text stays unchanged and is refused later. */
const digitsToNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
);

/** A whole number in the query. */
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
  /** What the list names. */
  of: string;
  most: number;
  description: string;
  example: string[];
  required: boolean;
}

/** The default of query parameters, stated because some client generators do not know it. */
const REPEATED = { style: 'form', explode: true } as const;

/**
 * One or more of these names, repeated or separated by commas. It is read as a list in the order given here,
 * so all ways to ask for the same are the same.
 */
export function OptionalNamesParameter(names: readonly string[], description: string): PropertyDecorator {
  const isName = (part: unknown) => names.includes(part as string);
  const inOrder = ({ value }: { value: unknown }) => {
    const parts = [value]
      .flat()
      .flatMap((part) => (typeof part === 'string' ? part.split(',').map((name) => name.trim()) : [part]));
    return parts.every(isName) ? names.filter((name) => parts.includes(name)) : value;
  };
  return applyDecorators(
    Transform(inOrder),
    Optional(),
    Fault(
      'unknown_value',
      `must be one or more of ${names.join(', ')}`,
      (value) => Array.isArray(value) && value.every(isName),
    ),
    ApiPropertyOptional({ ...REPEATED, description, enum: names, isArray: true, example: names }),
  );
}

/** A parameter that names several things: repeated, or separated by commas. */
export function ListParameter({
  of,
  most,
  description,
  example,
  required,
}: ListParameterOptions): PropertyDecorator {
  return applyDecorators(
    Fault('wrong_type', `must be a list of ${of}`, (value) =>
      [value].flat().every((part) => typeof part === 'string'),
    ),
    Fault(
      'too_many',
      `must name at most ${most} ${of}`,
      (value) => countIn(value as string | string[]) <= most,
    ),
    ApiProperty({
      ...REPEATED,
      description:
        `${description} Repeat the parameter for each, or send one value with commas between. A repeated ` +
        `value, or one that is known as a whole, is never split, so it may contain a comma. At most ${most}.`,
      type: [String],
      maxItems: most,
      example,
      required,
    }),
  );
}

function countIn(value: string | string[]): number {
  return typeof value === 'string' ? value.split(',').length : value.length;
}
