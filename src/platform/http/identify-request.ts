import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Response } from 'express';
import { DomainError } from '../errors/domain-error.js';
import type { ApiRequest } from './api-request.js';

const WELL_FORMED = /^[\w.-]{8,64}$/;

/** The first thing that happens to a request. */
export function identifyRequest(request: ApiRequest, response: Response, next: NextFunction): void {
  request.id = requestId(request);
  response.setHeader('X-Request-Id', request.id);
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw new DomainError('malformed_request', 'A request of HTTP/1.1 names its Host.');
  }
  // Express would refuse such a path while it looks for the route, which is before the access check. No route takes this one.
  if (request.url.includes('%') && !isDecodable(request.path)) request.url = '/api/undecodable';
  next();
}

/** Every answer names its request. A well-formed id of the caller's is kept, so that its logs and ours can be joined. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}

export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
