import { ERROR_CODES, type StoreErrorCode } from '../errors/error-codes.js';
import type { ErrorResponse } from './error.response.js';

/** What the body of an error says beside code and message. */
const FACTS: Partial<Record<StoreErrorCode, Partial<ErrorResponse>>> = {
  domain_mismatch: { compared_domain: 'shop.example.com' },
  duplicate_order: {
    order_number: 'WO-20261120-7K3M9-QXA2B',
    status: 'awaiting_payment',
    total: 363,
    same_content: true,
  },
  price_changed: { total: 363, expected_total: 345 },
  not_cancellable: { status: 'shipped' },
  validation_failed: {
    errors: [{ field: 'items[0].quantity', code: 'too_small', message: 'must be at least 1' }],
  },
};

/** An error body for the docs. */
export function errorExample(code: StoreErrorCode): ErrorResponse {
  return {
    success: false,
    code,
    message: ERROR_CODES[code][1],
    ...FACTS[code],
    request_id: '019a9f3e-7c1b-7d2a-9b1e-3f5a7c9e1b2d',
  };
}
