import {
  type ArgumentMetadata,
  createParamDecorator,
  type ExecutionContext,
  Query,
  type Type,
  ValidationPipe,
} from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { ValidationError } from 'class-validator';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { type DomainError, type FieldError, validationFailed } from '../errors/domain-error.js';
import { faultIn } from './fault-decorator.js';
import { takesQuery } from './ignored-parameters.js';
import { copyNamedFields, namedFieldsOf } from './named-fields.js';
import { misspeltParameters, readQuery } from './read-query.js';

/**
 * Checks every request class. All faults are reported at once, one for each field. Unknown fields are dropped
 * first. A request without a query always gives the same object, so it is made once.
 */
export class RequestPipe extends ValidationPipe {
  private readonly emptyQueries = new Map<unknown, Promise<unknown>>();

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
    if (Object.keys(named).length > 0) return super.transform(named, metadata);
    let cached = this.emptyQueries.get(metatype);
    if (!cached) this.emptyQueries.set(metatype, (cached = super.transform(named, metadata)));
    return cached;
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

/** The cache of each parameter: the number of its queries, and the maximum length of their URLs. */
const MAX_CACHED_QUERIES = 500;
const MAX_CACHED_URL_LENGTH = 300;

/**
 * Like `ValidQuery`, for queries that clients repeat word for word, such as pages of a list, and that hold no
 * secret. The checked object is kept by its text and never changed: making it takes longer than the rest of a
 * page. No pipe, because a pipe costs seven promises.
 */
export const RepeatedQuery = (): ParameterDecorator => (target, handler, index) => {
  const cache = new LRUCache<string, object>({ max: MAX_CACHED_QUERIES });
  const metatype = (Reflect.getMetadata('design:paramtypes', target, handler!) as Type[])[index]!;
  const read = async ({ url, query }: Request) => {
    const made = (await pipe.transform(query, { type: 'query', metatype })) as object;
    if (url.length <= MAX_CACHED_URL_LENGTH) cache.set(url, Object.freeze(made));
    return made;
  };
  takesQuery(target, handler, index);
  // For the docs, which know only Nest's own parameters.
  ApiQuery({ type: metatype })(target, handler!, Object.getOwnPropertyDescriptor(target, handler!)!);
  createParamDecorator((_: unknown, context: ExecutionContext) => {
    const request = context.switchToHttp().getRequest<Request>();
    return cache.get(request.url) ?? read(request);
  })()(target, handler, index);
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
