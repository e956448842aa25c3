import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiRequest } from './api-request.js';
import { errorToTell } from './error-to-tell.js';
import { sendError } from './send-answer.js';

/** The one place where whatever was thrown becomes an answer in JSON. Pages have a filter of their own. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    const error = errorToTell(thrown, request.id, this.logger);
    request.failure = error;
    if (response.headersSent) {
      // Half an answer is out already: only a broken connection can tell the client not to trust it.
      response.destroy();
      response.end();
      return;
    }
    sendError(response, error, request.id);
  }
}
