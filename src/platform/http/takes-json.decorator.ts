import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import { ApiErrors } from './api-errors.decorator.js';
import { JsonBodyInterceptor } from './json-body.interceptor.js';

/** Only a route that says so has its body read; the docs say so too. */
export function TakesJson(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(JsonBodyInterceptor),
    ApiConsumes('application/json'),
    ApiErrors('malformed_json', 'body_too_large', 'unsupported_media_type', 'validation_failed'),
  );
}
