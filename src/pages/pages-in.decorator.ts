import {
  applyDecorators,
  type ArgumentsHost,
  type CallHandler,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Logger,
  type NestInterceptor,
  StreamableFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { ApiRequest } from '../platform/http/api-request.js';
import { errorToTell } from '../platform/http/error-filter.js';
import { errorPage } from './error-page.js';
import { answerOf } from './page-answers.js';
import { setPageHeaders } from './page-headers.js';
import type { Frame, Page, SeeOther } from './page.js';
import { SameOriginGuard } from './same-origin.guard.js';

/** Marks a controller of pages. Only our own pages may send its forms. */
export function PagesIn(frame: Frame): ClassDecorator {
  return applyDecorators(ApiExcludeController(), UseGuards(SameOriginGuard), AnswersWithPages(frame));
}

/** Handlers return a `Page`, a `SeeOther` or a file. Errors become pages too. */
export function AnswersWithPages(frame: Frame): ClassDecorator & MethodDecorator {
  return applyDecorators(UseInterceptors(new PageInterceptor(frame)), UseFilters(new PageErrorFilter(frame)));
}

/** Turns the handler's result into the answer for the browser. */
export class PageInterceptor implements NestInterceptor {
  constructor(private readonly frame: Frame) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<Page | SeeOther | StreamableFile>,
  ): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    request.isBegun = true;
    return next.handle().pipe(
      map((result) => {
        if (!(result instanceof StreamableFile)) return answerOf(result, this.frame, request);
        // Nest sends the file.
        setPageHeaders(http.getResponse<Response>());
        return result;
      }),
    );
  }
}

/** The only place that turns an error into a page. */
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
      // Part of a file was sent: only a broken connection tells the browser to discard it.
      response.destroy();
      return;
    }
    if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds);
    const result = this.frame.answerTo?.(error, request) ?? errorPage(error, request, this.frame.home);
    answerOf(result, this.frame, request).send(response);
  }
}
