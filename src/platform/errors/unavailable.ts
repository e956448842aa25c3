import { DomainError } from './domain-error.js';

/** The outcome is unknown or the database is away; the same may be asked for again safely. */
export function unavailable(cause?: unknown): DomainError {
  const message = 'The service cannot reach its database right now. Please repeat the request.';
  return new DomainError('unavailable', message, { retryAfterSeconds: 2, cause });
}
