import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { DomainError } from '../errors/domain-error.js';
import type { ApiRequest } from './api-request.js';
import { callerNetwork } from './caller-address.js';
import { resumeWork } from '../limits/work-meter.js';
import { UnfinishedBodies, type UnfinishedBody } from './unfinished-bodies.js';

/** A chunk of one byte costs as much to read as a chunk of a thousand. */
const MAX_CHUNKS = 4_096;

/** The bodies of all routes that need no token. */
const anonymousBodies = new UnfinishedBodies();

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const UTF8 = /^(utf-?8|us-ascii)$/i;

export interface BodyKind {
  /** Without a media type, any bytes are accepted. */
  mediaType?: string;
  maxBytes: number;
  /** The refusal of a longer body, if not 413. */
  tooLarge?: () => DomainError;
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': chunked } = headers;
  return chunked !== undefined || (length !== undefined && length !== '0');
}

/** The bytes of a body; empty if the request has none. */
export async function readBody(request: ApiRequest, kind: BodyKind): Promise<Buffer> {
  if (!hasBody(request)) return Buffer.alloc(0);
  refuseUnreadableBody(request);
  if (kind.mediaType !== undefined) checkType(request, kind.mediaType);
  if (Number(request.headers['content-length']) > kind.maxBytes) throw tooLarge(kind);
  if (request.goesOnAfterBody !== undefined) askForBody(request.res!, request.goesOnAfterBody);
  return readChunks(request, kind);
}

/** For `Expect: 100-continue`, once access is granted. */
export function askForBody(response: Response, goesOn: boolean): void {
  response.shouldKeepAlive = goesOn;
  response.writeContinue();
}

function readChunks(request: ApiRequest, kind: BodyKind): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let unfinished: UnfinishedBody | undefined;
  const reading = new Promise<Buffer>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > kind.maxBytes) refuse(tooLarge(kind));
      else if (chunks.length > MAX_CHUNKS) refuse(tooManyChunks());
      else if (unfinished) anonymousBodies.grow(unfinished, chunk);
    };
    const cut = () => {
      // The rest of this body is not read.
      request.res!.shouldKeepAlive = false;
      refuse(tooManyBodies());
    };
    if (!request.caller && !request.person && !request.adminKey)
      unfinished = anonymousBodies.begin(callerNetwork(request), cut);
    // The socket stays open for the answer.
    const refuse = (error: DomainError) => {
      request.off('data', take).pause();
      // The request lives on for as long as its client sends.
      chunks.length = 0;
      reject(error);
    };
    const breakOff = () => reject(new DomainError('malformed_request', 'The body ended early.'));
    request.on('data', take);
    // Every request closes. An unused error object would cost more than all the rest of this function.
    request.once('end', () => {
      request.off('close', breakOff);
      resumeWork(request.cost);
      resolve(Buffer.concat(chunks, size));
    });
    request.once('close', breakOff);
  });
  return reading.finally(() => unfinished && anonymousBodies.end(unfinished));
}

export function refuseUnreadableBody({ headers, isBroken, destroyed }: ApiRequest): void {
  if (isBroken) throw notHttp();
  // The sender went away while its access was checked: no later event says so.
  if (destroyed) throw new DomainError('malformed_request', 'The body ended early.');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'The body must not be compressed.');
  }
}

export function checkType({ headers }: IncomingMessage, mediaType: string): void {
  const given = headers['content-type']?.trim() ?? '';
  if (given.split(';', 1)[0]!.trimEnd().toLowerCase() !== mediaType) {
    throw new DomainError('unsupported_media_type', `Send the body with "Content-Type: ${mediaType}".`);
  }
  const charset = CHARSET.exec(given)?.[1];
  if (charset !== undefined && !UTF8.test(charset)) {
    throw new DomainError('unsupported_media_type', 'Send the body in UTF-8; no other charset is supported.');
  }
}

export function notHttp(): DomainError {
  return new DomainError('malformed_request', 'This is not well-formed HTTP.');
}

function tooLarge({ maxBytes, tooLarge: refusal }: BodyKind): DomainError {
  if (refusal) return refusal();
  return new DomainError('body_too_large', `The body may have at most ${maxBytes / 1024} KB.`);
}

function tooManyBodies(): DomainError {
  return new DomainError('rate_limited', 'Too many bodies are being sent at once. Try again in a moment.', {
    retryAfterSeconds: 1,
  });
}

function tooManyChunks(): DomainError {
  return new DomainError('body_too_complex', `The body may come in at most ${MAX_CHUNKS} chunks.`);
}
