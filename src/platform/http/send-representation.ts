import type { ServerResponse } from 'node:http';
import { acceptedEncoding } from './accepted-encoding.js';
import type { ApiRequest } from './api-request.js';
import { matchesEtag } from './matches-etag.js';
import type { Encoded, Representation } from './representation.js';
import { JSON_TYPE } from './send-json.js';

/** What an answer depends on besides its address. */
const VARY = 'Accept-Encoding, Authorization, X-Client-Domain';

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
  const encoded = representation.encode(encoding);
  if (encoded instanceof Promise) return encoded.then((ready) => send(response, ready, encoding));
  send(response, encoded, encoding);
}

function sendNotModified(response: ServerResponse, etag: string): void {
  (response.req as Partial<ApiRequest>).spent?.refund();
  response.statusCode = 304;
  setValidators(response, etag);
  response.end();
}

function send(response: ServerResponse, { etag, bytes }: Encoded, encoding: string): void {
  response.statusCode = 200;
  setValidators(response, etag);
  response.setHeader('Content-Type', JSON_TYPE);
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
