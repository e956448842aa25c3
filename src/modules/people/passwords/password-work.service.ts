import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { ConcurrencyLimit } from '../../../platform/limits/concurrency-limit.js';
import { hashPassword, verifyPassword } from './password-hash.js';

/** One hash at a time for anonymous callers, and one for known people. Two of Node's threads stay free. */
const AT_ONCE = 1;

/** A full queue of anonymous callers is four seconds of work. With many queues it takes longer. */
const MAX_WAIT_MS = 10_000;

const RETRY_AFTER_SECONDS = 2;

const HASHER = { hash: (password: string) => hashPassword(password), verify: verifyPassword };

export type Hasher = typeof HASHER;

/**
 * Hashes passwords one after another. The work is expensive, and attackers could stop the service with it.
 * Anonymous callers have one queue per network, and the queues take turns. Known people have a slot of their
 * own, which attackers cannot fill: they have a session, a link, or signed in before from this address.
 */
@Injectable()
export class PasswordWorkService {
  private readonly anonymous = new ConcurrencyLimit<string>(
    tooManyAtOnce,
    { ...LIMITS, maxWaiting: 16 },
    tooManyAtOnce,
  );
  private readonly people = new ConcurrencyLimit<string>(
    tooManyAtOnce,
    { ...LIMITS, maxWaiting: 4 },
    tooManyAtOnce,
  );

  /** `undo` is called if the work is refused. */
  forAnonymous<Result>(network: string, work: Work<Result>, undo: Undo): Promise<Result> {
    return inTurn(this.anonymous, network, work, undo);
  }

  forPerson<Result>(email: string, work: Work<Result>, undo?: Undo): Promise<Result> {
    return inTurn(this.people, email, work, undo);
  }
}

const LIMITS = { perKey: AT_ONCE, total: AT_ONCE, maxWaitMs: MAX_WAIT_MS };

type Work<Result> = (hasher: Hasher) => Promise<Result>;
type Undo = () => Promise<void>;

async function inTurn<Result>(
  places: ConcurrencyLimit<string>,
  key: string,
  work: Work<Result>,
  undo?: Undo,
): Promise<Result> {
  let release;
  try {
    release = await places.acquire(key);
  } catch (error) {
    await undo?.();
    throw error;
  }
  try {
    return await work(HASHER);
  } finally {
    release();
  }
}

function tooManyAtOnce(): DomainError {
  return new DomainError('rate_limited', 'Too many people are signing in. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
