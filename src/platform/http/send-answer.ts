import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { DomainError } from '../errors/domain-error.js';
import { docUrlOf, statusOf } from '../errors/error-codes.js';
import { FREE_KILOBYTES, UNIT_COSTS } from '../limits/request-costs.js';
import { withIgnoredFields } from '../validation/ignored-fields.js';
import type { ApiRequest } from './api-request.js';
import type { EncodedBody, Encoding, Representation } from './representation.js';

/** An answer that must not be cached: serialised once, written at once. */
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

/** The one shape of every error. */
export function errorBody({ code, message, errors, facts }: DomainError, requestId: string): object {
  return {
    success: false,
    code,
    message,
    ...(errors && { errors }),
    ...facts,
    doc_url: docUrlOf(code),
    request_id: requestId,
  };
}

/** Sends a DomainError as an HTTP response. */
export function sendError(
  response: ServerResponse,
  error: DomainError,
  { id, ignoredFields = [] }: Pick<ApiRequest, 'id' | 'ignoredFields'>,
): void {
  const status = statusOf(error.code);
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds);
  const body = errorBody(error, id);
  // A misspelt field is often the reason why a required one is missing.
  sendJson(response, status === 422 ? withIgnoredFields(body, ignoredFields) : body, status);
}

/** Answers 304 if the client's copy is current, else the body in the encoding that the client prefers. */
export function sendRepresentation(
  response: ServerResponse,
  representation: Representation,
): void | Promise<void> {
  const { headers } = response.req;
  const encoding = representation.compressible ? acceptedEncoding(headers['accept-encoding']) : 'identity';
  const knownTags = headers['if-none-match'];
  if (knownTags !== undefined) {
    const etag = representation.etag(encoding);
    if (matchesEtag(knownTags, etag)) return sendNotModified(response, etag, representation);
  }
  const encoded = representation.encode(encoding);
  if (encoded instanceof Promise) {
    return encoded.then((ready) => sendEncoded(response, ready, encoding, representation));
  }
  sendEncoded(response, encoded, encoding, representation);
}

/** A 304 is free if nothing had to be made for it. `*` names no copy, so it is not free. */
function sendNotModified(response: ServerResponse, etag: string, representation: Representation): void {
  const { cost, headers } = response.req as ApiRequest;
  if (representation.made !== undefined) cost?.charge(costOfBytes(representation.made));
  else if (headers['if-none-match']?.trim() !== '*') cost?.refund();
  response.writeHead(304, validators(etag, representation));
  response.end();
}

function sendEncoded(
  response: ServerResponse,
  { etag, bytes, length }: EncodedBody,
  encoding: Encoding,
  representation: Representation,
): void {
  const { made = 0 } = representation;
  const sent = length > FREE_KILOBYTES * 1_024 ? length : 0;
  if (made + sent > 0) (response.req as ApiRequest).cost?.charge(costOfBytes(made + sent));
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

const costOfBytes = (bytes: number) => (bytes / 1_024) * UNIT_COSTS.kilobyte;

const GZIPPED = ['Content-Encoding', 'gzip'];

function sendPieces(response: ServerResponse, pieces: readonly Buffer[]): void {
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
}

function validators(etag: string, { cacheControl, vary }: Representation): string[] {
  return ['ETag', etag, 'Cache-Control', cacheControl, 'Vary', vary];
}

/**
 * The result of a handler whose answer is neither JSON nor a file: it has its own status, headers and body.
 */
export abstract class CustomResponse {
  abstract send(response: Response): void;
}

/** The encoding that the client prefers, by RFC 9110, 12.5.3; gzip if both are equal. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding {
  if (!header) return 'identity';
  const weights = new Map(String(header).split(',').map(parseEntry));
  const anything = weights.get('*');
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? anything ?? 0;
  // Identity is acceptable unless excluded, and preferred only if it is named.
  const identity = weights.get('identity') ?? 0;
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity';
}

/** Says whether `If-None-Match` names this tag: weak comparison, lists and `*`, by RFC 9110, 13.1.2. */
export function matchesEtag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag.replace(/^W\//, '') === etag);
}

function parseEntry(entry: string): [name: string, weight: number] {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  return [name, weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, '')) || 0];
}
