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
import { StrangerPlaces } from './concurrency-limit.js';

/**
 * For a route that queries the database. Each request takes one of its client's slots, or waits for one,
 * before its body is read. Reads from memory take none: they continue while the database hangs. It is a
 * guard, because an interceptor costs a tenth of a status poll.
 */
export function TakesPlace(): MethodDecorator {
  return UseGuards(PLACE_TAKER);
}

const PLACE_TAKER: CanActivate = {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const entered = context.switchToHttp().getRequest<ApiRequest>().spending?.enter();
    return entered ? entered.then(() => true) : true;
  },
};

/** Waiting bodies stay in memory; hundreds of this size are no problem. */
const SMALL_BYTES = 16_384;

/**
 * For a route whose requests wait for a common batch and hold no connection meanwhile. The slot is released
 * after the body is read; a large body keeps its slot.
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
 * For a route without a token that queries the database: it waits for a slot of the anonymous limit. It
 * stands above the decorator of the body, so that a slow sender holds no slot.
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
