import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf, ValidateNested } from 'class-validator';
import { Fault, Optional, Required } from './fault-decorator.js';
import { AlsoCalled, FreeKeys, LOST_KEYS, type NestedContext, Transform } from './named-fields.js';
import { isPlainObject } from './plain-object.js';
import { isStorableText, isWithin, lineFault, PLAIN_LINE, PLAIN_LINES } from './texts.js';

interface TextOptions {
  max: number;
  description: string;
  example: string;
  format?: string;
  /** Line breaks and tabs are allowed. */
  lines?: boolean;
  /** Names of other APIs for this field. A request with one gets the right name as a suggestion. */
  alsoCalled?: readonly string[];
  /** Names one thing for ever: surrounding space does not count, and a blank id is refused. */
  isId?: true;
}

/** A required text, with its checks and documentation. */
export function RequiredText(options: TextOptions): PropertyDecorator {
  return applyDecorators(
    ...(options.isId ? [trimmed] : []),
    Required(),
    ...textFaults(options),
    ApiProperty({ ...textSchema(options), minLength: 1 }),
  );
}

/** A text that may be left out, be `null` or, unless it is an id, be blank. */
export function OptionalText(options: TextOptions): PropertyDecorator {
  const { isId } = options;
  return applyDecorators(
    ...(isId ? [trimmed, refuseBlank] : [Optional()]),
    ...textFaults(options),
    ApiPropertyOptional({ ...textSchema(options), ...(isId && { minLength: 1 }), nullable: true }),
  );
}

const trimmed = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.trim() : (value ?? undefined),
);

/** A store that sends an empty id believes that the id protects it. */
const refuseBlank = applyDecorators(
  ValidateIf((_, value) => value !== undefined),
  Fault('required', 'must not be empty; leave it out instead', (value) => value !== ''),
);

function textFaults({ max, lines, alsoCalled = [] }: TextOptions): PropertyDecorator[] {
  const plain = lines ? PLAIN_LINES : PLAIN_LINE;
  return [
    AlsoCalled(alsoCalled),
    Fault('wrong_type', 'must be a string', (value) => typeof value === 'string'),
    Fault('invalid_text', 'must not contain NUL or half of a surrogate pair', (value) =>
      isStorableText(value as string),
    ),
    Fault('invalid_text', plain.fault, (value) => plain.allows(value as string)),
    Fault('too_long', `must have at most ${max} characters`, (value) => isWithin(max, value as string)),
  ];
}

function textSchema({ max, lines: _, alsoCalled: __, isId: ___, ...rest }: TextOptions) {
  return { ...rest, type: String, maxLength: max };
}

export interface WholeNumberOptions {
  min: number;
  max: number;
  description: string;
  example: number;
  alsoCalled?: readonly string[];
}

/** A JSON whole number in a range. Strings are refused. */
export const RequiredWholeNumber = (options: WholeNumberOptions) => wholeNumber(options, Required());

/** The same, if it may be left out. */
export const OptionalWholeNumber = (options: WholeNumberOptions) =>
  wholeNumber(options, Optional(), { required: false });

function wholeNumber(
  options: WholeNumberOptions,
  presence: PropertyDecorator,
  more: { required?: false } = {},
): PropertyDecorator {
  const { min, max, alsoCalled = [], ...documentation } = options;
  return applyDecorators(
    AlsoCalled(alsoCalled),
    presence,
    Fault('wrong_type', 'must be a number', (value) => typeof value === 'number'),
    Fault('not_whole', 'must be a whole number', (value) => Number.isInteger(value)),
    Fault('too_small', `must be at least ${min}`, (value) => (value as number) >= min),
    Fault('too_large', `must be at most ${max}`, (value) => (value as number) <= max),
    ApiProperty({ ...documentation, type: 'integer', minimum: min, maximum: max, ...more }),
  );
}

/** A JSON true or false that may be left out. */
export const OptionalFlag = (description: string): PropertyDecorator =>
  applyDecorators(
    Optional(),
    Fault('wrong_type', 'must be true or false', (value) => typeof value === 'boolean'),
    ApiPropertyOptional({ description, type: Boolean, example: true }),
  );

interface AmountOptions {
  max: number;
  description: string;
  example: number;
}

