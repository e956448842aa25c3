import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { ApiPropertyOptional } from '@nestjs/swagger';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { type DomainError, validationFailed } from '../errors/domain-error.js';
import { type ApiRequest, type CheckedQuery, isRead } from '../http/api-request.js';
import { type NamedField, namedFieldsOf } from './named-fields.js';
import { unknownNameFault } from './ignored-fields.js';
import { editsTo, nearestTo } from './similar-names.js';
import { decodeName, pairsOf, parameterOf } from './read-query.js';
import { trialFaults } from './trials.js';

export const IGNORED_PARAMETERS_HEADER = 'X-Ignored-Parameters';

/** Limits the report for one request. */
const MAX_REPORTED = 10;
const MAX_REPORTED_LENGTH = 64;

/** By route and text: polls repeat their query word for word. A query that was refused is checked again. */
const CHECKED = new LRUCache<string, CheckedQuery>({ max: 1_000 });
const MAX_KEPT_LENGTH = 300;

/** The index of the handler's parameter that takes the query. */
const QUERY = Symbol('the index of the query');

/** The handlers that take a query. */
const LISTS: { prototype: object; handler: string | symbol }[] = [];

/** Marks the parameter that takes the query. Without it, a handler takes no query parameters. */
export function takesQuery(prototype: object, handler: string | symbol, index: number): void {
  Reflect.defineMetadata(QUERY, index, prototype, handler);
  LISTS.push({ prototype, handler });
}

/** The lists of stores that have this parameter: "GET /api/stock". */
export function listsWith(parameter: string): string[] {
  return LISTS.filter(({ prototype, handler }) =>
    parametersOf(prototype, handler)?.some(({ name }) => name === parameter),
  )
    .map(({ prototype, handler }) => {
      const method = (prototype as Record<string | symbol, object>)[handler]!;
      const parts = [prototype.constructor, method].map(
        (owner) => Reflect.getMetadata(PATH_METADATA, owner) as string,
      );
      return `GET /${parts.filter((part) => part !== '/').join('/')}`;
    })
    .filter((list) => !list.startsWith('GET /api/admin/'));
}

/**
 * Names unknown query parameters in a header, and in the body of a list: an unknown one is no error, but its
 * sender should learn of it. A trial of a write is refused. It runs as a guard after the access guard: for
 * requests without a query, a guard costs only the call.
 */
@Injectable()
export class IgnoredParameters implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const { originalUrl, caller, adminKey } = request;
    const start = originalUrl.indexOf('?');
    if (start < 0 || (caller ?? adminKey) === undefined) return true;
    const { ignored } = (request.checkedQuery = queryOf(context, originalUrl.slice(start + 1)));
    if (adminKey && ignored.length > 0) throw unknownParameters(ignored, context);
    const asked = isRead(request) || adminKey ? [] : trialFaults(request.query);
    if (asked.length > 0) throw validationFailed(asked);
    if (ignored.length === 0) return true;
    http
      .getResponse<Response>()
      .setHeader(IGNORED_PARAMETERS_HEADER, ignored.map((name) => encodeURIComponent(name)).join(', '));
    return true;
  }
}

/** The wholesaler's programs get an error for each name that means nothing. */
function unknownParameters(names: readonly string[], context: ExecutionContext): DomainError {
  const known = parametersOf(...handlerOf(context)) ?? [];
  const meantBy = (sent: string) => nearestTo(known, ({ name }) => editsTo(name, sent))?.name;
  return validationFailed(names.map((sent) => unknownNameFault(sent, meantBy(sent), known)));
}

const handlerOf = (context: ExecutionContext): [prototype: object, handler: string] => [
  context.getClass().prototype as object,
  context.getHandler().name,
];

function queryOf(context: ExecutionContext, text: string): CheckedQuery {
  const [prototype, handler] = handlerOf(context);
  const key = `${prototype.constructor.name} ${handler}?${text}`;
  const kept = CHECKED.get(key);
  if (kept) return kept;
  const parameters = parametersOf(prototype, handler);
  const query = { text, ...partitionParameters(text, parameters ?? []), isOfList: parameters !== undefined };
  if (text.length <= MAX_KEPT_LENGTH) CHECKED.set(key, query);
  return query;
}

/** Undefined for a handler without a query. */
export function queryTypeOf(prototype: object, handler: string | symbol): Type | undefined {
  const index = Reflect.getMetadata(QUERY, prototype, handler) as number | undefined;
  if (index === undefined) return undefined;
  return (Reflect.getMetadata('design:paramtypes', prototype, handler) as Type[])[index];
}

/** Undefined for a handler without a query. */
function parametersOf(prototype: object, handler: string | symbol): readonly NamedField[] | undefined {
  const type = queryTypeOf(prototype, handler);
  return type && namedFieldsOf(type);
}

/** The known parameters of the query, and the unknown names. */
function partitionParameters(query: string, parameters: readonly NamedField[]) {
  const known = new Set<string>();
  const ignored = new Set<string>();
  for (const [sent] of pairsOf(query)) {
    // Most names match as they were sent; only others are decoded.
    const name = parameterOf(sent, parameters) ?? parameterOf(decodeName(sent), parameters);
    if (name !== undefined) known.add(name);
    else if (sent !== '' && ignored.size < MAX_REPORTED)
      ignored.add(decodeName(sent).slice(0, MAX_REPORTED_LENGTH).toWellFormed());
  }
  return { known, ignored: [...ignored] };
}

/** The names in the body of a list, so that they are seen where the list is read. */
export const IgnoredParametersField = () =>
  ApiPropertyOptional({
    description: 'Query parameters that were ignored. Only if there are any; the first 10.',
    type: [String],
    example: ['brand'],
  });
