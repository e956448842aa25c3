import { type ArgumentMetadata, Query, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { type DomainError, type FieldError, validationFailed } from '../errors/domain-error.js';
import { faultIn } from './fault-decorator.js';
import { takesQuery } from './ignored-parameters.js';
import { copyNamedFields, namedFieldsOf } from './named-fields.js';
import { misspeltParameters, readQuery } from './read-query.js';

/**
 * Checks every request class. All faults are reported at once, one for each field. Unknown fields are dropped
 * first.
 */
export class RequestPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      stopAtFirstError: true,
      exceptionFactory: (errors) => validationFailed(errors.flatMap((error) => fieldErrors(error, ''))),
    });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (!metatype) return super.transform(value, metadata);
    if (type !== 'query') return super.transform(copyNamedFields(value, metatype), metadata);
    const parameters = namedFieldsOf(metatype);
    const faults = misspeltParameters(value as object, parameters);
    const named = readQuery(value as object, parameters);
    if (faults.length > 0) return this.refuse(faults, named, metadata);
    return super.transform(named, metadata);
  }

  private async refuse(faults: FieldError[], named: object, metadata: ArgumentMetadata): Promise<never> {
    const others = await super.transform(named, metadata).then(
      () => [],
      (error: DomainError) => error.errors ?? [],
    );
    throw validationFailed([...faults, ...others]);
  }
}

const pipe = new RequestPipe();

/**
 * The query, checked by its class. The pipe is local: a global one would run for every other parameter too,
 * which takes a third of the time of a stock check.
 */
export const ValidQuery = (): ParameterDecorator => (target, handler, index) => {
  takesQuery(target, handler, index);
  Query(pipe)(target, handler, index);
};

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
