import type { ServerResponse } from 'node:http';
import type { DomainError } from '../errors/domain-error.js';
import { statusOf } from '../errors/error-codes.js';
import { sendJson } from './send-json.js';

/** The one shape in which every error leaves the service. */
export function errorBody({ code, message, errors, facts }: DomainError, requestId: string): object {
  return { success: false, code, message, ...(errors && { errors }), ...facts, request_id: requestId };
}

/** An error of the domain in the words of HTTP. */
export function sendError(response: ServerResponse, error: DomainError, requestId: string): void {
  const status = statusOf(error.code);
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds);
  sendJson(response, errorBody(error, requestId), status);
}
