import type { ServerResponse } from 'node:http';
import type { DomainError } from '../errors/domain-error.js';
import { statusOf } from '../errors/error-codes.js';
import { KB_FREE, PRICES } from '../rate-limit/prices.js';
import type { ApiRequest } from './api-request.js';
import { acceptedEncoding, matchesEtag } from './negotiation.js';
import type { Encoded, Encoding, Representation } from './representation.js';

/** An answer of the moment, which nobody is to keep: one write, serialised exactly once. */
export function sendJson(response: ServerResponse, body: object, status?: number): void {
  const text = JSON.stringify(body);
  response.writeHead(status ?? response.statusCode, [
    'Content-Type',
    'application/json; charset=utf-8',
    'X-Content-Type-Options',
    'nosniff',
    'Cache-Control',
    'no-store',
    'Content-Length',
    Buffer.byteLength(text),
  ]);
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
  const encoded = representation.encode(encoding);
  if (encoded instanceof Promise) {
    return encoded.then((ready) => sendEncoded(response, ready, encoding, representation));
  }
  sendEncoded(response, encoded, encoding, representation);
}

/** Free is what was still good when nothing had to be made to tell. A star names no copy: it would have everything for nothing. */
function sendNotModified(response: ServerResponse, etag: string, representation: Representation): void {
  const { spending, headers } = response.req as ApiRequest;
  if (representation.made !== undefined) spending?.charge(forBytes(representation.made));
  else if (headers['if-none-match']?.trim() !== '*') spending?.refund();
  response.writeHead(304, validators(etag, representation));
  response.end();
}

function sendEncoded(
  response: ServerResponse,
  { etag, bytes, length }: Encoded,
  encoding: Encoding,
  representation: Representation,
): void {
  const { made = 0 } = representation;
  const sent = length > KB_FREE * 1_024 ? length : 0;
  if (made + sent > 0) (response.req as ApiRequest).spending?.charge(forBytes(made + sent));
  response.writeHead(200, [
    'Content-Type',
    representation.contentType,
    ...validators(etag, representation),
    'X-Content-Type-Options',
    'nosniff',
    ...(encoding === 'gzip' ? GZIPPED : []),
    'Content-Length',
    length,
  ]);
  if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) response.end(bytes);
  else sendPieces(response, bytes);
}

const forBytes = (bytes: number) => (bytes / 1_024) * PRICES.kilobyte;

const GZIPPED = ['Content-Encoding', 'gzip'];

function sendPieces(response: ServerResponse, pieces: readonly Buffer[]): void {
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
}

function validators(etag: string, { cacheControl, vary }: Representation): string[] {
  return ['ETag', etag, 'Cache-Control', cacheControl, 'Vary', vary];
}
