import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiErrors } from './api-errors.decorator.js';
import { bodyInterceptor } from './body-interceptor.js';

const RawBodyInterceptor = bodyInterceptor({ maxBytes: 64 * 1024 }, (bytes) => bytes);

/** The body is a Buffer of the very bytes that came, for whoever has to verify what signed them. */
export function TakesRaw(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(RawBodyInterceptor),
    ApiErrors('body_too_complex', 'body_too_large', 'unsupported_media_type', 'rate_limited'),
  );
}
