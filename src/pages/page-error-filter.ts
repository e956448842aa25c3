import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiRequest } from '../platform/http/api-request.js';
import { errorToTell } from '../platform/http/error-to-tell.js';
import { answerOf } from './answer-of.js';
import { errorPage } from './error-page.js';
import type { Frame } from './frame.js';

/** The one place where whatever was thrown becomes a page, in the frame of its door. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(PageErrorFilter.name);

  constructor(private readonly frame: Frame) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    const error = errorToTell(thrown, request.id, this.logger);
    request.failure = error;
    if (response.headersSent) {
      // Half a file is out already: only a broken connection can tell the browser not to trust it.
      response.destroy();
      return;
    }
    if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds);
    const result = this.frame.answerTo?.(error, request) ?? errorPage(error, request, this.frame.home);
    answerOf(result, this.frame, request).send(response);
  }
}
