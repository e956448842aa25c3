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
import { AnonymousLimit } from './concurrency-limit.js';

/**
 * For a route that queries the database. Each request takes one of its client's slots, or waits for one,
 * before its body is read. Reads from memory take none: they continue while the database hangs. It is a
 * guard, because an interceptor costs a tenth of a status poll.
 */
export function LimitConcurrency(): MethodDecorator {
  return UseGuards(SLOT_GUARD);
}

const SLOT_GUARD: CanActivate = {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const acquired = context.switchToHttp().getRequest<ApiRequest>().cost?.acquireSlot();
    return acquired ? acquired.then(() => true) : true;
  },
};

/** Waiting bodies stay in memory; hundreds of this size are no problem. */
const SMALL_BYTES = 16_384;

/**
 * For a route whose requests wait for a common batch and hold no connection meanwhile. The slot is released
 * after the body is read; a large body keeps its slot.
 */
export function ReleaseAfterBody(): MethodDecorator {
  return UseInterceptors(SLOT_RELEASER);
}

const SLOT_RELEASER: NestInterceptor = {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { bodyBytes = 0, cost } = context.switchToHttp().getRequest<ApiRequest>();
    if (bodyBytes <= SMALL_BYTES) cost?.releaseSlot();
    return next.handle();
  },
};

/**
 * For a route without a token that queries the database: it waits for a slot of the anonymous limit. It
 * stands above the decorator of the body, so that a slow sender holds no slot.
 */
export function LimitAnonymous(): MethodDecorator {
  return UseInterceptors(AnonymousLimitInterceptor);
}

@Injectable()
class AnonymousLimitInterceptor implements NestInterceptor {
  constructor(private readonly limit: AnonymousLimit) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const network = callerNetwork(http.getRequest<ApiRequest>());
    const release = await this.limit.acquire(network, http.getResponse<Response>());
    return next.handle().pipe(finalize(release));
  }
}
