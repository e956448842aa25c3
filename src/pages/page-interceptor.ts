import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { ApiRequest } from '../platform/http/api-request.js';
import { answerOf } from './answer-of.js';
import type { Frame } from './frame.js';
import type { Page } from './page.js';
import { setPageHeaders } from './page-headers.js';
import type { SeeOther } from './see-other.js';

/** Makes of what a door's handlers give back what a browser gets. */
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
        // Nest sends it.
        setPageHeaders(http.getResponse<Response>());
        return result;
      }),
    );
  }
}
