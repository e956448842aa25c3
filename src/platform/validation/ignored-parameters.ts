import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiRequest } from '../http/api-request.js';
import { namedFieldsOf } from './named-fields.js';

export const IGNORED_PARAMETERS_HEADER = 'X-Ignored-Parameters';

/** Limits the report for one request. */
const MOST_TOLD = 10;
const LONGEST_TOLD = 64;

/** The index of the handler's parameter that takes the query. */
const QUERY = Symbol('the place of the query');

const NONE: ReadonlySet<string> = new Set();

/** Marks the parameter that takes the query. Without it, a handler takes no query parameters. */
export function takesQuery(target: object, handler: string | symbol | undefined, index: number): void {
  Reflect.defineMetadata(QUERY, index, target, handler!);
}

/**
 * Names unknown query parameters in a header: a misspelt one is no error, but its sender should learn of it.
 * It runs as a guard after the access guard: for requests without a query, a guard costs only the call.
 */
@Injectable()
export class IgnoredParameters implements CanActivate {
  private readonly known = new WeakMap<object, ReadonlySet<string>>();

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const { originalUrl, caller } = request;
    const start = originalUrl.indexOf('?');
    if (start < 0 || caller === undefined) return true;
    request.knownParameters = this.knownTo(context);
    const ignored = unknownIn(originalUrl.slice(start + 1), request.knownParameters);
    if (ignored.size > 0)
      http.getResponse<Response>().setHeader(IGNORED_PARAMETERS_HEADER, [...ignored].join(', '));
    return true;
  }

  private knownTo(context: ExecutionContext): ReadonlySet<string> {
    const handler = context.getHandler();
    let known = this.known.get(handler);
    if (!known) this.known.set(handler, (known = parametersOf(context.getClass(), handler.name)));
    return known;
  }
}

function parametersOf({ prototype }: Type, handler: string): ReadonlySet<string> {
  const index = Reflect.getMetadata(QUERY, prototype as object, handler) as number | undefined;
  if (index === undefined) return NONE;
  const types = Reflect.getMetadata('design:paramtypes', prototype as object, handler) as Type[];
  return new Set(namedFieldsOf(types[index]!).map(({ name }) => name));
}

/** The unknown names, encoded for a header. Most names match as they were sent; only others are decoded. */
function unknownIn(query: string, known: ReadonlySet<string>): Set<string> {
  const ignored = new Set<string>();
  for (const pair of query.split('&', 1_000)) {
    const name = pair.split('=', 1)[0]!;
    if (name === '' || known.has(name)) continue;
    const decoded = decode(name);
    if (!known.has(decoded)) ignored.add(encodeURIComponent(decoded.slice(0, LONGEST_TOLD)));
    if (ignored.size === MOST_TOLD) break;
  }
  return ignored;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).toWellFormed();
  } catch {
    return name;
  }
}
