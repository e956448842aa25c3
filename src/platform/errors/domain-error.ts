import type { ErrorCode } from './error-codes.js';
import type { FieldError } from './field-error.js';

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
