import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Places } from '../../platform/rate-limit/places.js';
import { hashPassword, verifyPassword } from './password-hash.js';

/** Of strangers one, and of people one: of the four threads that Node has for such work two stay free for files and names. */
const AT_ONCE = 1;

/** A line of strangers is four seconds of work. With many lines in turn it takes longer, up to this. */
const WAITS_MS = 10_000;

const RETRY_AFTER_SECONDS = 2;

const HASHER = { hash: (password: string) => hashPassword(password), verify: verifyPassword };

export type Hasher = typeof HASHER;

/**
 * Passwords are hashed in turn: anybody can ask for this work, and it takes so much that they could stop the service with it.
 * Strangers have a line for each network, and the lines have their turns one after the other. People whom we know, by a
 * session, by a link, or by an address where they signed in before, have a place of their own that strangers cannot fill.
 */
@Injectable()
export class PasswordWork {
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
