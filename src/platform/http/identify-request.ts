import type { NextFunction, Response } from 'express';
import { DomainError } from '../errors/domain-error.js';
import type { ApiRequest } from './api-request.js';
import { isDecodable } from './decodable-path.js';
import { requestId } from './request-id.js';

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
