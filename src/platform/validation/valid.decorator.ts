import { type ArgumentMetadata, Query, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { LRUCache } from 'lru-cache';
import { type FieldError, validationFailed } from '../errors/domain-error.js';
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

/** How many queries are kept of a class, and how long they may be. */
const MOST_KEPT = 500;
const LONGEST_KEPT = 300;

/**
 * For queries that many ask again and again, word for word, such as the pages of a list: to make and check an object takes longer than everything else
 * that is done for a page. What a class makes of a query depends on nothing else, and nobody can change what is kept.
 */
class KeepingPipe extends RequestPipe {
  private readonly kept = new LRUCache<string, Promise<unknown>>({ max: MOST_KEPT });

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const text = JSON.stringify(value);
    const known = this.kept.get(text);
    if (known) return known;
    const made = super.transform(value, metadata);
    if (text.length > LONGEST_KEPT) return made;
    return made.then((query) => {
      this.kept.set(text, Promise.resolve(Object.freeze(query)));
      return query;
    });
  }
}

const pipe = new RequestPipe();

/**
 * The query of the address, checked by its class. It brings the pipe along, as the body does, because a global one would run on every
 * other parameter as well, for nothing: five promises for each, a third of the time that a stock check takes.
 */
export const ValidQuery = (): ParameterDecorator => queryBy(pipe);

/** The same of a query that is often repeated, and holds no secret. */
export const RepeatedQuery = (): ParameterDecorator => queryBy(new KeepingPipe());

function queryBy(check: RequestPipe): ParameterDecorator {
  return (target, handler, index) => {
    takesQuery(target, handler, index);
    Query(check)(target, handler, index);
  };
}

/** What class-validator itself says of an element that is no object. */
const NOT_AN_OBJECT = 'nestedValidation';

function fieldErrors(error: ValidationError, parent: string): FieldError[] {
  const field = pathOf(error.property, parent);
  const [fault] = Object.entries(error.constraints ?? {}).filter(([code]) => code !== NOT_AN_OBJECT);
  if (fault) return [{ field, code: fault[0], message: fault[1] }];
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
