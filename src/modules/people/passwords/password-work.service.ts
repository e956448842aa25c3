import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { Places } from '../../../platform/limits/concurrency-limit.js';
import { hashPassword, verifyPassword } from './password-hash.js';

/** One hash at a time for anonymous callers, and one for known people. Two of Node's threads stay free. */
const AT_ONCE = 1;

/** A full queue of anonymous callers is four seconds of work. With many queues it takes longer. */
const WAITS_MS = 10_000;

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
  private readonly strangers = new Places<string>(tooManyAtOnce, { ...MOST, waiting: 16 }, tooManyAtOnce);
  private readonly people = new Places<string>(tooManyAtOnce, { ...MOST, waiting: 4 }, tooManyAtOnce);

  /** `undo` is called if the work is refused. */
  forStranger<Result>(network: string, work: Work<Result>, undo: Undo): Promise<Result> {
    return inTurn(this.strangers, network, work, undo);
  }

  forPerson<Result>(email: string, work: Work<Result>, undo?: Undo): Promise<Result> {
    return inTurn(this.people, email, work, undo);
  }
}

const MOST = { atOnce: AT_ONCE, inAll: AT_ONCE, waitsMs: WAITS_MS };

type Work<Result> = (hasher: Hasher) => Promise<Result>;
type Undo = () => Promise<void>;

async function inTurn<Result>(
  places: Places<string>,
  key: string,
  work: Work<Result>,
  undo?: Undo,
): Promise<Result> {
  let leave;
  try {
    leave = await places.enter(key);
  } catch (error) {
    await undo?.();
    throw error;
  }
  try {
    return await work(HASHER);
  } finally {
    leave();
  }
}

function tooManyAtOnce(): DomainError {
  return new DomainError('rate_limited', 'Too many people are signing in. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
