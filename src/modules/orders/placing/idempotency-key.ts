import type { ApiHeaderOptions } from '@nestjs/swagger';
import { validationFailed } from '../../../platform/errors/domain-error.js';
import type { CreateOrderRequest } from './create-order.request.js';

const HEADER_NAME = 'Idempotency-Key';

const KEY = /^[\x20-\x7e]{1,255}$/;

export const IDEMPOTENCY_KEY: ApiHeaderOptions = {
  name: HEADER_NAME,
  required: false,
  description:
    'Your key for this request, if it has no `store_order_id`: 1 to 255 ASCII characters, kept for ever. A ' +
    'repeat with the same content gets the first answer, with `Idempotent-Replayed: true`; with other ' +
    'content, 422 `idempotency_key_reused`. If the order was cancelled since, it gets 409 ' +
    '`duplicate_order`. A refused order does not use the key up. With a `store_order_id` the header is ' +
    'ignored.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export const REPLAYED_HEADER_NAME = 'Idempotent-Replayed';

export const REPLAYED_HEADER = {
  [REPLAYED_HEADER_NAME]: {
    description:
      '`true` if an earlier request with the same `Idempotency-Key` or `store_return_id` did the work.',
    schema: { type: 'string', enum: ['true'] } as { type: 'string'; enum: string[] },
  },
};

/** Undefined if the request has no key, or a `store_order_id`, which counts instead. */
export function readIdempotencyKey(
  header: string | undefined,
  request: CreateOrderRequest,
): string | undefined {
  const key = header?.trim();
  if (key === undefined || request.store_order_id !== undefined) return undefined;
  if (KEY.test(key)) return key;
  const message = 'must have 1 to 255 ASCII characters';
  throw validationFailed([{ field: HEADER_NAME, code: 'malformed', message }]);
}
