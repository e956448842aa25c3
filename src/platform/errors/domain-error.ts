import type { ErrorCode } from './error-codes.js';

/** One fault of one field, as in the `errors` of a 422. */
export interface FieldError {
  field: string;
  code: string;
  message: string;
  [fact: string]: unknown;
}

interface Details {
  /** Extra facts for the caller, such as the number of the existing order. */
  facts?: Record<string, unknown>;
  errors?: FieldError[];
  /** When a retry makes sense. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/**
 * The reason of a refusal or failure. Each door translates it: into a status and a body, or an exit status
 * and a line.
 */
export class DomainError extends Error {
  readonly facts: Record<string, unknown>;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { facts = {}, errors, retryAfterSeconds, cause }: Details = {},
  ) {
    super(message, { cause });
    this.facts = facts;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 422 with every fault at once. */
export function validationFailed(errors: FieldError[]): DomainError {
  const message =
    errors.length === 1 ? '1 field needs attention.' : `${errors.length} fields need attention.`;
  return new DomainError('validation_failed', message, { errors });
}

/** The outcome is unknown or the database is away. A retry is safe. */
export function unavailable(cause?: unknown): DomainError {
  const message = 'The service cannot reach its database right now. Please repeat the request.';
  return new DomainError('unavailable', message, { retryAfterSeconds: 2, cause });
}
