import type { ServerResponse } from 'node:http';
import type { DomainError } from '../errors/domain-error.js';
import { statusOf } from '../errors/error-codes.js';
import { BYTES_SENT_FREE, COSTS } from '../rate-limit/request-costs.js';
import type { ApiRequest } from './api-request.js';
import { acceptedEncoding, matchesEtag } from './negotiation.js';
import type { Encoded, Representation } from './representation.js';

/** An answer of the moment, which nobody is to keep: one write, serialised exactly once. */
export function sendJson(response: ServerResponse, body: object, status?: number): void {
  const text = JSON.stringify(body);
  if (status !== undefined) response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

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

/** Answers 304 if the client's copy is still good, else with the body in the encoding that the client likes best. */
export function sendRepresentation(
  response: ServerResponse,
  representation: Representation,
): void | Promise<void> {
  const { headers } = response.req;
  const encoding = representation.compressible ? acceptedEncoding(headers['accept-encoding']) : 'identity';
  const known = headers['if-none-match'];
  if (known !== undefined) {
    const etag = representation.etag(encoding);
    if (matchesEtag(known, etag)) return sendNotModified(response, etag, representation);
  }
  response.setHeader('Content-Type', representation.contentType);
  const encoded = representation.encode(encoding);
  if (encoded instanceof Promise) {
    return encoded.then((ready) => sendEncoded(response, ready, encoding, representation));
  }
  sendEncoded(response, encoded, encoding, representation);
}

/** Free is what was still good when nothing had to be made to tell. A star names no copy: it would have everything for nothing. */
function sendNotModified(response: ServerResponse, etag: string, representation: Representation): void {
  const { spending, headers } = response.req as ApiRequest;
  if (representation.made !== undefined) spending?.charge(representation.made);
  else if (headers['if-none-match']?.trim() !== '*') spending?.refund();
  response.statusCode = 304;
  setValidators(response, etag, representation);
  response.end();
}

function sendEncoded(
  response: ServerResponse,
  { etag, bytes }: Encoded,
  encoding: string,
  representation: Representation,
): void {
  const { made = 0 } = representation;
  const length = lengthOf(bytes);
  if (made > 0 || length > BYTES_SENT_FREE) {
    (response.req as ApiRequest).spending?.charge(made + length * COSTS.byteSent);
  }
  response.statusCode = 200;
  setValidators(response, etag, representation);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', length);
  if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) response.end(bytes);
  else sendPieces(response, bytes);
}

function lengthOf(bytes: Encoded['bytes']): number {
  if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) return Buffer.byteLength(bytes);
  return bytes.reduce((length, piece) => length + piece.length, 0);
}

function sendPieces(response: ServerResponse, pieces: readonly Buffer[]): void {
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
}

function setValidators(response: ServerResponse, etag: string, { cacheControl, vary }: Representation): void {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('Vary', vary);
}
