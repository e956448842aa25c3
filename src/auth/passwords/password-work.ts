import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { hashPassword, verifyPassword } from './password-hash.js';

/** Of the four threads that Node has for such work two stay free: files and names are looked up there too. */
const AT_ONCE = 2;

/** Some two seconds of work. */
const MOST_WAITING = 16;

const RETRY_AFTER_SECONDS = 2;

const HASHER = { hash: (password: string) => hashPassword(password), verify: verifyPassword };

export type Hasher = typeof HASHER;

/**
 * Whoever hashes a password does so in turn, with all that belongs to it: strangers can ask for this work, and it takes so much that they could
 * stop the service with it. So it also needs none of the places that strangers share for the database.
 */
@Injectable()
export class PasswordWork {
  private busy = 0;
  private readonly line: (() => void)[] = [];

  async inTurn<Result>(work: (hasher: Hasher) => Promise<Result>): Promise<Result> {
    await this.turn();
    try {
      return await work(HASHER);
    } finally {
      this.pass();
    }
  }

  private turn(): Promise<void> | void {
    if (this.busy < AT_ONCE) return void this.busy++;
    if (this.line.length >= MOST_WAITING) throw tooManyAtOnce();
    return new Promise((begin) => this.line.push(begin));
  }

  /** Whoever is next takes the place over. */
  private pass(): void {
    const next = this.line.shift();
    if (next) next();
    else this.busy--;
  }
}

function tooManyAtOnce(): DomainError {
  return new DomainError('rate_limited', 'Many are signing in at this moment. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
