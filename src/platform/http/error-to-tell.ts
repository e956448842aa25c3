import { HttpException, type Logger, NotFoundException } from '@nestjs/common';
import { translateDatabaseError } from '../database/database-error.js';
import { DomainError } from '../errors/domain-error.js';

/** What whoever asked may know of what was thrown. A fault of ours is logged, and told without its reason. */
export function errorToTell(thrown: unknown, requestId: string, logger: Logger): DomainError {
  const error = translateDatabaseError(thrown);
  if (error instanceof DomainError) return error;
  if (error instanceof NotFoundException)
    return new DomainError('route_not_found', 'There is no such address.');
  if (error instanceof HttpException && error.getStatus() < 500) {
    return new DomainError('malformed_request', 'The request could not be understood.', { cause: error });
  }
  logger.error(`Request ${requestId} failed`, error instanceof Error ? error.stack : String(error));
  return new DomainError(
    'internal_error',
    'Something went wrong on our side. Please report the request_id.',
    {
      cause: error,
    },
  );
}
