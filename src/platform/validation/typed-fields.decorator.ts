import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { DomainError } from '../errors/domain-error.js';
import { isDay, parseDay, parseEnd, parseInstant, parseMonth, type TimeZone } from '../time/time.js';
import { Fault, Optional, Required } from './fault-decorator.js';
import { IsListParameter, Transform } from './named-fields.js';
import { lineFault, optionalLineFault } from './texts.js';

/** Fields of a body or parameters of a query of the admin API. */

interface ChoiceOptions {
  description: string;
  /** The name of the schema, if several routes have these values. */
  enumName?: string;
}

/** One of these words. It may be left out. */
export const OptionalChoice = (values: readonly string[], documentation: string | ChoiceOptions) =>
  choice(values, documentation, false);

export const RequiredChoice = (values: readonly string[], documentation: string | ChoiceOptions) =>
  choice(values, documentation, true);

function choice(
  values: readonly string[],
  documentation: string | ChoiceOptions,
  required: boolean,
): PropertyDecorator {
  const options = typeof documentation === 'string' ? { description: documentation } : documentation;
  return applyDecorators(
    required ? Required() : Optional(),
    Fault('unknown_value', `must be one of ${values.join(', ')}`, (value) =>
      values.includes(value as string),
    ),
    ApiProperty({ ...options, enum: [...values], required, example: values[0] } as ApiPropertyOptions),
  );
}

interface TimeOptions {
  description: string;
  example: string;
}

/** An earlier time is a mistake, and PostgreSQL has no year 0. */
const FIRST_YEAR = '1900';

/** An ISO 8601 date or time. `readStart` or `readEnd` reads it. */
export const OptionalTime = (options: TimeOptions) => time(options, false);

export const RequiredTime = (options: TimeOptions) => time(options, true);

function time({ description, example }: TimeOptions, required: boolean): PropertyDecorator {
  return applyDecorators(
    required ? Required() : ValidateIf((_, value) => value !== undefined && value !== null),
    Fault(
      'malformed',
      'must be an ISO 8601 date or time, such as 2026-01-31 or 2026-01-31T18:00Z; in a URL, write + as %2B',
      (value) =>
        typeof value === 'string' && value.trim() >= FIRST_YEAR && parseInstant(value, 'UTC') !== null,
    ),
    ApiProperty({ description, type: String, required, example }),
  );
}

/** The first moment of a bare date in this zone, or the time. */
export const readStart = (text: string | undefined, zone: TimeZone): Date | undefined =>
  text === undefined ? undefined : parseInstant(text, zone)!;

/** The same for the end of a period: a bare date includes that day. */
export const readEnd = (text: string | undefined, zone: TimeZone): Date | undefined =>
  text === undefined ? undefined : parseEnd(text, zone)!;

/** The start of a period. A bare date is a day of the wholesaler. */
export const OptionalStart = (description: string, example = '2026-11-01') =>
  OptionalTime({ description: `${description} A bare date is a day of yours.`, example });

/** The end of a period. */
export const OptionalEnd = (description: string, example = '2026-11-30') =>
  OptionalTime({ description: `${description} A bare date includes that day of yours.`, example });

interface TextsOptions {
  max: number;
  maxLength: number;
  description: string;
  example: string[];
}

/** A list of texts that may be left out. */
export function OptionalTexts({ max, maxLength, description, example }: TextsOptions): PropertyDecorator {
  const isText = (value: unknown) =>
    typeof value === 'string' && value !== '' && optionalLineFault(value, maxLength) === undefined;
  return applyDecorators(
    Optional(),
    Fault('wrong_type', 'must be an array', Array.isArray),
    Fault('too_few', 'must have at least 1 entry', (value) => (value as unknown[]).length > 0),
    Fault('too_many', `must have at most ${max} entries`, (value) => (value as unknown[]).length <= max),
    Fault('wrong_type', `must have texts of 1 to ${maxLength} characters`, (value) =>
      (value as unknown[]).every(isText),
    ),
    ApiProperty({ description, type: [String], required: false, minItems: 1, maxItems: max, example }),
  );
}

interface Documentation {
  description: string;
  example: string;
}

/** The handler gets the text as it was sent. */
const isBare = (value: unknown): value is string => typeof value === 'string' && value === value.trim();

/** A text that may be left out, in a form that a function reads. */
function optionalParsed(
  parse: (text: string) => unknown,
  fault: string,
  documentation: Documentation & { format?: string },
): PropertyDecorator {
  return applyDecorators(
    Optional(),
    Fault('malformed', fault, (value) => isBare(value) && (parse(value) ?? null) !== null),
    ApiPropertyOptional({ ...documentation, type: String }),
  );
}

/** Bare dates are days of the wholesaler, as in the reports and in the commands. */
export const readPeriodOf = (
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timeZone: TimeZone,
): { from?: Date; to?: Date } => ({
  ...(from !== undefined && { from: readStart(from, timeZone) }),
  ...(to !== undefined && { to: readEnd(to, timeZone) }),
});

export const OptionalDay = (description: string) =>
  optionalParsed(
    (text) => (isDay(text.trim()) && text.trim() >= FIRST_YEAR ? parseDay(text) : undefined),
    'must be a day, such as 2026-01-31',
    {
      description,
      format: 'date',
      example: '2026-11-30',
    },
  );

export const OptionalMonth = (description: string) =>
  optionalParsed(parseMonth, 'must be a month, such as 2026-01', { description, example: '2026-11' });

/** A period that must be given: the function reads it. */
export const RequiredPeriod = (
  parse: (text: string) => string | undefined,
  fault: string,
  documentation: Documentation,
) =>
  applyDecorators(
    Required(),
    Fault('malformed', fault, (value) => isBare(value) && parse(value) !== undefined),
    ApiProperty(documentation),
  );

