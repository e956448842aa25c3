import type { ServerResponse } from 'node:http';
import type { DomainError } from '../errors/domain-error.js';
import { statusOf } from '../errors/error-codes.js';
import type { ApiRequest } from './api-request.js';
import { acceptedEncoding, matchesEtag } from './negotiation.js';
import type { Encoded, Representation } from './representation.js';

/** What an answer that may be kept depends on besides its address. */
const VARY = 'Accept-Encoding, Authorization, X-Client-Domain';

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
    if (matchesEtag(known, etag)) return sendNotModified(response, etag);
  }
  response.setHeader('Content-Type', representation.contentType);
  const encoded = representation.encode(encoding);
  if (encoded instanceof Promise) return encoded.then((ready) => sendEncoded(response, ready, encoding));
  sendEncoded(response, encoded, encoding);
}

function sendNotModified(response: ServerResponse, etag: string): void {
  (response.req as Partial<ApiRequest>).spent?.refund();
  response.statusCode = 304;
  setValidators(response, etag);
  response.end();
}

function sendEncoded(response: ServerResponse, { etag, bytes }: Encoded, encoding: string): void {
  response.statusCode = 200;
  setValidators(response, etag);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) {
    response.setHeader('Content-Length', Buffer.byteLength(bytes));
    response.end(bytes);
  } else sendPieces(response, bytes);
}

function sendPieces(response: ServerResponse, pieces: readonly Buffer[]): void {
  response.setHeader(
    'Content-Length',
    pieces.reduce((length, piece) => length + piece.length, 0),
  );
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
}

function setValidators(response: ServerResponse, etag: string): void {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Vary', VARY);
}
