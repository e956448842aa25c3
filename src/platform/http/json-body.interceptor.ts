import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { ApiRequest } from './api-request.js';
import { parseJson } from './parse-json.js';
import { readBody } from './read-body.js';

/**
 * Reads the body of the routes that take one. An interceptor, because those run after the guards and before the pipes: a
 * body is looked at only once access is granted, and the other routes have no parser at all.
 */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    request.body = parseJson(await readBody(request));
    return next.handle();
  }
}
