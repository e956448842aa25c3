import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import type { Response } from 'express';
import type { ApiRequest } from '../http/api-request.js';
import { type NamedField, namedFieldsOf } from './named-fields.js';
import { decodeName, pairsOf, parameterOf } from './read-query.js';

export const IGNORED_PARAMETERS_HEADER = 'X-Ignored-Parameters';

/** Limits the report for one request. */
const MAX_REPORTED = 10;
const MAX_REPORTED_LENGTH = 64;

/** The index of the handler's parameter that takes the query. */
const QUERY = Symbol('the index of the query');

/** Marks the parameter that takes the query. Without it, a handler takes no query parameters. */
export function takesQuery(target: object, handler: string | symbol | undefined, index: number): void {
  Reflect.defineMetadata(QUERY, index, target, handler!);
}

/**
 * Names unknown query parameters in a header, and in the body of a list: an unknown one is no error, but its
 * sender should learn of it. It runs as a guard after the access guard: for requests without a query, a guard
 * costs only the call.
 */
@Injectable()
export class IgnoredParameters implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const { originalUrl, caller } = request;
    const start = originalUrl.indexOf('?');
    if (start < 0 || caller === undefined) return true;
    const known = namedParametersOf(context);
    const { given, ignored } = partitionParameters(originalUrl.slice(start + 1), known ?? []);
    request.knownParameters = given;
    if (ignored.length === 0) return true;
    http
      .getResponse<Response>()
      .setHeader(IGNORED_PARAMETERS_HEADER, ignored.map((name) => encodeURIComponent(name)).join(', '));
    // Answers about one thing keep their fields, as the contract has them.
    if (known !== undefined) request.ignoredParameters = ignored;
    return true;
  }
}

/** Undefined for a handler without a query. */
function namedParametersOf(context: ExecutionContext): readonly NamedField[] | undefined {
  const { prototype } = context.getClass();
  const { name: handler } = context.getHandler();
  const index = Reflect.getMetadata(QUERY, prototype as object, handler) as number | undefined;
  if (index === undefined) return undefined;
  const types = Reflect.getMetadata('design:paramtypes', prototype as object, handler) as Type[];
  return namedFieldsOf(types[index]!);
}

/** The known parameters of the query, and the unknown names. */
function partitionParameters(query: string, known: readonly NamedField[]) {
  const given = new Set<string>();
  const ignored = new Set<string>();
  for (const [sent] of pairsOf(query)) {
    // Most names match as they were sent; only others are decoded.
    const name = parameterOf(sent, known) ?? parameterOf(decodeName(sent), known);
    if (name !== undefined) given.add(name);
    else if (sent !== '' && ignored.size < MAX_REPORTED)
      ignored.add(decodeName(sent).slice(0, MAX_REPORTED_LENGTH).toWellFormed());
  }
  return { given, ignored: [...ignored] };
}

/** The names in the body of a list, so that they are seen where the list is read. */
export const IgnoredParametersField = () =>
  ApiPropertyOptional({
    description: 'Query parameters that were ignored. Only if there are any; the first 10.',
    type: [String],
    example: ['brand'],
  });
