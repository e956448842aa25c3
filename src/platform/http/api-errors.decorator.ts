import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiHeader,
  ApiOkResponse,
  ApiResponse,
  type ApiResponseOptions,
  getSchemaPath,
} from '@nestjs/swagger';
import { ERROR_CODES, statusOf, type StoreErrorCode } from '../errors/error-codes.js';
import { errorExample, ErrorResponse } from './error.response.js';

const CODES = 'documented-error-codes';

/** Documents the errors of a route, or of all routes of a controller. Several of these on one route add up. */
export function ApiErrors(...codes: StoreErrorCode[]): MethodDecorator & ClassDecorator {
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor) => {
    const handlers = descriptor ? [descriptor.value as object] : methodsOf(target);
    for (const handler of handlers) document(handler, codes);
  };
}

function methodsOf(target: object): object[] {
  const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(
    (target as { prototype: object }).prototype,
  );
  return Object.values(methods).map((descriptor) => descriptor.value as object);
}

function document(handler: object, codes: StoreErrorCode[]): void {
  const known = (Reflect.getMetadata(CODES, handler) as StoreErrorCode[] | undefined) ?? [];
  const added = codes.filter((code) => !known.includes(code));
  const all = [...known, ...added];
  Reflect.defineMetadata(CODES, all, handler);
  for (const status of new Set(added.map(statusOf))) {
    const describe = ApiResponse({
      status,
      // Swagger joins this with the description of the codes that came before.
      description: added
        .filter((code) => statusOf(code) === status)
        .map(describeCode)
        .join('\n\n'),
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(ErrorResponse) },
          examples: examplesOf(all.filter((code) => statusOf(code) === status)),
        },
      },
      headers: status === 429 || status === 503 ? RETRY_AFTER : {},
    }) as (target: object, key: string, descriptor: PropertyDescriptor) => void;
    describe(handler, '', { value: handler });
  }
}

function describeCode(code: StoreErrorCode): string {
  return `\`${code}\`: ${ERROR_CODES[code][1]}`;
}

function examplesOf(codes: StoreErrorCode[]) {
  return Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }]));
}

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds after which the request may be repeated.',
    schema: { type: 'integer', minimum: 1 } as const,
  },
};

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
