import { Global, Inject, Injectable, Module } from '@nestjs/common';
import { DomainError, TOO_MUCH, unavailable } from '../errors/domain-error.js';
import type { ApiRequest, RequestCost } from '../http/api-request.js';
import type { TimedResponse } from '../http/app-messages.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { Allowance, Allowances, type Share } from './allowance.js';
import {
  FileQueue,
  type Release,
  PersonLimit,
  ConcurrencyLimit,
  AnonymousLimit,
  tooManyAtOnce,
} from './concurrency-limit.js';
import { resumeWork } from './work-meter.js';

/**
 * Limits each account's work in a minute, and each client's requests at the same time, in this process. All
 * tokens of a client share both limits, because clients create tokens themselves, and so do its people. Only
 * known tokens and people are counted, so invented ones cannot fill the memory.
 */
@Injectable()
export class RateLimiter {
  private readonly perMinute: number;
  private readonly clients: Readonly<Record<Share, Allowances<number>>>;
  private readonly people: Allowances<string>;
  private readonly keys: Allowances<number>;
  private readonly keyLimit = new ConcurrencyLimit<number>(() => tooManyAtOnce(MANY_OF_KEY));
  /** Reads of a client leave a slot for its orders and quotes. */
  private readonly limit = new ConcurrencyLimit<number>(tooManyAtOnce, { reserved: 1 }, () =>
    unavailable(undefined, TOO_MUCH),
  );

  constructor(@Inject(SETTINGS) { rateLimitPerMinute }: Settings) {
    this.perMinute = rateLimitPerMinute;
    this.clients = { ordering: new Allowances(this.perMinute), other: new Allowances(this.perMinute) };
    this.people = new Allowances(this.perMinute);
    this.keys = new Allowances(this.perMinute);
  }

  /** Counts a request of a store. The response headers report the rest of the limit. */
  spend(clientId: number, share: Share, response: TimedResponse): RequestCost {
    const now = performance.now();
    const allowance = this.clients[share].of(clientId, now);
    response.limit = allowance;
    if (allowance?.take(now) === false) throw rateLimited(allowance);
    const acquire = () => this.limit.acquire(clientId, response, share === 'ordering');
    return new CountedRequest(response, allowance, acquire);
  }

  /** Counts a request of a program of the wholesaler. Its slot is for the whole request. */
  spendOfKey(keyId: number, response: TimedResponse): RequestCost {
    const now = performance.now();
    const allowance = this.keys.of(keyId, now);
    response.limit = allowance;
    if (allowance?.take(now) === false) throw rateLimited(allowance, true);
    return new CountedRequest(response, allowance, () => this.keyLimit.acquire(keyId, response));
  }

  /** Counts a page or a file for the account of its person, who has a slot. */
  spendOfPerson(account: string, response: TimedResponse): RequestCost {
    const now = performance.now();
    const allowance = this.people.of(account, now);
    if (allowance?.take(now) === false) throw tooManyPages(allowance);
    return new CountedRequest(response, allowance, () => () => undefined);
  }

  /** Answers as if the limit were used up. */
  refuse(response: TimedResponse): never {
    if (this.perMinute === 0) throw tooManyAtOnce();
    const now = performance.now();
    const used = new Allowance(this.perMinute, now);
    used.charge(this.perMinute, now);
    response.limit = used;
    throw rateLimited(used);
  }
}

class CountedRequest implements RequestCost {
  /** The unit that was taken when the request came pays for its first work. */
  private prepaid = 1;
  private release: Release | undefined;

  constructor(
    private readonly response: TimedResponse,
    private readonly allowance: Allowance | undefined,
    private readonly acquire: () => Release | Promise<Release>,
  ) {}

  get request(): ApiRequest {
    return this.response.req as ApiRequest;
  }

  acquireSlot(): void | Promise<void> {
    const acquired = this.acquire();
    if (acquired instanceof Promise) return acquired.then((release) => this.takeTurn(release));
    this.keep(acquired);
  }

  releaseSlot(): void {
    this.release?.();
  }

  charge(units: number): void {
    const rest = units - this.prepaid;
    this.prepaid = Math.max(0, -rest);
    if (rest > 0) this.allowance?.charge(rest, performance.now());
  }

  refund(): void {
    this.allowance?.giveBack();
  }

  get usesDatabase(): boolean {
    return this.release !== undefined;
  }

  /** What the account did meanwhile may have cost more than it has. */
  private takeTurn(release: Release): void {
    this.keep(release);
    if (this.allowance?.hasDebt(performance.now())) throw rateLimited(this.allowance);
    resumeWork(this);
  }

  private keep(release: Release): void {
    this.release = release;
    this.response.whenOver(release);
  }
}

const MANY_OF_KEY = 'Too many requests of this key are waiting. Send fewer at once.';

function rateLimited({ perMinute, secondsUntilNext }: Allowance, isOfKey = false): DomainError {
  const [who, together] = isOfKey ? ['key', ''] : ['client', ', with all its tokens together'];
  return new DomainError(
    'rate_limited',
    `This ${who} may spend ${perMinute} units a minute${together}. Retry in ` +
      `${secondsUntilNext} s. Requests that take long cost more than one unit; a 304 from memory costs none.`,
    { retryAfterSeconds: secondsUntilNext },
  );
}

function tooManyPages({ secondsUntilNext: retryAfterSeconds }: Allowance): DomainError {
  const message =
    `Your pages and files took too much work in the last minutes. Try again in ${retryAfterSeconds} s. ` +
    'Large files count more than small ones.';
  return new DomainError('rate_limited', message, { retryAfterSeconds });
}

@Global()
@Module({
  providers: [FileQueue, PersonLimit, RateLimiter, AnonymousLimit],
  exports: [FileQueue, PersonLimit, RateLimiter, AnonymousLimit],
})
export class RateLimitModule {}
