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

/** For one of them that asks together with others, on connections that all share. */
export function TakesNoPlace(): MethodDecorator {
  return (_target, _name, { value }) => void PLACELESS.add(value as object);
}

const PLACELESS = new WeakSet<object>();

const PLACE_TAKER: CanActivate = {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (PLACELESS.has(context.getHandler())) return true;
    const entered = context.switchToHttp().getRequest<ApiRequest>().spending?.enter();
    return entered ? entered.then(() => true) : true;
  },
};
