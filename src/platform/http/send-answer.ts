import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { DomainError } from '../errors/domain-error.js';
import { docUrlOf, statusOf } from '../errors/error-codes.js';
import { withIgnoredFields } from '../validation/ignored-fields.js';
import type { ApiRequest } from './api-request.js';
import type { EncodedBody, Encoding, Representation } from './representation.js';

/** The cost of the line, in units for each KB of a longer answer. No processor shows it. */
export const SENT = { freeKilobytes: 16, kilobyte: 1 / 16 } as const;

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
  { id, originalUrl, ignoredFields = [] }: Pick<ApiRequest, 'id' | 'originalUrl' | 'ignoredFields'>,
): void {
  const status = statusOf(error.code);
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds);
  // The guide of stores says nothing to the wholesaler's programs.
  const body = {
    ...errorBody(error, id),
    ...(originalUrl.startsWith('/api/admin') && { doc_url: undefined }),
  };
  // A misspelt field is often the reason why a required one is missing.
  sendJson(response, status === 422 ? withIgnoredFields(body, ignoredFields) : body, status);
}

/** Answers 304 if the client's copy is current, else the body in the encoding that the client prefers. */
export function sendRepresentation(
  response: ServerResponse,
  representation: Representation,
): void | Promise<void> {
  const { headers } = response.req;
  const encoding = representation.compressible ? knownEncoding(headers['accept-encoding']) : 'identity';
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

/** A 304 from memory is free. `*` names no copy, so it is not free. */
function sendNotModified(response: ServerResponse, etag: string, representation: Representation): void {
  const { cost, headers } = response.req as ApiRequest;
  if (cost?.usesDatabase === false && headers['if-none-match']?.trim() !== '*') cost.refund();
  const { cacheControl, vary } = representation;
  response.writeHead(304, ['ETag', etag, 'Cache-Control', cacheControl, 'Vary', vary]);
  response.end();
}

function sendEncoded(
  response: ServerResponse,
  { etag, bytes, length }: EncodedBody,
  encoding: Encoding,
  representation: Representation,
): void {
  const kilobytes = length / 1_024;
  if (kilobytes > SENT.freeKilobytes) (response.req as ApiRequest).cost?.charge(kilobytes * SENT.kilobyte);
  const { contentType, cacheControl, vary } = representation;
  const lines = ['Content-Type', contentType, 'ETag', etag, 'Cache-Control', cacheControl, 'Vary', vary];
  lines.push('X-Content-Type-Options', 'nosniff', 'Content-Length', String(length));
  if (encoding === 'gzip') lines.push('Content-Encoding', 'gzip');
  response.writeHead(200, lines);
  if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) response.end(bytes);
  else sendPieces(response, bytes);
}

function sendPieces(response: ServerResponse, pieces: readonly Buffer[]): void {
  response.cork();
  for (const piece of pieces) response.write(piece);
  response.end();
}

/**
 * The result of a handler whose answer is neither JSON nor a file: it has its own status, headers and body.
 */
export abstract class CustomResponse {
  abstract send(response: Response): void;
}

/** A library sends the same header with each request. */
const ENCODINGS = new LRUCache<string, Encoding>({ max: 100 });

function knownEncoding(header: string | string[] | undefined = ''): Encoding {
  const text = String(header);
  return ENCODINGS.get(text) ?? ENCODINGS.set(text, acceptedEncoding(text)).get(text)!;
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