export const RequiredMonth = (description: string) =>
  RequiredPeriod(parseMonth, 'must be a month, such as 2026-01', { description, example: '2026-11' });

interface ReadOptions extends Documentation {
  /** The function of the module that reads it, and throws what is wrong. */
  read: (text: string) => unknown;
}

/** A text that a function of the module reads. */
export const RequiredRead = ({ read, ...documentation }: ReadOptions) =>
  applyDecorators(Required(), IS_TEXT, isRead(read), ApiProperty({ ...documentation, type: String }));

export const OptionalRead = ({ read, ...documentation }: ReadOptions) =>
  applyDecorators(Optional(), IS_TEXT, isRead(read), ApiPropertyOptional({ ...documentation, type: String }));

const AMOUNT_TYPES = { oneOf: [{ type: 'string' }, { type: 'number' }] };

/** An amount as a JSON number or a text such as "100.00". */
export const RequiredAmount = ({ read, ...documentation }: ReadOptions) =>
  applyDecorators(
    Required(),
    numberToText,
    IS_AMOUNT,
    isRead(read),
    ApiProperty({ ...documentation, ...AMOUNT_TYPES }),
  );

/** The same, if it may be left out. */
export const OptionalReadAmount = ({ read, ...documentation }: ReadOptions) =>
  applyDecorators(
    Optional(),
    numberToText,
    IS_AMOUNT,
    isRead(read),
    ApiPropertyOptional({ ...documentation, ...AMOUNT_TYPES }),
  );

const IS_TEXT = Fault('wrong_type', 'must be a string', (value) => typeof value === 'string');

const IS_AMOUNT = Fault(
  'wrong_type',
  'must be a number, or a text such as "100.00"',
  (value) => typeof value === 'string',
);

const numberToText = Transform(({ value }: { value: unknown }) =>
  typeof value === 'number' ? String(value) : value,
);

const isRead = (read: ReadOptions['read']) =>
  Fault(
    'invalid_value',
    (value) => faultOf(read, value as string)!,
    (value) => faultOf(read, value as string) === undefined,
  );

function faultOf(read: ReadOptions['read'], text: string): string | undefined {
  try {
    read(text);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

/** A list of texts of one line. */
export const RequiredTexts = (options: {
  description: string;
  example: string[];
  max: number;
  maxText: number;
}) =>
  applyDecorators(
    Required(),
    Fault('wrong_type', 'must be an array', Array.isArray),
    Fault('too_few', 'must have at least 1 entry', (value) => (value as unknown[]).length > 0),
    Fault(
      'too_many',
      `must have at most ${options.max} entries`,
      (value) => (value as unknown[]).length <= options.max,
    ),
    Fault('malformed', `must have texts of one line, with 1 to ${options.maxText} characters`, (value) =>
      (value as unknown[]).every(
        (one) => typeof one === 'string' && lineFault(one, options.maxText) === undefined,
      ),
    ),
    ApiProperty({
      description: options.description,
      example: options.example,
      type: [String],
      minItems: 1,
      maxItems: options.max,
    }),
  );

/** A text that may be left out, or be `null` or empty: then the old value is removed. */
export const ClearableText = (documentation: Documentation) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => value ?? ''),
    Fault('wrong_type', 'must be a string', (value) => value === undefined || typeof value === 'string'),
    Fault('too_long', 'must have at most 200 characters', (value) => ((value as string) ?? '').length <= 200),
    ApiPropertyOptional({ ...documentation, type: String, nullable: true, maxLength: 200 }),
  );

const UNREADABLE = Symbol('unreadable');

interface ReadTextOptions<Value> {
  /** Undefined for a text that cannot be read. */
  read: (text: string) => Value | undefined;
  /** The rest of the sentence "must be …". */
  mustBe: string;
  description: string;
  example: ApiPropertyOptions['example'];
  isRequired?: true;
  /** As documented: a number is read as its text. */
  type?: NumberConstructor;
}

/** A text, or a number of a body, that a function reads. Unless it is required, it may be left out. */
export function ReadText<Value>({ read, mustBe, isRequired, ...documentation }: ReadTextOptions<Value>) {
  const readText = ({ value }: { value: unknown }) => {
    if (value === undefined || value === null || value === '') return undefined;
    const isText = typeof value === 'string' || typeof value === 'number';
    return isText ? (read(String(value)) ?? UNREADABLE) : UNREADABLE;
  };
  return applyDecorators(
    Transform(readText),
    isRequired ? Required() : Optional(),
    Fault('malformed', `must be ${mustBe}`, (value) => value !== UNREADABLE),
    ApiProperty({ type: String, ...documentation, required: isRequired ?? false } as ApiPropertyOptions),
  );
}

interface PairOptions {
  read: (text: string) => [name: string, value: string] | undefined;
  mustBe: string;
  description: string;
  example: string[];
}

/** A parameter that may be repeated. Each one names a value; the handler gets an object. */
export function OptionalPairs({ read, mustBe, ...documentation }: PairOptions): PropertyDecorator {
  const readPairs = ({ value }: { value: string | string[] }) => {
    const pairs = [value].flat().map(read);
    return pairs.includes(undefined) ? UNREADABLE : Object.fromEntries(pairs as [string, string][]);
  };
  return applyDecorators(
    IsListParameter(),
    Transform(readPairs),
    Optional(),
    Fault('malformed', `must look like ${mustBe}`, (value) => value !== UNREADABLE),
    ApiPropertyOptional({ ...documentation, type: [String], style: 'form', explode: true } as never),
  );
}
