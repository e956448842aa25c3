import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  mixin,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import type { Observable } from 'rxjs';
import { ApiErrors } from './api-errors.decorator.js';
import type { ApiRequest } from './api-request.js';
import { parseForm } from './parse-form.js';
import { parseJson } from './parse-json.js';
import { type BodyKind, readBody } from './read-body.js';

/**
 * Reads the body of the routes that take one. Interceptors run after guards and before pipes, so a body is
 * read only once access is granted. Other routes have no parser.
 */
function bodyInterceptor(kind: BodyKind, parse: (bytes: Buffer) => object): Type<NestInterceptor> {
  class BodyInterceptor implements NestInterceptor {
    async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
      const request = context.switchToHttp().getRequest<ApiRequest>();
      const bytes = await readBody(request, kind);
      request.bodyBytes = bytes.length;
      request.body = parse(bytes);
      return next.handle();
    }
  }
  return mixin(BodyInterceptor);
}

const JSON_BODY = { mediaType: 'application/json', maxBytes: 256 * 1024 };

const JsonBodyInterceptor = bodyInterceptor(JSON_BODY, parseJson);

/** Only routes with a body decorator have their body read. It also documents the body. */
export function TakesJson(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(JsonBodyInterceptor),
    ApiConsumes(JSON_BODY.mediaType),
    ApiErrors(
      'malformed_json',
      'body_too_complex',
      'body_too_large',
      'unsupported_media_type',
      'validation_failed',
    ),
  );
}

const FORM = 'application/x-www-form-urlencoded';

const FormBodyInterceptor = bodyInterceptor({ mediaType: FORM, maxBytes: 16 * 1024 }, parseForm);

/** A letter of an Indic script takes nine bytes in a form: a description may have 5,000 letters and more. */
const LongFormBodyInterceptor = bodyInterceptor({ mediaType: FORM, maxBytes: 128 * 1024 }, parseForm);

/** The body of a page's form, as `FormFields`. */
export function TakesForm({ isLong = false } = {}): MethodDecorator {
  return applyDecorators(
    UseInterceptors(isLong ? LongFormBodyInterceptor : FormBodyInterceptor),
    ApiConsumes(FORM),
    ApiErrors(
      'malformed_request',
      'body_too_complex',
      'body_too_large',
      'unsupported_media_type',
      'rate_limited',
    ),
  );
}

const RawBodyInterceptor = bodyInterceptor({ maxBytes: 64 * 1024 }, (bytes) => bytes);

/** The body as the bytes that were sent, to verify their signature. */
export function TakesRaw(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(RawBodyInterceptor),
    ApiErrors('body_too_complex', 'body_too_large', 'unsupported_media_type', 'rate_limited'),
  );
}
