import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import type { Refundable } from '../http/api-request.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { Allowance } from './allowance.js';

const SWEEP_INTERVAL_MS = 60_000;

/**
 * Limits what each token may ask for in a minute, as counted by this node. Only tokens that were found are counted, so that
 * invented ones cannot fill the memory.
 */
@Injectable()
export class RateLimiter {
  private readonly perMinute: number;
  private readonly allowances = new Map<number, Allowance>();
  private sweptAt = 0;

  constructor(@Inject(SETTINGS) { rateLimitPerMinute }: Settings) {
    this.perMinute = rateLimitPerMinute;
  }

  /** Counts a request and tells in the headers what is left. Gives what can be refunded; nothing if there is no limit. */
  spend(tokenId: number, response: ServerResponse): Refundable | undefined {
    if (this.perMinute === 0) return undefined;
    const now = performance.now();
    const allowance = this.allowanceOf(tokenId, now);
    const granted = allowance.take(now);
    tell(allowance, response);
    if (!granted) throw rateLimited(allowance);
    return new Spent(allowance, response);
  }

  private allowanceOf(tokenId: number, now: number): Allowance {
    if (now - this.sweptAt > SWEEP_INTERVAL_MS) this.sweep(now);
    let allowance = this.allowances.get(tokenId);
    if (!allowance) this.allowances.set(tokenId, (allowance = new Allowance(this.perMinute, now)));
    return allowance;
  }

  /** A full allowance is the same as none. */
  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [tokenId, allowance] of this.allowances) {
      if (allowance.isFull(now)) this.allowances.delete(tokenId);
    }
  }
}

class Spent implements Refundable {
  constructor(
    private readonly allowance: Allowance,
    private readonly response: ServerResponse,
  ) {}

  refund(): void {
    this.allowance.giveBack();
    tell(this.allowance, this.response);
  }
}

function tell(allowance: Allowance, response: ServerResponse): void {
  response.setHeader('RateLimit-Limit', allowance.perMinute);
  response.setHeader('RateLimit-Remaining', allowance.remaining);
  response.setHeader('RateLimit-Reset', allowance.secondsUntilFull);
}

function rateLimited(allowance: Allowance): DomainError {
  const seconds = allowance.secondsUntilNext;
  return new DomainError(
    'rate_limited',
    `This token may make ${allowance.perMinute} requests a minute. Go on in ${seconds} s; a request answered with 304 is given back.`,
    { retryAfterSeconds: seconds },
  );
}
