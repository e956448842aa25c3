import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Response } from 'express';
import { DomainError } from '../errors/domain-error.js';
import type { ApiRequest } from './api-request.js';
import type { TimedResponse } from './app-messages.js';

const WELL_FORMED = /^[\w.-]{8,64}$/;

/** RFC 3986, 3.2.2, but for the comma: it is what two lines are joined by. */
const HOST = /^[\w.~%!$&'()*+;=:[\]-]*$/;

/** The first thing that happens to a request. */
export function identifyRequest(request: ApiRequest, response: Response, next: NextFunction): void {
  request.id = requestId(request);
  (response as ServerResponse as TimedResponse).requestLines = ['X-Request-Id', request.id];
  checkHost(request);
  if (request.headers.expect !== undefined) checkExpectation(request.headers.expect);
  // Express would refuse such a path while it looks for the route, which is before the access check. No route takes these.
  if (request.url.includes('%') && !isDecodable(request.path))
    request.url = request.url.startsWith('/dashboard/') ? '/dashboard/undecodable' : '/api/undecodable';
  next();
}

/** RFC 9112, 3.2: whoever sees another Host than we do could be sent what is meant for somebody else. */
function checkHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined) {
    if (httpVersion === '1.1')
      throw new DomainError('malformed_request', 'A request of HTTP/1.1 names its Host.');
  } else if (!HOST.test(headers.host)) {
    throw new DomainError('malformed_request', 'A request names its Host once, and nothing else with it.');
  }
}

function checkExpectation(expected: string): void {
  if (expected.toLowerCase() !== '100-continue')
    throw new DomainError('expectation_failed', 'The only expectation that is met here is "100-continue".');
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
