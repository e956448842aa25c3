import type { ApiHeaderOptions } from '@nestjs/swagger';
import { validationFailed } from '../../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import type { CreateOrderRequest } from './create-order.request.js';

const HEADER_NAME = 'Idempotency-Key';

const KEY = /^[\x20-\x7e]{1,255}$/;

export const IDEMPOTENCY_KEY: ApiHeaderOptions = {
  name: HEADER_NAME,
  required: false,
  description:
    'Your key for this request, if it has no `store_order_id`: 1 to 255 ASCII characters, kept for ever ' +
    "for your token's domain. A repeat with the same content gets the first answer, with " +
    '`Idempotent-Replayed: true`; with other content, 422 `idempotency_key_reused`. If the order was ' +
    'cancelled since, it gets 409 `duplicate_order`. A refused order does not use the key up. With a ' +
    '`store_order_id` the header is ignored.',
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
  { headers, query, body }: Pick<ApiRequest, 'headers' | 'query' | 'body'>,
  order: CreateOrderRequest,
): string | undefined {
  if (order.store_order_id !== undefined) return undefined;
  const { 'idempotency-key': header, ...others } = headers;
  // A key that is not read would let a repeat place a second order.
  const misnamed = [others, query, body as object]
    .flatMap(Object.keys)
    .find((name) => /idempoten/i.test(name));
  if (misnamed !== undefined) {
    const message = `is unknown; send the key as the header "${HEADER_NAME}"`;
    const field = misnamed.slice(0, 64);
    throw validationFailed([{ field, code: 'unknown_parameter', message, meant: HEADER_NAME }]);
  }
  const key = [header].flat()[0]?.trim();
  if (key === undefined) return undefined;
  if (KEY.test(key)) return key;
  const message = 'must have 1 to 255 ASCII characters';
  throw validationFailed([{ field: HEADER_NAME, code: 'malformed', message }]);
}
