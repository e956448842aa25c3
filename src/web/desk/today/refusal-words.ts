import type { FieldCode, StoreErrorCode } from '../../../platform/errors/error-codes.js';

/**
 * Each code of the store API as a short reason. Null, or no word for a field: the message that the store read
 * says more.
 */
const REFUSAL_WORDS: Record<StoreErrorCode, string | null> & Partial<Record<FieldCode, string>> = {
  malformed_json: 'The body is not JSON',
  body_too_complex: 'The body has too many values',
  malformed_path: 'The address is malformed',
  malformed_request: 'The request is malformed',
  token_missing: 'The token is missing',
  token_invalid: null,
  domain_missing: 'The header with the domain is missing',
  domain_mismatch: 'The token belongs to another domain',
  token_not_allowed: 'The token may not place orders',
  subscription_inactive: 'No active subscription',
  returns_in_dashboard: 'Returns are taken in the dashboard',
  product_not_found: 'Unknown product',
  order_not_found: 'Unknown order',
  document_not_found: 'Unknown document',
  route_not_found: 'Unknown address',
  method_not_allowed: 'The address does not support the method',
  request_timeout: 'The request arrived too slowly',
  duplicate_order: 'Sent again with an id that has an order',
  price_changed: 'The price has changed',
  illegal_transition: 'The status does not allow it',
  not_changeable: 'The delivery could no longer be changed',
  not_cancellable: 'The order was paid and cannot be cancelled',
  not_returnable: 'The units cannot come back',
  duplicate_return: 'Sent again with an id that has a return',
  sync_token_expired: 'The sync token has expired',
  body_too_large: 'The body is too large',
  unsupported_media_type: 'The body has another media type',
  expectation_failed: 'The Expect header is not supported',
  validation_failed: 'Fields are missing or invalid',
  idempotency_key_reused: 'The Idempotency-Key belongs to another order',
  unpaid_limit_reached: 'Too many unpaid orders',
  rate_limited: 'Too many requests',
  headers_too_large: 'The headers are too large',
  internal_error: 'An error of the service',
  unavailable: 'The database was not available',
  unknown_sku: 'Unknown SKU',
  variation_required: 'The variation is missing',
  unknown_variation: 'Unknown variation',
  insufficient_stock: 'Not enough stock',
};

/** The log may have the code of an older build. */
export function refusalWords(code: string, message: string | null): string {
  return (REFUSAL_WORDS as Readonly<Record<string, string | null>>)[code] ?? message ?? code;
}
