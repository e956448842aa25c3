import {
  type CallHandler,
  type ExecutionContext,
  mixin,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { ApiRequest } from './api-request.js';
import { type BodyKind, readBody } from './read-body.js';

/**
 * Reads the body of the routes that take one. An interceptor, because those run after the guards and before the pipes: a
 * body is looked at only once access is granted, and the other routes have no parser at all.
 */
export function bodyInterceptor(kind: BodyKind, parse: (bytes: Buffer) => object): Type<NestInterceptor> {
  class BodyInterceptor implements NestInterceptor {
    async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
      const request = context.switchToHttp().getRequest<ApiRequest>();
      const bytes = await readBody(request, kind);
      request.bodyBytes = bytes.length;
      request.body = parse(bytes);
      return next.handle();
    }
  }
  return mixin(BodyInterceptor);
}
