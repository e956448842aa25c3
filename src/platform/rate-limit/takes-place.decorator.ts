import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { ApiRequest } from '../http/api-request.js';

/**
 * For routes that ask the database. Each takes one of its token's places, or waits for one, before its body is read. Reads from memory take
 * none: they go on while everything that a token asks the database for hangs.
 */
export function TakesPlace(): ClassDecorator {
  return UseInterceptors(PLACE_TAKER);
}

const PLACE_TAKER: NestInterceptor = {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    await context.switchToHttp().getRequest<ApiRequest>().spending?.enter();
    return next.handle();
  },
};
