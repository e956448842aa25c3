import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import type { ApiRequest } from '../http/api-request.js';
import { callerNetwork } from '../http/caller-address.js';
import { StrangerPlaces } from './places.js';

/**
 * For routes that ask the database. Each request takes one of its client's places before its body is read, or waits for one.
 * Reads from memory take none: they go on while the database hangs. A guard, because an interceptor costs Nest a dozen
 * promises and an observable: a tenth of a status poll.
 */
export function TakesPlace(): ClassDecorator {
  return UseGuards(PLACE_TAKER);
}

/** For a route whose requests are looked up together, on connections that all clients share. */
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

/** What waits stays in memory: hundreds of bodies of this size are no matter. */
const SMALL_BYTES = 16_384;

/**
 * For a route whose requests wait for a common batch: meanwhile they hold no connection. The place is given back when the body
 * was read, but a large body keeps its place. Stands above `@TakesJson()`.
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

/**
 * For a route without a token that asks the database: it waits for one of the places that strangers share. Stands above the
 * decorator of the body, so that a slow sender holds no place. The place is given back when the work is over.
 */
export function TakesOpenPlace(): MethodDecorator {
  return UseInterceptors(OpenPlaceInterceptor);
}

@Injectable()
class OpenPlaceInterceptor implements NestInterceptor {
  constructor(private readonly places: StrangerPlaces) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const network = callerNetwork(http.getRequest<ApiRequest>());
    const leave = await this.places.enter(network, http.getResponse<Response>());
    return next.handle().pipe(finalize(leave));
  }
}
