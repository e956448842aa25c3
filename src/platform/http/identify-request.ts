import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Response } from 'express';
import { DomainError } from '../errors/domain-error.js';
import type { ApiRequest } from './api-request.js';
import type { TimedResponse } from './app-messages.js';

const WELL_FORMED = /^[\w.-]{8,64}$/;

/** RFC 3986, 3.2.2, without the comma, which joins repeated lines. */
const HOST = /^[\w.~%!$&'()*+;=:[\]-]*$/;

/** The first step of every request. */
export function identifyRequest(request: ApiRequest, response: Response, next: NextFunction): void {
  request.id = requestId(request);
  (response as ServerResponse as TimedResponse).lines.push('X-Request-Id', request.id);
  checkHost(request);
  if (request.headers.expect !== undefined) checkExpectation(request.headers.expect);
  // Express would refuse such a path before the access check. No route serves these.
  if (request.url.includes('%') && !isDecodable(request.path)) {
    const [, root = '/api/'] = /^(\/dashboard\/|\/desk\/)/.exec(request.url) ?? [];
    request.url = `${root}undecodable`;
  }
  next();
}

/** RFC 9112, 3.2: a proxy that reads another Host could send us requests meant for another server. */
function checkHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined) {
    if (httpVersion === '1.1')
      throw new DomainError('malformed_request', 'A request with HTTP/1.1 needs a Host header.');
  } else if (!HOST.test(headers.host)) {
    throw new DomainError('malformed_request', 'A request needs exactly one Host header, with a valid host.');
  }
}

function checkExpectation(expected: string): void {
  if (expected.toLowerCase() !== '100-continue')
    throw new DomainError('expectation_failed', 'The only supported expectation is "100-continue".');
}

/** Every answer has a request id. A well-formed id of the caller is kept, so that both logs can be joined. */
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
