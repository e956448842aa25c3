import type { IncomingMessage } from 'node:http';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Observable } from 'rxjs';
import { DomainError } from '../errors/domain-error.js';
import { ApiErrors } from './api-errors.decorator.js';
import type { ApiRequest } from './api-request.js';
import { parseJson } from './parse-json.js';

const MAX_BODY_BYTES = 256 * 1024;

/** A chunk of a single byte costs as much to take as one of a thousand. */
const MAX_PIECES = 4_096;

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const UTF8 = /^(utf-?8|us-ascii)$/i;

/** Only a route that says so has its body read; the docs say so too. */
export function TakesJson(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(JsonBodyInterceptor),
    ApiConsumes('application/json'),
    ApiErrors(
      'malformed_json',
      'body_too_complex',
      'body_too_large',
      'unsupported_media_type',
      'validation_failed',
    ),
  );
}

/**
 * Reads the body of the routes that take one. An interceptor, because those run after the guards and before the pipes: a
 * body is looked at only once access is granted, and the other routes have no parser at all.
 */
@Injectable()
class JsonBodyInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    request.body = parseJson(await readBody(request));
    return next.handle();
  }
}

/** The bytes of a JSON body; none at all if the request has no body. */
async function readBody(request: ApiRequest): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  if (chunked === undefined && (length === undefined || length === '0')) return Buffer.alloc(0);
  checkType(request);
  if (Number(length) > MAX_BODY_BYTES) throw tooLarge();
  if (request.goesOnAfterBody !== undefined) askForBody(request.res!, request.goesOnAfterBody);
  return readPieces(request);
}

/** Whoever asked first whether to send it at all has been let in. */
function askForBody(response: Response, goesOn: boolean): void {
  response.shouldKeepAlive = goesOn;
  response.writeContinue();
}

function readPieces(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const take = (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (size > MAX_BODY_BYTES) refuse(tooLarge());
      else if (pieces.length > MAX_PIECES) refuse(tooManyPieces());
    };
    // The socket lives on: it still has to carry the answer.
    const refuse = (error: DomainError) => {
      request.off('data', take).pause();
      reject(error);
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(pieces, size)));
    request.once('close', () => reject(new DomainError('malformed_request', 'The body broke off.')));
  });
}

function checkType({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'The body must not be compressed.');
  }
  const type = headers['content-type']?.trim() ?? '';
  if (!JSON_TYPE.test(type)) {
    throw new DomainError('unsupported_media_type', 'Send the body with "Content-Type: application/json".');
  }
  const charset = CHARSET.exec(type)?.[1];
  if (charset !== undefined && !UTF8.test(charset)) {
    throw new DomainError('unsupported_media_type', 'Send the body in UTF-8; no other charset is read.');
  }
}

function tooLarge(): DomainError {
  return new DomainError('body_too_large', `The body may have at most ${MAX_BODY_BYTES / 1024} KB.`);
}

function tooManyPieces(): DomainError {
  return new DomainError('body_too_complex', `The body may come in at most ${MAX_PIECES} pieces.`);
}
