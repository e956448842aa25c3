type Codes = Record<string, readonly [status: number, meaning: string]>;
type CodesWithAdvice = Record<string, readonly [status: number, meaning: string, advice: string]>;

/** All codes of the store API: status, meaning, and advice for a store. The documentation is made from it. */
export const ERROR_CODES = {
  malformed_json: [
    400,
    'The body is not well-formed JSON in UTF-8, is nested too deeply, or has a field twice.',
    'Let a library write the JSON.',
  ],
  body_too_complex: [
    400,
    'The body has more than 10,000 values, an object with more than 200 fields, or more than 4,096 chunks.',
    'Send less in one request.',
  ],
  malformed_path: [
    400,
    'The path holds a percent sequence that is not valid UTF-8.',
    'Percent-encode the SKU or the number.',
  ],
  malformed_request: [
    400,
    'The request is not well-formed HTTP, or its query is not UTF-8 in percent-encoding.',
    'Check the HTTP client and the proxies before it.',
  ],
  token_missing: [
    401,
    'The header `Authorization: Bearer <token>` is missing.',
    'Send the header with every request.',
  ],
  token_invalid: [
    401,
    'The token is unknown or revoked, its client is suspended, or the header is malformed.',
    'The message tells which. Compare the token with the page API access, or create a new one.',
  ],
  domain_missing: [403, 'The header `X-Client-Domain` is missing.', 'Send the header with every request.'],
  domain_mismatch: [
    403,
    'The token belongs to another domain than `X-Client-Domain` names.',
    'Send the domain that the page API access shows beside the token.',
  ],
  token_not_allowed: [
    403,
    'The token may not do this: a read-only token cannot place, change or cancel orders or see ' +
      'recipients, and a test token is for test orders only. `X-Test-Failure` works only with a test token.',
    'Use the token that the message names.',
  ],
  subscription_inactive: [
    403,
    'The client has no active subscription. Orders that were paid can still be read one by one, with their ' +
      'parcels and documents, and returned.',
    'Ask the wholesaler to renew it. Until then, read paid orders with `GET /api/orders/{order_number}`.',
  ],
  returns_in_dashboard: [
    403,
    'The wholesaler takes returns in the dashboard only.',
    'Ask for the return in the dashboard, on the page of the order.',
  ],
  product_not_found: [404, 'There is no active product with this SKU.', 'Delete it from your shop.'],
  order_not_found: [
    404,
    'You have no order with this number.',
    'Check the number. If the order got no answer, place it again with the same `store_order_id`.',
  ],
  document_not_found: [
    404,
    'You have no invoice, note or receipt with this number.',
    'Take the `url` from the documents of the order.',
  ],
  route_not_found: [
    404,
    'The API has no such address.',
    'The message names a similar address, if there is one.',
  ],
  method_not_allowed: [
    405,
    'The address does not support this method. `Allow` lists the methods that it supports.',
    'Use one of those.',
  ],
  request_timeout: [408, 'The request took too long to arrive.', 'Send it again.'],
  duplicate_order: [
    409,
    'You already have an order with this `store_order_id`, or a cancelled one with this `Idempotency-Key`; ' +
      'the body has its number and status.',
    'If its `status` is `cancelled`, it will not ship: order again with a new id. Else, if ' +
      '`same_content` is true, your order is placed: carry on. Else the id belongs to another order.',
  ],
  price_changed: [
    409,
    'The total differs from `expected_total`; no order was created.',
    'Show your customer the new total, then order with it.',
  ],
  illegal_transition: [
    409,
    'The status of the test order does not allow this step.',
    'Read the status of the order; the message says what does not fit.',
  ],
  not_cancellable: [409, 'The order was paid and can no longer be cancelled here.', 'Ask the wholesaler.'],
  not_changeable: [
    409,
    'The order is being packed, has left, was cancelled or was changed too often, so its delivery can no ' +
      'longer be changed here.',
    'Ask the wholesaler, who can change it until the order has left.',
  ],
  not_returnable: [
    409,
    'The units cannot be returned: they are not shipped yet, are being returned already, or the order has ' +
      'too many returns.',
    'Read the message, then the status of the order: `shipped` and `returned` of its lines.',
  ],
  duplicate_return: [
    409,
    'The order has a return with this `store_return_id` and other content; the body has its number.',
    'Send a new id with each new return.',
  ],
  sync_token_expired: [
    410,
    'The `since` token is no longer valid. Read the full list once, without `since`.',
    'Replace your copy with the full list.',
  ],
  body_too_large: [413, 'The body is larger than 256 KB.', 'Shorten the notes and the texts.'],
  unsupported_media_type: [
    415,
    'The body must be `application/json` in UTF-8, not compressed.',
    'Send `Content-Type: application/json`.',
  ],
  expectation_failed: [417, 'The service does not support this `Expect` header.', 'Do not send `Expect`.'],
  validation_failed: [
    422,
    'Fields are missing or invalid; `errors` lists all of them.',
    'Correct every field in `errors`, then send it again.',
  ],
  idempotency_key_reused: [
    422,
    'The `Idempotency-Key` belongs to an order with other content; the body has its number.',
    'Send a new key with each new order.',
  ],
  unpaid_limit_reached: [
    422,
    'This order would exceed your limit for unpaid orders; the body has the numbers. Pay or cancel ' +
      'orders first.',
    'Pay for orders in the dashboard. Auto-pay does it at once.',
  ],
  rate_limited: [
    429,
    'Too many requests of this client, with all its tokens, or too many at once. Retry after ' +
      '`Retry-After` seconds.',
    'Ask for changes with `since` instead of full lists.',
  ],
  headers_too_large: [
    431,
    'The address and the headers of the request are larger than 64 KB together.',
    'Name fewer SKUs or orders in one request, and send no other headers than you need.',
  ],
  internal_error: [
    500,
    'An error of the service. Nothing was changed; please report the `request_id`.',
    'Send it again; an order with the same `store_order_id`.',
  ],
  unavailable: [
    503,
    'The database is not available at the moment. Retry after `Retry-After` seconds.',
    'Send it again; an order with the same `store_order_id`.',
  ],
} as const satisfies CodesWithAdvice;

