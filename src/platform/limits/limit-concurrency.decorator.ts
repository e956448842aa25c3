import { type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import type { ApiRequest } from '../http/api-request.js';
import type { TimedResponse } from '../http/app-messages.js';
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
 * after the body is read; a large body keeps its slot, and a test order, which joins no batch.
 */
export function ReleaseAfterBody(): MethodDecorator {
  return UseGuards(SLOT_RELEASER);
}

const SLOT_RELEASER: CanActivate = {
  canActivate(context: ExecutionContext): true {
    const { bodyBytes = 0, cost, holder } = context.switchToHttp().getRequest<ApiRequest>();
    if (bodyBytes <= SMALL_BYTES && holder?.token.kind !== 'test') cost?.releaseSlot();
    return true;
  },
};

/**
 * For a route without a token that queries the database: it waits for a slot of the anonymous limit. It
 * stands above the decorator of the body, so that a slow sender holds no slot.
 */
export function LimitAnonymous(): MethodDecorator {
  return UseGuards(AnonymousLimitGuard);
}

@Injectable()
class AnonymousLimitGuard implements CanActivate {
  constructor(private readonly limit: AnonymousLimit) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const response = http.getResponse<TimedResponse>();
    response.whenOver(await this.limit.acquire(callerNetwork(http.getRequest<ApiRequest>()), response));
    return true;
  }
}
