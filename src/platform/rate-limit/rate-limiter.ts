import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import type { Spending } from '../http/api-request.js';
import type { TimedResponse } from '../http/app-messages.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { Allowance } from './allowance.js';
import { Places } from './places.js';

const SWEEP_INTERVAL_MS = 60_000;

/** When to ask again if there are too many requests at once; nobody knows how long the others take. */
const LINE_SECONDS = 1;

/** What a node knows of a client whose tokens are in use. There is no allowance where there is no limit. */
interface Account {
  allowance: Allowance | undefined;
  places: Places;
}

/**
 * Limits the work that each client may ask for in a minute, and how much of it at a time, as counted by this node, with whichever of its
 * tokens: it makes them itself, and more of them are not to be more work. Only clients of tokens that were found are counted, so that
 * invented ones cannot fill the memory.
 */
@Injectable()
export class RateLimiter {
  private readonly perMinute: number;
  private readonly accounts = new Map<number, Account>();
  private sweptAt = 0;

  constructor(@Inject(SETTINGS) { rateLimitPerMinute }: Settings) {
    this.perMinute = rateLimitPerMinute;
  }

  /** Counts a request, and tells in the headers what is left if there is a limit. */
  spend(clientId: number, response: TimedResponse): Spent {
    const now = performance.now();
    const account = this.accountOf(clientId, now);
    const { allowance } = account;
    if (allowance) {
      const granted = allowance.take(now);
      tell(allowance, response);
      if (!granted) throw rateLimited(allowance);
    }
    return new Spent(account, response);
  }

  private accountOf(clientId: number, now: number): Account {
    if (now - this.sweptAt > SWEEP_INTERVAL_MS) this.sweep(now);
    let account = this.accounts.get(clientId);
    if (!account) this.accounts.set(clientId, (account = this.open(now)));
    return account;
  }

  private open(now: number): Account {
    return {
      allowance: this.perMinute === 0 ? undefined : new Allowance(this.perMinute, now),
      places: new Places(),
    };
  }

  /** A full allowance with nothing in the making is the same as none. */
  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [clientId, { allowance, places }] of this.accounts) {
      if (places.isUnused && (allowance?.isFull(now) ?? true)) this.accounts.delete(clientId);
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
    this.account.allowance?.charge(units);
    this.tell();
  }

  refund(): void {
    this.account.allowance?.giveBack();
    this.tell();
  }

  private tell(): void {
    const { allowance } = this.account;
    if (allowance) tell(allowance, this.response);
  }
}

function tell(allowance: Allowance, response: TimedResponse): void {
  response.limitLines = [
    'RateLimit-Limit',
    allowance.perMinute,
    'RateLimit-Remaining',
    allowance.remaining,
    'RateLimit-Reset',
    allowance.secondsUntilFull,
  ];
}

function rateLimited(allowance: Allowance): DomainError {
  const seconds = allowance.secondsUntilNext;
  return new DomainError(
    'rate_limited',
    `This client may spend ${allowance.perMinute} units a minute, with all its tokens together: one for each request, more for large ones. Go on in ${seconds} s; a request answered with 304 from what is kept ready is given back.`,
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
