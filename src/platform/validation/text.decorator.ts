import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Fault, Optional, Required } from './fault-decorator.js';
import { isStorableText, lengthOf } from './storable-text.js';

interface TextOptions {
  max: number;
  description: string;
  example: string;
  format?: string;
}

/** A text that must be there, checked and documented in one. */
export function RequiredText(options: TextOptions): PropertyDecorator {
  return applyDecorators(
    Required(),
    ...textFaults(options.max),
    ApiProperty({ ...documentation(options), minLength: 1 }),
  );
}

/** A text that may be left out, be `null` or be blank. */
export function OptionalText(options: TextOptions): PropertyDecorator {
  return applyDecorators(
    Optional(),
    ...textFaults(options.max),
    ApiPropertyOptional({ ...documentation(options), nullable: true }),
  );
}

function textFaults(max: number): PropertyDecorator[] {
  return [
    Fault('wrong_type', 'must be a string', (value) => typeof value === 'string'),
    Fault('invalid_text', 'must not contain NUL or half of a surrogate pair', (value) =>
      isStorableText(value as string),
    ),
    Fault('too_long', `must have at most ${max} characters`, (value) => lengthOf(value as string) <= max),
  ];
}

function documentation({ max, ...rest }: TextOptions) {
  return { ...rest, type: String, maxLength: max };
}
