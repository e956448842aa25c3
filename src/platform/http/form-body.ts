import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import { ApiErrors } from './api-errors.decorator.js';
import { bodyInterceptor } from './body-interceptor.js';
import { parseForm } from './parse-form.js';

const FORM_BODY = { mediaType: 'application/x-www-form-urlencoded', maxBytes: 16 * 1024 };

const FormBodyInterceptor = bodyInterceptor(FORM_BODY, parseForm);

/** The body is what a page's form posts, as `FormFields`. */
export function TakesForm(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(FormBodyInterceptor),
    ApiConsumes(FORM_BODY.mediaType),
    ApiErrors(
      'malformed_request',
      'body_too_complex',
      'body_too_large',
      'unsupported_media_type',
      'rate_limited',
    ),
  );
}
