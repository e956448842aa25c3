import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Fault, Optional, Required } from './fault-decorator.js';
import { PLAIN_LINE, PLAIN_LINES } from './plain-text.js';
import { isStorableText, isWithin } from './storable-text.js';

interface TextOptions {
  max: number;
  description: string;
  example: string;
  format?: string;
  /** Line breaks and tabs are fine. */
  lines?: boolean;
}

/** A text that must be there, checked and documented in one. */
export function RequiredText(options: TextOptions): PropertyDecorator {
  return applyDecorators(
    Required(),
    ...textFaults(options),
    ApiProperty({ ...documentation(options), minLength: 1 }),
  );
}

/** A text that may be left out, be `null` or be blank. */
export function OptionalText(options: TextOptions): PropertyDecorator {
  return applyDecorators(
    Optional(),
    ...textFaults(options),
    ApiPropertyOptional({ ...documentation(options), nullable: true }),
  );
}

function textFaults({ max, lines }: TextOptions): PropertyDecorator[] {
  const plain = lines ? PLAIN_LINES : PLAIN_LINE;
  return [
    Fault('wrong_type', 'must be a string', (value) => typeof value === 'string'),
    Fault('invalid_text', 'must not contain NUL or half of a surrogate pair', (value) =>
      isStorableText(value as string),
    ),
    Fault('invalid_text', plain.fault, (value) => plain.allows(value as string)),
    Fault('too_long', `must have at most ${max} characters`, (value) => isWithin(max, value as string)),
  ];
}

function documentation({ max, lines: _, ...rest }: TextOptions) {
  return { ...rest, type: String, maxLength: max };
}
