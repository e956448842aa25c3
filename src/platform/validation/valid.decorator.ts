import {
  type ArgumentMetadata,
  createParamDecorator,
  type ExecutionContext,
  type PipeTransform,
  Query,
  type Type,
} from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import { type FieldError, validationFailed } from '../errors/domain-error.js';
import type { ApiRequest, CheckedQuery } from '../http/api-request.js';
import { faultIn } from './fault-decorator.js';
import { unknownFieldFaults } from './ignored-fields.js';
import { listsWith, queryTypeOf, takesQuery } from './ignored-parameters.js';
import { namedFieldsOf, readNamedFields } from './named-fields.js';
import { isPlainObject } from './plain-object.js';
import { misspeltParameters, type OtherParameters, readQuery } from './read-query.js';
import { trialFaults } from './trials.js';

/** All checks of the fields are ours; class-validator runs them. */
const VALIDATION = {
  stopAtFirstError: true,
  // A class without fields is no mistake.
  forbidUnknownValues: false,
  validationError: { target: false, value: false },
};

/**
 * All faults are reported at once, one for each field. Unknown fields are dropped first.
 */
function checked(sent: object, type: Type<object>, faults: FieldError[]): object {
  const read = readNamedFields(sent, type) as object;
  const errors = validateSync(read, VALIDATION).flatMap((error) => fieldErrors(error, ''));
  if (faults.length + errors.length > 0) throw validationFailed([...faults, ...errors]);
  return read;
}

/** Checks every body with a class. */
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { metatype }: Pick<ArgumentMetadata, 'metatype'>): unknown {
    if (!metatype) return value;
    const sent = isPlainObject(value) ? value : {};
    return checked(sent, metatype, trialFaults(sent));
  }
}

/** The same for the wholesaler's programs: an unknown field is refused. */
export class StrictPipe implements PipeTransform {
  transform(value: unknown, { metatype }: Pick<ArgumentMetadata, 'metatype'>): unknown {
    if (!metatype) return value;
    return checked(isPlainObject(value) ? value : {}, metatype, unknownFieldFaults(value, metatype));
  }
}

/**
 * The query of a route with a token, checked by its class, and frozen, because it is kept. Nest runs a pipe
 * for each request. The advice is for parameters that a list does not have, by their right names.
 */
export const ValidQuery =
  (advice: OtherParameters['advice'] = {}): ParameterDecorator =>
  (target, handler, index) => {
    takesQuery(target, handler!, index);
    const absent: Pick<CheckedQuery, 'text' | 'value'> = { text: '' };
    const valueOf = (_: unknown, context: ExecutionContext): object => {
      const query = context.switchToHttp().getRequest<ApiRequest>().checkedQuery ?? absent;
      if (query.value) return query.value;
      const type = queryTypeOf(target, handler!)!;
      const parameters = namedFieldsOf(type);
      const faults = misspeltParameters(query.text, parameters, { advice, listsWith });
      return (query.value = freeze(checked(readQuery(query.text, parameters), type, faults)));
    };
    // For the documentation.
    Query()(target, handler, index);
    createParamDecorator(valueOf)()(target, handler, index);
  };

function freeze(value: object): object {
  for (const part of Object.values(value)) if (typeof part === 'object' && part) freeze(part as object);
  return Object.freeze(value);
}

function fieldErrors(error: ValidationError, parent: string): FieldError[] {
  const field = pathOf(error.property, parent);
  const fault = faultIn(error.constraints ?? {});
  if (fault) return [{ field, ...fault }];
  // Class-validator's own fault: an element is not an object.
  if (error.constraints) return [{ field, code: 'wrong_type', message: 'must be an object' }];
  return (error.children ?? []).flatMap((child) => fieldErrors(child, field));
}

function pathOf(property: string, parent: string): string {
  if (/^\d+$/.test(property) && parent) return `${parent}[${property}]`;
  return parent ? `${parent}.${property}` : property;
}
