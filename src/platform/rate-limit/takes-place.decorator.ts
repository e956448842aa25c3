import { type CanActivate, type ExecutionContext, UseGuards } from '@nestjs/common';
import type { ApiRequest } from '../http/api-request.js';

/**
 * For routes that ask the database. Each takes one of its client's places, or waits for one, before its body is read. Reads from memory take
 * none: they go on while everything that a client asks the database for hangs. A guard, which runs behind the one that grants access: an interceptor costs
 * Nest a dozen promises and an observable, and that was a tenth of a status poll.
 */
export function TakesPlace(): ClassDecorator {
  return UseGuards(PLACE_TAKER);
}

const PLACE_TAKER: CanActivate = {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const entered = context.switchToHttp().getRequest<ApiRequest>().spending?.enter();
    return entered ? entered.then(() => true) : true;
  },
};
