import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { Response } from 'express';
import { translateDatabaseError } from '../database/database-error.js';
import { DomainError } from '../errors/domain-error.js';
import { snakeCase } from '../snake-case.js';
import type { ApiRequest } from './api-request.js';
import { sendError } from './send-answer.js';

/** Turns every exception into a JSON answer. Pages have a filter of their own. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    const error = publicError(thrown, request.id, this.logger);
    request.failure = error;
    if (response.headersSent) {
      // Half an answer is sent already: only a broken connection shows the client not to trust it.
      response.destroy();
      response.end();
      return;
    }
    sendError(response, request.adminKey ? withFieldsOfBody(error) : error, request);
  }
}

/** Readers of records name fields as the code does. The bodies of the admin API have names in snake_case. */
function withFieldsOfBody(error: DomainError): DomainError {
  const { code, message, facts, errors, cause } = error;
  if (code !== 'invalid_value' || !errors) return error;
  const renamed = errors.map((fault) => ({ ...fault, field: snakeCase(fault.field) }));
  return new DomainError(code, message, { facts, errors: renamed, cause });
}

/** The error that the caller may see. A bug is logged, and reported without its reason. */
export function publicError(thrown: unknown, requestId: string, logger: Logger): DomainError {
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
    { cause: error },
  );
}
