/** What the wholesaler's commands can be told, beside the codes of the API. */
export const REFUSALS = {
  client_not_found: 'There is no client with this id.',
  plan_not_found: 'There is no plan with this code.',
  token_not_found: 'There is no token with this id.',
  product_not_found: 'There is no product with this SKU.',
  order_not_found: 'There is no order with this number.',
  illegal_transition: 'The order is in a state that does not allow this.',
  invalid_value: 'A value is not allowed; the message says why.',
  conflict: 'The change contradicts what is stored; the message says how.',
  unreadable_file: 'The file cannot be read as CSV in UTF-8.',
  unwritable_file: 'The file cannot be written.',
  wrong_columns: 'The heading of the file lacks columns.',
  import_running: 'Another import of the same kind is at work.',
  schema_outdated: 'The schema of the database is not up to date.',
  database_unreachable: 'The database cannot be reached.',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** Tells the operator why something was not done. It has no HTTP status: no request can cause it. */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
