import type { ErrorCode } from './error-codes.js';

/** One fault of one field, as it stands in the `errors` of a 422. */
export interface FieldError {
  field: string;
  code: string;
  message: string;
  [fact: string]: unknown;
}

interface Details {
  /** Extra facts for whoever asked, such as the number of the order that exists already. */
  facts?: Record<string, unknown>;
  errors?: FieldError[];
  /** When asking again makes sense. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** Why something was not done. Each door translates it into its own words: a status and a body, an exit status and a line. */
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

/** The outcome is unknown or the database is away; the same may be asked for again safely. */
export function unavailable(cause?: unknown): DomainError {
  const message = 'The service cannot reach its database right now. Please repeat the request.';
  return new DomainError('unavailable', message, { retryAfterSeconds: 2, cause });
}
