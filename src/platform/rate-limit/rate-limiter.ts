import { Inject, Injectable, Optional } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import type { Spending } from '../http/api-request.js';
import type { TimedResponse } from '../http/app-messages.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { PrimaryLine } from '../workers/primary-line.js';
import { Allowance } from './allowance.js';
import type { Limit } from './limit.js';
import { Places } from './places.js';
import { Purses } from './purses.js';

const SWEEP_INTERVAL_MS = 60_000;

/** When to ask again if there are too many requests at once; nobody knows how long the others take. */
const LINE_SECONDS = 1;

/** What a process knows of a client whose tokens are in use. There is no limit where none is set. */
interface Account {
  limit: Limit | undefined;
  places: Places;
}

/**
 * Limits the work that each client may ask for in a minute, and how much of it at a time, as counted by this node, whose workers share
 * one limit, with whichever of its tokens: it makes them itself, and more of them are not to be more work. Only clients of tokens that
 * were found are counted, so that invented ones cannot fill the memory.
 */
@Injectable()
export class RateLimiter {
  private readonly perMinute: number;
  private readonly accounts = new Map<number, Account>();
  private readonly purses: Purses | undefined;
  private sweptAt = 0;

  constructor(@Inject(SETTINGS) { rateLimitPerMinute }: Settings, @Optional() line?: PrimaryLine) {
    this.perMinute = rateLimitPerMinute;
    this.purses = line && new Purses(rateLimitPerMinute, line);
  }

  /** Counts a request, and tells in the headers what is left if there is a limit. */
  spend(clientId: number, response: TimedResponse): Spent | Promise<Spent> {
    const now = performance.now();
    const account = this.accountOf(clientId, now);
    const granted = account.limit?.take(now) ?? true;
    if (typeof granted === 'boolean') return spent(account, response, granted);
    return granted.then((isGranted) => spent(account, response, isGranted));
  }

  private accountOf(clientId: number, now: number): Account {
    if (now - this.sweptAt > SWEEP_INTERVAL_MS) this.sweep(now);
    let account = this.accounts.get(clientId);
    if (!account) this.accounts.set(clientId, (account = this.open(clientId, now)));
    return account;
  }

  private open(clientId: number, now: number): Account {
    return { limit: this.perMinute === 0 ? undefined : this.limitOf(clientId, now), places: new Places() };
  }

  private limitOf(clientId: number, now: number): Limit {
    return this.purses?.of(clientId, now) ?? new Allowance(this.perMinute, now);
  }

  /** A full limit with nothing in the making is the same as none. */
  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [clientId, { limit, places }] of this.accounts) {
      if (places.isUnused && (limit?.isFull(now) ?? true)) this.accounts.delete(clientId);
    }
  }
}

/** A request that was counted. */
export class Spent implements Spending {
  constructor(
    private readonly account: Account,
    private readonly response: TimedResponse,
  ) {}

  /** Takes one of the client's places, when there is one. */
  enter(): void | Promise<void> {
    const { places } = this.account;
    if (places.isFull) throw tooManyAtOnce();
    return places.enter(this.response);
  }

  leave(): void {
    this.account.places.giveBack(this.response);
  }

  charge(units: number): void {
    this.account.limit?.charge(units);
    this.tell();
  }

  refund(): void {
    this.account.limit?.giveBack();
    this.tell();
  }

  private tell(): void {
    const { limit } = this.account;
    if (limit) tell(limit, this.response);
  }
}

function spent(account: Account, response: TimedResponse, granted: boolean): Spent {
  const { limit } = account;
  if (limit) {
    tell(limit, response);
    if (!granted) throw rateLimited(limit);
  }
  return new Spent(account, response);
}

function tell(limit: Limit, response: TimedResponse): void {
  response.limitLines = [
    'RateLimit-Limit',
    limit.perMinute,
    'RateLimit-Remaining',
    limit.remaining,
    'RateLimit-Reset',
    limit.secondsUntilFull,
  ];
}

function rateLimited(limit: Limit): DomainError {
  const seconds = limit.secondsUntilNext;
  return new DomainError(
    'rate_limited',
    `This client may spend ${limit.perMinute} units a minute, with all its tokens together: one for each request, more for large ones. Go on in ${seconds} s; a request answered with 304 from what is kept ready is given back.`,
    { retryAfterSeconds: seconds },
  );
}

export function tooManyAtOnce(): DomainError {
  return new DomainError(
    'rate_limited',
    `Hundreds of requests of this client are waiting for one another. Send fewer at once.`,
    { retryAfterSeconds: LINE_SECONDS },
  );
}