/** The codes of single fields, in `errors` of a refusal and of a quote. */
export const FIELD_CODES = {
  required: 'It is missing, null or blank.',
  wrong_type: 'It has another JSON type.',
  invalid_text: 'It has a character that is not allowed.',
  too_long: 'It has too many characters.',
  not_whole: 'It is not a whole number.',
  too_small: 'The number is too small.',
  too_large: 'The number is too large.',
  too_precise: 'The amount has more than two decimals.',
  too_few: 'The list has too few entries.',
  too_many: 'The list has too many entries.',
  malformed: 'It does not have the form of such a value.',
  unknown_value: 'It is not one of the allowed values.',
  unknown_parameter: 'There is no such parameter, field or header; `meant` names the right one.',
  no_body: 'The address takes no body; the message says what it does.',
  not_combinable: 'It cannot be combined with other parameters.',
  invalid_email: 'It is not an e-mail address.',
  invalid_phone: 'It is not a phone number of the country.',
  invalid_pincode: 'It is not a PIN code of the country.',
  unknown_state:
    'It is not a state of India, as invoices need it; the message names the one of the PIN code.',
  country_not_served: 'Orders do not go to this country; the message names the others.',
  unknown_sku: 'There is no active product with this SKU.',
  variation_required: 'The product has variations; `valid_keys` lists them.',
  unknown_variation: 'The product has no such variation; `valid_keys` lists them.',
  ambiguous_variation: 'The text fits more than one variation; `valid_keys` lists its readings.',
  insufficient_stock: 'Fewer are for sale than `requested`; `available` says how many.',
  price_changed: 'In a quote: the total differs from `expected_total`.',
  unpaid_limit_reached: 'In a quote: the order would exceed the limit for unpaid orders.',
} as const;

