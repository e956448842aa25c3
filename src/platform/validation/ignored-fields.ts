import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { FieldError } from '../errors/domain-error.js';
import type { ApiRequest } from '../http/api-request.js';
import { editsTo, nearestTo } from './similar-names.js';
import { type NamedField, namedFieldsOf } from './named-fields.js';
import { isPlainObject } from './plain-object.js';

/** Limits the report for one body, so that unknown fields cannot make a large answer. */
const MAX_REPORTED = 20;
const MAX_REPORTED_LENGTH = 64;

@ApiSchema({ name: 'IgnoredField' })
export class IgnoredField {
  @ApiProperty({
    description: 'The field, as a path into the body; in a list, that of the first entry that has it.',
    example: 'storeOrderId',
  })
  field: string;

  @ApiPropertyOptional({
    description: 'The field that was probably meant: a missing field with a similar name.',
    example: 'store_order_id',
  })
  meant?: string;
}

/** The fields of a body that its class does not have, each once for a whole list. A 422 reports them too. */
export const IgnoredFields = createParamDecorator((type: Type, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<ApiRequest>();
  return (request.ignoredFields = ignoredFields(request.body, type));
});

/** Without ignored fields the answer is unchanged, to the byte. */
export function withIgnoredFields<Answer extends object>(
  answer: Answer,
  ignored: readonly IgnoredField[],
): Answer & { ignored_fields?: IgnoredField[] } {
  return ignored.length === 0 ? answer : { ...answer, ignored_fields: [...ignored] };
}

/** The fields of a body that its class does not have. */
export const ignoredFields = (body: unknown, type: Type): IgnoredField[] =>
  unknownFields(body, type).map(({ siblings: _, ...field }) => field);

/** The same for the wholesaler's programs, for which an unknown name is a fault. */
export const unknownFieldFaults = (body: unknown, type: Type): FieldError[] =>
  unknownFields(body, type).map(({ field, meant, siblings }) => unknownNameFault(field, meant, siblings));

export function unknownNameFault(
  field: string,
  meant: string | undefined,
  known: readonly Pick<NamedField, 'name'>[],
): FieldError {
  const names = known.map(({ name }) => name).join(', ');
  const others = names === '' ? 'there are no parameters here' : `these are known: ${names}`;
  const message = `is unknown; ${meant === undefined ? others : `did you mean "${meant}"?`}`;
  return { field, code: 'unknown_parameter', message, ...(meant !== undefined && { meant }) };
}

interface UnknownField extends IgnoredField {
  /** The fields that its object has. */
  siblings: readonly NamedField[];
}

function unknownFields(body: unknown, type: Type): UnknownField[] {
  const found = new Map<string, UnknownField>();
  collect(body, type, '', found);
  return [...found.values()];
}

function collect(value: unknown, type: Type, parent: string, found: Map<string, UnknownField>): void {
  if (!isPlainObject(value)) return;
  const named = namedFieldsOf(type);
  for (const name of Object.keys(value)) {
    if (found.size === MAX_REPORTED) return;
    const field = named.find((one) => one.name === name);
    if (field) descend(value[name], field, parent + name, found);
    else note(name, value, named, parent, found);
  }
}

function descend(
  value: unknown,
  { nested }: NamedField,
  path: string,
  found: Map<string, UnknownField>,
): void {
  if (!nested) return;
  if (!Array.isArray(value)) return collect(value, nested.type(), `${path}.`, found);
  for (const [index, element] of value.entries())
    collect(element, nested.type(), `${path}[${index}].`, found);
}

function note(
  name: string,
  siblings: Record<string, unknown>,
  named: readonly NamedField[],
  parent: string,
  found: Map<string, UnknownField>,
): void {
  const field =
    parent + (name.length > MAX_REPORTED_LENGTH ? `${name.slice(0, MAX_REPORTED_LENGTH)}…` : name);
  // The lines of an order share their mistakes: the first one is reported.
  const key = field.replaceAll(/\[\d+\]/g, '[]');
  if (found.has(key)) return;
  const meant = name.length > MAX_REPORTED_LENGTH ? undefined : suggestionFor(name, siblings, named);
  found.set(key, { field, siblings: named, ...(meant !== undefined && { meant: parent + meant }) });
}

function suggestionFor(
  name: string,
  siblings: Record<string, unknown>,
  named: readonly NamedField[],
): string | undefined {
  const missing = named.filter(
    ({ name: known }) => !Object.hasOwn(siblings, known) || siblings[known] === null,
  );
  const called = missing.find(({ alsoCalled }) => alsoCalled.some((other) => editsTo(other, name) === 0));
  return (called ?? nearestTo(missing, (one) => editsTo(one.name, name)))?.name;
}
