type Codes = Record<string, readonly [status: number, meaning: string]>;

/** Every code a store can be answered with, its status over HTTP, and what it tells. The docs are made from it. */
export const ERROR_CODES = {
  malformed_json: [400, 'The body is not well-formed JSON in UTF-8, or is nested too deeply.'],
  body_too_complex: [
    400,
    'The body holds more than 10,000 values or an object with more than 200 fields, or comes in more than 4,096 pieces.',
  ],
  malformed_path: [400, 'The path holds a percent sequence that is not valid UTF-8.'],
  malformed_request: [400, 'The request is not well-formed HTTP.'],
  token_missing: [401, 'There is no `Authorization: Bearer <token>` header.'],
  token_invalid: [
    401,
    'The token is unknown or revoked, or its client is suspended; or the header has another form, which the message names.',
  ],
  domain_missing: [403, 'There is no `X-Client-Domain` header.'],
  domain_mismatch: [403, 'The token is registered to another domain than `X-Client-Domain` names.'],
  subscription_inactive: [403, 'The client has no subscription that is active now.'],
  product_not_found: [404, 'There is no active product with this SKU.'],
  order_not_found: [404, 'You have no order with this number.'],
  route_not_found: [404, 'There is no such address in this API.'],
  method_not_allowed: [405, 'The address exists, but not for this method. `Allow` names those it knows.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  duplicate_order: [409, 'You already have an order with this `store_order_id`; the body names it.'],
  price_changed: [409, 'The total is not the `expected_total`; nothing was created.'],
  not_cancellable: [409, 'The order was paid and can no longer be cancelled here.'],
  sync_token_expired: [
    410,
    'The `since` token is from another history of the data. Read the full list once, without `since`.',
  ],
  body_too_large: [413, 'The body is larger than 256 KB.'],
  unsupported_media_type: [415, 'The body must be `application/json` in UTF-8, without content encoding.'],
  expectation_failed: [417, 'The `Expect` header asks for what this service does not know.'],
  validation_failed: [422, 'Fields are missing or invalid; `errors` lists every one of them.'],
  unpaid_limit_reached: [
    422,
    'With this order you would have more unpaid than you may; the body tells how much there is. Pay for orders or cancel some first.',
  ],
  rate_limited: [
    429,
    'Too much was asked for with the tokens of this client; `Retry-After` says when to go on.',
  ],
  headers_too_large: [431, 'The request headers are too large.'],
  internal_error: [500, 'A fault of ours. Nothing was changed; please report the `request_id`.'],
  unavailable: [503, 'The database is away for a moment. Repeat the request after `Retry-After` seconds.'],
} as const satisfies Codes;

/** What only those who work for the wholesaler can be told. */
const OPERATOR_CODES = {
  person_not_found: [404, 'There is no such person.'],
  client_not_found: [404, 'There is no client with this id.'],
  client_ambiguous: [409, 'Several clients are called like that.'],
  plan_not_found: [404, 'There is no plan with this code.'],
  payment_not_found: [404, 'There is no payment with this id.'],
  transfer_not_found: [404, 'There is no bank transfer with this number.'],
  request_not_found: [404, 'There is no such request, or it is not kept any more.'],
  domain_not_found: [404, 'The client is not allowed this domain.'],
  token_not_found: [404, 'There is no token with this id.'],
  illegal_transition: [409, 'The order is in a state that does not allow this.'],
  conflict: [409, 'The change contradicts what is stored; the message says how.'],
  total_changed: [409, 'What was shown is not what it comes to now; nothing was paid.'],
  payment_underway: [409, 'A payment for this is being processed.'],
  too_many_payments: [422, 'The client has too many unpaid payments; the message says what to do.'],
  insufficient_balance: [409, 'The wallet holds less than this needs.'],
  signature_invalid: [400, 'This was not signed by the gateway.'],
  gateway_refused: [502, 'The gateway refuses what it was asked for; the message says why.'],
  gateway_unavailable: [503, 'The gateway cannot be reached, or there is none.'],
  mail_undelivered: [502, 'The server for mail did not take it; the message says why.'],
  import_running: [409, 'Another import of the same kind is at work.'],
  invalid_value: [422, 'A value is not allowed; the message says why.'],
  unreadable_file: [422, 'The file cannot be read as CSV in UTF-8.'],
  wrong_columns: [422, 'The heading of the file lacks columns.'],
  unwritable_file: [500, 'The file cannot be written.'],
  schema_outdated: [503, 'The schema of the database is not up to date.'],
  no_database: [404, 'There is no database at this place.'],
  database_unreachable: [503, 'The database cannot be reached.'],
  wrong_settings: [500, 'The settings are wrong; the message says which.'],
  address_unusable: [500, 'The service cannot listen at its address.'],
  already_served: [409, 'Another service is running on the same DATA_DIR.'],
} as const satisfies Codes;

/** What only people at a page can be told. */
const PAGE_CODES = {
  foreign_form: [403, 'The form was not sent from a page of ours.'],
  session_missing: [401, 'Nobody is signed in, or the session has ended.'],
  insecure_connection: [403, 'Nobody signs in where others could listen.'],
  sign_in_refused: [422, 'Address and password, or the code, do not go together.'],
  role_missing: [403, 'Somebody with another role has to do this.'],
  session_not_found: [404, 'There is no such session.'],
  link_invalid: [410, 'The link has ended, was used, or a newer one took its place.'],
} as const satisfies Codes;

export type StoreErrorCode = keyof typeof ERROR_CODES;

export type ErrorCode = StoreErrorCode | keyof typeof OPERATOR_CODES | keyof typeof PAGE_CODES;

/** Made once: it is asked for thousands of times while the documentation is made. */
const ALL_CODES = { ...ERROR_CODES, ...OPERATOR_CODES, ...PAGE_CODES };

export function statusOf(code: ErrorCode): number {
  return ALL_CODES[code][0];
}
