import { applyDecorators } from '@nestjs/common';
import { ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { type ErrorCode, meaningOf, statusOf } from '../errors/error-codes.js';
import { AdminErrorResponse } from './error.response.js';

/** Any request of the admin API can get these. */
const ALWAYS: readonly ErrorCode[] = [
  'key_missing',
  'key_invalid',
  'address_not_allowed',
  'role_missing',
  'malformed_request',
  'validation_failed',
  'invalid_value',
  'rate_limited',
  'internal_error',
  'unavailable',
];

/** Documents the errors of a route of the admin API. */
export function AdminErrors(...codes: readonly ErrorCode[]): MethodDecorator {
  const all = [...new Set([...ALWAYS, ...codes])];
  return applyDecorators(
    ...[...new Set(all.map(statusOf))].toSorted().map((status) => {
      const own = all.filter((code) => statusOf(code) === status);
      return ApiResponse({
        status,
        description: own.map((code) => `\`${code}\`: ${meaningOf(code)}`).join('\n\n'),
        content: {
          'application/json': {
            schema: { $ref: getSchemaPath(AdminErrorResponse) },
            examples: Object.fromEntries(own.map((code) => [code, { value: exampleOf(code) }])),
          },
        },
      });
    }),
  );
}

const exampleOf = (code: ErrorCode) => ({
  success: false,
  code,
  message: meaningOf(code),
  request_id: '019a9f3e-7c1b-7d2a-9b1e-3f5a7c9e1b2d',
});
