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

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const UTF8 = /^(utf-?8|us-ascii)$/i;

/** Only a route that says so has its body read; the docs say so too. */
export function TakesJson(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(JsonBodyInterceptor),
    ApiConsumes('application/json'),
    ApiErrors('malformed_json', 'body_too_large', 'unsupported_media_type', 'validation_failed'),
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
  return readChunks(request);
}

/** Whoever asked first whether to send it at all has been let in. */
function askForBody(response: Response, goesOn: boolean): void {
  response.shouldKeepAlive = goesOn;
  response.writeContinue();
}

async function readChunks(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The socket must outlive the loop: it still has to carry the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError('malformed_request', 'The body broke off.', { cause });
  }
  return Buffer.concat(chunks, size);
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
