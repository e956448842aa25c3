import { applyDecorators, type Type } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';

const ETAG = {
  ETag: { description: 'Send it back as `If-None-Match`.', schema: { type: 'string' } as const },
};

/** Documents an answer of which the client may keep a copy, and ask with `If-None-Match` whether that is still good. */
export function ApiConditional(type: Type, more: ApiResponseOptions['headers'] = {}): MethodDecorator {
  return applyDecorators(
    ApiHeader({ name: 'If-None-Match', description: 'The `ETag` of the copy you have.', required: false }),
    ApiOkResponse({ type, headers: { ...ETAG, ...more } }),
    ApiResponse({ status: 304, description: 'Your copy is still good.', headers: { ...ETAG, ...more } }),
  );
}
