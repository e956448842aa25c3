import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { ApiRequest } from '../http/api-request.js';

/** What waits stays in memory: hundreds of this size are no matter. */
const SMALL_BYTES = 16_384;

/**
 * For a route whose work is done together with that of others, on a connection that all of them share: while it waits for that it holds
 * nothing, so its place is given back when its body was read. One with a large body keeps it. Stands above `@TakesJson()`.
 */
export function LeavesPlace(): MethodDecorator {
  return UseInterceptors(PLACE_LEAVER);
}

const PLACE_LEAVER: NestInterceptor = {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { bodyBytes = 0, spending } = context.switchToHttp().getRequest<ApiRequest>();
    if (bodyBytes <= SMALL_BYTES) spending?.leave();
    return next.handle();
  },
};
