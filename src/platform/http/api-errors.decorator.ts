import { ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ERROR_CODES, statusOf, type StoreErrorCode } from '../errors/error-codes.js';
import { errorExample, ErrorResponse } from './error.response.js';

const CODES = 'documented-error-codes';

/** Documents the errors of a route, or of all routes of a controller. Several on one route add up. */
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
      // Swagger appends this to the description of earlier codes.
      description: added
        .filter((code) => statusOf(code) === status)
        .map((code) => `\`${code}\`: ${ERROR_CODES[code][1]}`)
        .join('\n\n'),
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(ErrorResponse) },
          examples: Object.fromEntries(
            all
              .filter((code) => statusOf(code) === status)
              .map((code) => [code, { value: errorExample(code) }]),
          ),
        },
      },
      headers: status === 429 || status === 503 ? RETRY_AFTER : {},
    }) as (target: object, key: string, descriptor: PropertyDescriptor) => void;
    describe(handler, '', { value: handler });
  }
}

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds after which the request may be repeated.',
    schema: { type: 'integer', minimum: 1 } as const,
  },
};