/** Errors of the admin API and of the wholesaler's commands. */
const OPERATOR_CODES = {
  key_missing: [401, 'The header `Authorization: Bearer <admin key>` is missing.'],
  key_invalid: [401, 'The admin key is unknown, revoked or has ended, or the header is malformed.'],
  address_not_allowed: [403, 'The admin key does not work from this address.'],
  key_not_found: [404, 'There is no admin key with this number.'],
  precondition_failed: [412, 'The order was changed since you read it: `If-Match` names an older state.'],
  person_not_found: [404, 'There is no such person.'],
  client_not_found: [404, 'There is no client with this id.'],
  client_ambiguous: [409, 'Several clients have this name.'],
  order_ambiguous: [409, 'Several orders have this id or this shortened number.'],
  plan_not_found: [404, 'There is no plan with this code.'],
  packing_list_not_found: [404, 'There is no packing list with this number.'],
  return_not_found: [404, 'There is no return with this number.'],
  scheduled_change_not_found: [404, 'There is no scheduled change of prices with this number.'],
  payment_not_found: [404, 'There is no payment with this id.'],
  transfer_not_found: [404, 'There is no bank transfer with this number.'],
  request_not_found: [404, 'There is no such request, or it was deleted.'],
  domain_not_found: [404, 'The client is not allowed this domain.'],
  token_not_found: [404, 'There is no token with this id.'],
  idempotency_key_in_use: [
    409,
    'An earlier request with this `Idempotency-Key` has not ended, or was cut off. Read what it did before ' +
      'you use another key.',
  ],
  conflict: [409, 'The change contradicts what is stored; the message says how.'],
  total_changed: [409, 'The total has changed since it was shown; nothing was paid.'],
  payment_underway: [409, 'A payment for this is being processed.'],
  too_many_payments: [422, 'The client has too many unpaid payments; the message says what to do.'],
  insufficient_balance: [409, 'The wallet holds less than this needs.'],
  signature_invalid: [400, 'The signature of the gateway is missing or wrong.'],
  gateway_refused: [502, 'The gateway refused the request; the message says why.'],
  gateway_unavailable: [503, 'The gateway cannot be reached, or there is none.'],
  mail_undelivered: [502, 'The mail server did not accept the mail; the message says why.'],
  import_running: [409, 'Another import of the same kind is running.'],
  import_refused: [
    422,
    'With `all_or_nothing`, a row was refused, so nothing was written. `refused` counts the rows, `errors` ' +
      'has the first 1,000 reasons with `line` and column. `dry_run` with `failed_file` reports all.',
  ],
  import_not_found: [404, 'There is no such import, or its files were deleted.'],
  invalid_value: [422, 'A value is not allowed; the message says why.'],
  file_too_large: [422, 'The file needs more memory than one may use.'],
  unreadable_file: [422, 'The file cannot be read as CSV in UTF-8.'],
  wrong_columns: [422, 'The heading row of the file lacks columns or misspells one.'],
  unwritable_file: [500, 'The file cannot be written.'],
  schema_outdated: [503, 'The schema of the database is not up to date.'],
  schema_unknown: [
    503,
    'The schema of the database does not belong to this version; the message says what to do.',
  ],
  no_database: [404, 'There is no database here.'],
  database_unreachable: [503, 'The database cannot be reached.'],
  wrong_settings: [500, 'The settings are wrong; the message says which.'],
  address_unusable: [500, 'The service cannot listen at its address.'],
} as const satisfies Codes;

/** Errors of the pages. */
const PAGE_CODES = {
  foreign_form: [403, 'The form was sent from another site.'],
  session_missing: [401, 'You are not signed in, or your session has ended.'],
  insecure_connection: [403, 'Signing in needs HTTPS, except on the machine itself.'],
  sign_in_refused: [422, 'The e-mail address, the password or the code is wrong.'],
  role_missing: [403, 'This needs another role.'],
  second_step_missing: [403, 'This needs a second step for signing in.'],
  session_not_found: [404, 'There is no such session.'],
  link_invalid: [410, 'The link has expired, was used, or was replaced by a newer one.'],
} as const satisfies Codes;

export type StoreErrorCode = keyof typeof ERROR_CODES;

export type FieldCode = keyof typeof FIELD_CODES;

export type ErrorCode = StoreErrorCode | keyof typeof OPERATOR_CODES | keyof typeof PAGE_CODES;

/** The place of the code in the guide. */
export const errorAnchor = (code: string) => `error-${code}`;

/** Made once, because checks of stock answer errors thousands of times. */
const DOC_URLS = new Map(Object.keys(ERROR_CODES).map((code) => [code, `/docs/guide#${errorAnchor(code)}`]));

/** Undefined for a code that only commands and pages have. */
export function docUrlOf(code: ErrorCode): string | undefined {
  return DOC_URLS.get(code);
}

/** Made once, because the documentation reads it thousands of times. */
const ALL_CODES = { ...ERROR_CODES, ...OPERATOR_CODES, ...PAGE_CODES };

/** For people who read the documentation. */
export function meaningOf(code: ErrorCode): string {
  return ALL_CODES[code][1];
}

export function statusOf(code: ErrorCode): number {
  return ALL_CODES[code][0];
}
