import {
  applyDecorators,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
  Post,
  StreamableFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { type ApiRequest, isRead } from '../../platform/http/api-request.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { publicError } from '../../platform/http/error-filter.js';
import { TakesForm } from '../../platform/http/bodies.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { errorPage } from './error-page.js';
import { answerOf, setPageHeaders } from './page-answers.js';
import type { Frame, Page, SeeOther } from './page.js';

/**
 * Refuses forms from other sites, because browsers send our cookie with them. Current browsers send
 * `Sec-Fetch-Site`, older ones `Origin`. A request with neither is refused.
 */
@Injectable()
class SameOriginGuard implements CanActivate {
  constructor(private readonly own: OwnAddress) {}

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<Request>();
    if (isRead(request) || this.isOurs(request)) return true;
    throw new DomainError(
      'foreign_form',
      'The form was not sent from our own page. Open the page and try again.',
    );
  }

  private isOurs({ headers, protocol }: Request): boolean {
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site === 'same-origin';
    const { origin, host } = headers;
    if (origin === undefined || !URL.canParse(origin)) return false;
    const sender = new URL(origin);
    // An attacker in the network can answer for http, not for https.
    const isAsSafe = sender.protocol === 'https:' || protocol === 'http';
    return origin === this.own.publicUrl || (sender.host === host && isAsSafe);
  }
}

/** Marks a controller of pages. Only our own pages may send its forms. */
export function PagesIn(frame: Frame): ClassDecorator {
  return applyDecorators(ApiExcludeController(), UseGuards(SameOriginGuard), AnswersWithPages(frame));
}

/** A route that receives a form with fields. */
export function PostForm(path = ''): MethodDecorator {
  return applyDecorators(Post(path), TakesForm());
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
    request.isStarted = true;
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
class PageErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(PageErrorFilter.name);

  constructor(private readonly frame: Frame) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    const error = publicError(thrown, request.id, this.logger);
    request.failure = error;
    if (response.headersSent) {
      // Part of a file was sent: only a broken connection tells the browser to discard it.
      response.destroy();
      return;
    }
    const result = this.frame.pageForError?.(error, request) ?? errorPage(error, request, this.frame.home);
    answerOf(result, this.frame, request).send(response);
  }
}
