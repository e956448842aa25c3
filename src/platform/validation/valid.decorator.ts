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
import { type FieldError, validationFailed } from '../errors/domain-error.js';
import { faultIn } from './fault-decorator.js';
import { takesQuery } from './ignored-parameters.js';
import { namedFields } from './named-fields.js';

/**
 * Checks every request class; all faults are told at once, one for each field. It sees nothing but what the class names. Lists are mostly
 * polled without any parameter: what a class makes of that never changes, so it is found out once.
 */
export class RequestPipe extends ValidationPipe {
  private readonly ofEmptyQuery = new Map<unknown, Promise<unknown>>();

  constructor() {
    super({
      transform: true,
      stopAtFirstError: true,
      exceptionFactory: (errors) => validationFailed(errors.flatMap((error) => fieldErrors(error, ''))),
    });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const named = metadata.metatype ? namedFields(value, metadata.metatype) : value;
    if (metadata.type !== 'query' || !isEmpty(named)) return super.transform(named, metadata);
    let known = this.ofEmptyQuery.get(metadata.metatype);
    if (!known) this.ofEmptyQuery.set(metadata.metatype, (known = super.transform(named, metadata)));
    return known;
  }
}

const pipe = new RequestPipe();

/**
 * The query of the address, checked by its class. It brings the pipe along, as the body does, because a global one would run on every
 * other parameter as well, for nothing: five promises for each, a third of the time that a stock check takes.
 */
export const ValidQuery = (): ParameterDecorator => (target, handler, index) => {
  takesQuery(target, handler, index);
  Query(pipe)(target, handler, index);
};

/** How many queries are kept of a parameter, and how long their addresses may be: what is read depends on all of it. */
const MOST_KEPT = 500;
const LONGEST_KEPT = 300;

/**
 * The same of a query that many ask again and again, word for word, such as the pages of a list, and that holds no secret: to read, make and check an
 * object takes longer than everything else that is done for a page. What a class makes of a query depends on nothing else, and nobody can
 * change what is kept. It is no pipe, for which Nest makes seven promises: what is known is there at once.
 */
export const RepeatedQuery = (): ParameterDecorator => (target, handler, index) => {
  const kept = new LRUCache<string, object>({ max: MOST_KEPT });
  const metatype = (Reflect.getMetadata('design:paramtypes', target, handler!) as Type[])[index]!;
  const read = async ({ url, query }: Request) => {
    const made = (await pipe.transform(query, { type: 'query', metatype })) as object;
    if (url.length <= LONGEST_KEPT) kept.set(url, Object.freeze(made));
    return made;
  };
  takesQuery(target, handler, index);
  // For the docs, which know of Nest's own parameters alone.
  ApiQuery({ type: metatype })(target, handler!, Object.getOwnPropertyDescriptor(target, handler!)!);
  createParamDecorator((_: unknown, context: ExecutionContext) => {
    const request = context.switchToHttp().getRequest<Request>();
    return kept.get(request.url) ?? read(request);
  })()(target, handler, index);
};

function fieldErrors(error: ValidationError, parent: string): FieldError[] {
  const field = pathOf(error.property, parent);
  const fault = faultIn(error.constraints ?? {});
  if (fault) return [{ field, ...fault }];
  // What class-validator itself has to say: an element is no object.
  if (error.constraints) return [{ field, code: 'wrong_type', message: 'must be an object' }];
  return (error.children ?? []).flatMap((child) => fieldErrors(child, field));
}

function pathOf(property: string, parent: string): string {
  if (/^\d+$/.test(property) && parent) return `${parent}[${property}]`;
  return parent ? `${parent}.${property}` : property;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
