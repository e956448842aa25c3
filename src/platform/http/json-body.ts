import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import { ApiErrors } from './api-errors.decorator.js';
import { bodyInterceptor } from './body-interceptor.js';
import { parseJson } from './parse-json.js';

const JSON_BODY = { mediaType: 'application/json', maxBytes: 256 * 1024 };

const JsonBodyInterceptor = bodyInterceptor(JSON_BODY, parseJson);

/** Only a route that says so has its body read; the docs say so too. */
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