/** A number that prints with more than two decimals or an exponent is not an amount. */
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

interface FreeTextsOptions {
  /** `total` counts all keys and values together. */
  limits: { entries: number; key: number; value: number; total: number };
  description: string;
  example: Record<string, string>;
  alsoCalled: readonly string[];
}

/** Texts under keys that the sender chooses. They may be left out or be empty. */
export function OptionalFreeTexts(options: FreeTextsOptions): PropertyDecorator {
  const { limits, alsoCalled, ...documentation } = options;
  return applyDecorators(
    Transform(({ value }) => (isPlainObject(value) && keysOf(value).length === 0 ? undefined : value)),
    Optional(),
    FreeKeys(limits.entries),
    AlsoCalled(alsoCalled),
    Fault('wrong_type', 'must be an object', isPlainObject),
    Fault(
      'too_many',
      `must have at most ${limits.entries} keys`,
      (value) => keysOf(value).length <= limits.entries,
    ),
    Fault(
      'malformed',
      `must have keys of one line and 1 to ${limits.key} characters, other than ${LOST_KEYS.join(', ')}`,
      (value) => keysOf(value).every((key) => lineFault(key, limits.key) === undefined),
    ),
    EachText('wrong_type', 'must be a string', (value) => typeof value === 'string'),
    EachText('invalid_text', 'must not contain NUL or half of a surrogate pair', (value) =>
      isStorableText(value as string),
    ),
    EachText('invalid_text', PLAIN_LINES.fault, (value) => PLAIN_LINES.allows(value as string)),
    EachText('too_long', `must have at most ${limits.value} characters`, (value) =>
      isWithin(limits.value, value as string),
    ),
    Fault('too_long', `must have at most ${limits.total} characters in keys and values together`, (value) =>
      isWithin(
        limits.total,
        Object.entries(value as object)
          .flat()
          .join(''),
      ),
    ),
    ApiPropertyOptional({
      ...documentation,
      type: 'object',
      additionalProperties: { type: 'string', maxLength: limits.value },
      maxProperties: limits.entries,
      nullable: true,
    }),
  );
}

const keysOf = (value: unknown) => Object.keys(value as object);

/** The message names the first key whose value does not pass. */
function EachText(code: string, fault: string, passes: (value: unknown) => boolean): PropertyDecorator {
  const firstFailing = (value: unknown) =>
    Object.entries(value as object).find(([, text]: [string, unknown]) => !passes(text))?.[0];
  return Fault(
    code,
    (value) => `"${firstFailing(value)}" ${fault}`,
    (value) => firstFailing(value) === undefined,
  );
}

interface NestedOptions {
  description: string;
  optional?: boolean;
}

interface ListOptions {
  description: string;
  min: number;
  max: number;
}

/** An object with fields of its own. `ValidateNested` alone would accept an array. */
export function Nested(type: () => Class, { description, optional }: NestedOptions): PropertyDecorator {
  return applyDecorators(
    optional ? Optional() : Required(),
    Fault('wrong_type', 'must be an object', isPlainObject),
    ValidateNested({ context: { type } satisfies NestedContext }),
    ApiProperty({ type: () => type(), description, required: !optional }),
  );
}

export function NestedList(
  type: () => Class,
  { description, min, max, optional = false }: ListOptions & { optional?: boolean },
): PropertyDecorator {
  return applyDecorators(
    refuseOddElements,
    optional ? Optional() : Required(),
    Fault('wrong_type', 'must be an array', Array.isArray),
    Fault(
      'too_few',
      `must have at least ${min} ${min === 1 ? 'entry' : 'entries'}`,
      (value) => (value as unknown[]).length >= min,
    ),
    Fault('too_many', `must have at most ${max} entries`, (value) => (value as unknown[]).length <= max),
    ValidateNested({ context: { type, maxEntries: max } satisfies NestedContext }),
    ApiProperty({ type: () => [type()], description, minItems: min, maxItems: max, required: !optional }),
  );
}

/** `ValidateNested` accepts `null` and arrays as elements, but not `false`. */
const refuseOddElements = Transform(({ value }: { value: unknown }) =>
  Array.isArray(value) ? value.map((element: unknown) => (isPlainObject(element) ? element : false)) : value,
);
