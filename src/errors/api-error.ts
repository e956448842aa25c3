import { ERROR_CODES, type ErrorCode } from './error-codes.js';
import type { FieldError } from './field-error.js';

interface ApiErrorDetails {
  /** Extra facts that stand at the top level of the body, such as the number of the order that exists already. */
  facts?: Record<string, unknown>;
  errors?: FieldError[];
  headers?: Record<string, string>;
  cause?: unknown;
}

/** What a caller is to be told. Thrown anywhere, turned into the one error body in one place. */
export class ApiError extends Error {
  readonly status: number;
  readonly facts: Record<string, unknown>;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { facts = {}, errors, headers = {}, cause }: ApiErrorDetails = {},
  ) {
    super(message, { cause });
    this.status = ERROR_CODES[code][0];
    this.facts = facts;
    this.errors = errors;
    this.headers = headers;
  }
}
