import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { DomainError } from '../errors/domain-error.js';
import { snakeCase } from '../snake-case.js';
import type { DescribedField } from './described-field.js';
import { Fault, Required } from './fault-decorator.js';
import { Transform } from './named-fields.js';

interface ReadField extends DescribedField {
  /** Parses a text, or refuses it. */
  read(text: string): unknown;
}

interface RecordFieldsOptions<Name extends string> {
  examples?: Partial<Record<Name, string>>;
  isRequired?: true;
}

/**
 * Adds the fields of a record to a body, each as the text that a person types, or a number. Null or an empty
 * text removes the value.
 */
export function RecordFields<Name extends string>(
  fields: Readonly<Record<Name, ReadField>>,
  names: readonly Name[],
  { examples = {}, isRequired }: RecordFieldsOptions<Name> = {},
): ClassDecorator {
  return ({ prototype }) => {
    for (const name of names) {
      const field = fields[name];
      const example = examples[name] ?? field.options?.find(({ value }) => value !== '')?.value;
      recordField(field, example, isRequired)(prototype as object, snakeCase(name));
    }
  };
}

/** Readers also accept other spellings, so the values are no enumeration. */
const MAX_NAMED_VALUES = 10;

function recordField(field: ReadField, example = '', isRequired = false): PropertyDecorator {
  const { label, hint, maxLength, options = [] } = field;
  const values = options.flatMap(({ value }) => value || []);
  const choices = values.length > 0 && values.length <= MAX_NAMED_VALUES && `One of ${values.join(', ')}.`;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'number' ? String(value) : value)),
    ...(isRequired ? [Required()] : [emptyIfNull, ValidateIf((_, value) => value !== undefined)]),
    Fault('wrong_type', 'must be a string or a number', (value) => typeof value === 'string'),
    Fault(
      'invalid_value',
      (value) => refusalOf(field, value)!,
      (value) => refusalOf(field, value) === undefined,
    ),
    ApiProperty({
      description: [`${label}.`, hint, choices].filter(Boolean).join(' '),
      type: String,
      required: isRequired,
      ...(isRequired ? {} : { nullable: true }),
      maxLength,
      example,
    }),
  );
}

const emptyIfNull = Transform(({ value }: { value: unknown }) => (value === null ? '' : value));

/** The words of the field's own reader. */
function refusalOf(field: ReadField, value: unknown): string | undefined {
  try {
    field.read(value as string);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
