import type { ErrorCode } from './error-codes.js';

/** One fault of one field, as in the `errors` of a 422. */
export interface FieldError {
  field: string;
  code: string;
  message: string;
  [fact: string]: unknown;
}

interface ErrorDetails {
  /** Extra facts for the caller, such as the number of the existing order. */
  facts?: Record<string, unknown>;
  errors?: FieldError[];
  /** When a retry makes sense. */
  retryAfterSeconds?: number;
  /** Why a database that can be reached did not do its work. */
  reason?: string;
  cause?: unknown;
}

/**
 * The reason of a refusal or failure. The API translates it into a status and a body, a command into an exit
 * status and a line.
 */
export class DomainError extends Error {
  readonly facts: Record<string, unknown>;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: string | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { facts = {}, errors, retryAfterSeconds, reason, cause }: ErrorDetails = {},
  ) {
    super(message, { cause });
    this.facts = facts;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
    this.reason = reason;
  }
}

/** A 422 that reports every fault. */
export function validationFailed(errors: FieldError[]): DomainError {
  const message =
    errors.length === 1 ? '1 field needs attention.' : `${errors.length} fields need attention.`;
  return new DomainError('validation_failed', message, { errors });
}

/** The reason of a statement that ran too long. */
export const TOO_MUCH = 'The request was too large for the database, or waited too long';

/** The outcome is unknown or the database is away, or `reason` says why it cannot. A retry is safe. */
export function unavailable(cause?: unknown, reason?: string): DomainError {
  const what = reason ?? 'The service cannot reach its database right now';
  const advice = reason === TOO_MUCH ? 'Ask for less at once, or' : 'Please';
  const message = `${what}. ${advice} repeat the request.`;
  return new DomainError('unavailable', message, { retryAfterSeconds: 2, reason, cause });
}
