import { EmbeddedDatabaseError } from '../server/embedded-postgres/programs.js';
import { RefusedError } from './api/admin-client.js';
import { NoServiceError } from './api/connection.js';
import { DomainError } from '../platform/errors/domain-error.js';

export interface ErrorText {
  code: string;
  message: string;
}

/** Only unexpected errors show their stack. */
export function describeError(error: unknown): ErrorText {
  if (error instanceof DomainError) return { code: error.code, message: messageOf(error) };
  if (error instanceof RefusedError) return { code: error.code, message: error.message };
  if (error instanceof NoServiceError) return { code: 'no_service', message: error.message };
  if (error instanceof EmbeddedDatabaseError) return { code: 'database_unreachable', message: error.message };
  return {
    code: 'internal_error',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

function messageOf(error: DomainError): string {
  return error.code === 'unavailable'
    ? `${error.reason ?? 'The database could not be reached'}: ${String(error.cause)}`
    : error.message;
}
