import { Global, Inject, Injectable, Module } from '@nestjs/common';
import { DomainError, TOO_MUCH, unavailable } from '../errors/domain-error.js';
import type { RequestCost } from '../http/api-request.js';
import type { TimedResponse } from '../http/app-messages.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { Allowance } from './allowance.js';
import {
  FileQueue,
  type Release,
  PersonLimit,
  ConcurrencyLimit,
  AnonymousLimit,
  tooManyAtOnce,
} from './concurrency-limit.js';

const SWEEP_INTERVAL_MS = 60_000;

/**
 * Limits each client's work in a minute and at the same time, in this process. All tokens of a client share
 * both limits, because clients create tokens themselves. Only requests with known tokens are counted, so
 * invented tokens cannot fill the memory.
 */
@Injectable()
export class RateLimiter {
  private readonly perMinute: number;
  private readonly allowances = new Map<number, Allowance>();
  private readonly limit = new ConcurrencyLimit<number>(tooManyAtOnce, {}, () =>
    unavailable(undefined, TOO_MUCH),
  );
  private sweptAt = 0;

  constructor(@Inject(SETTINGS) { rateLimitPerMinute }: Settings) {
    this.perMinute = rateLimitPerMinute;
  }

  /** Counts a request. The response headers report the rest of the limit. */
  spend(clientId: number, response: TimedResponse): RequestCost {
    const now = performance.now();
    const allowance = this.perMinute === 0 ? undefined : this.allowanceOf(clientId, now);
    const isGranted = allowance?.take(now) ?? true;
    const spent = new CountedRequest(clientId, response, this.limit, allowance);
    spent.setHeaders();
    if (!isGranted) throw rateLimited(allowance!);
    return spent;
  }

  /** Answers as if the limit were used up. */
  refuse(response: TimedResponse): never {
    if (this.perMinute === 0) throw tooManyAtOnce();
    const used = new Allowance(this.perMinute, performance.now());
    used.charge(this.perMinute);
    response.limitLines = limitLines(used);
    throw rateLimited(used);
  }

  private allowanceOf(clientId: number, now: number): Allowance {
    if (now - this.sweptAt > SWEEP_INTERVAL_MS) this.sweep(now);
    let allowance = this.allowances.get(clientId);
    if (!allowance) this.allowances.set(clientId, (allowance = new Allowance(this.perMinute, now)));
    return allowance;
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [clientId, allowance] of this.allowances) {
      if (allowance.isFull(now)) this.allowances.delete(clientId);
    }
  }
}

class CountedRequest implements RequestCost {
  private release: Release | undefined;

  constructor(
    private readonly clientId: number,
    private readonly response: TimedResponse,
    private readonly limit: ConcurrencyLimit<number>,
    private readonly allowance: Allowance | undefined,
  ) {}

  acquireSlot(): void | Promise<void> {
    const acquired = this.limit.acquire(this.clientId, this.response);
    if (acquired instanceof Promise) return acquired.then((release) => this.keep(release));
    this.keep(acquired);
  }

  releaseSlot(): void {
    this.release?.();
  }

  charge(units: number): void {
    this.allowance?.charge(units);
    this.setHeaders();
  }

  refund(): void {
    this.allowance?.giveBack();
    this.setHeaders();
  }

  setHeaders(): void {
    if (this.allowance) this.response.limitLines = limitLines(this.allowance);
  }

  private keep(release: Release): void {
    this.release = release;
    this.response.whenOver(release);
  }
}

function limitLines({ perMinute, remaining, secondsUntilFull }: Allowance) {
  return [
    'RateLimit-Limit',
    perMinute,
    'RateLimit-Remaining',
    remaining,
    'RateLimit-Reset',
    secondsUntilFull,
  ];
}

function rateLimited({ perMinute, secondsUntilNext }: Allowance): DomainError {
  return new DomainError(
    'rate_limited',
    `This client may spend ${perMinute} units a minute, with all its tokens together. Retry in ` +
      `${secondsUntilNext} s. Large requests cost more than one unit; a 304 from memory costs none.`,
    { retryAfterSeconds: secondsUntilNext },
  );
}

@Global()
@Module({
  providers: [FileQueue, PersonLimit, RateLimiter, AnonymousLimit],
  exports: [FileQueue, PersonLimit, RateLimiter, AnonymousLimit],
})
export class RateLimitModule {}
