import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { hashPassword, verifyPassword } from './password-hash.js';

/** Of the four threads that Node has for such work two stay free: files and names are looked up there too. */
const AT_ONCE = 2;

/** In each line; some two seconds of work. */
const MOST_WAITING = 16;

const RETRY_AFTER_SECONDS = 2;

const HASHER = { hash: (password: string) => hashPassword(password), verify: verifyPassword };

export type Hasher = typeof HASHER;

/** `people` are those of whom we know who they are: by a session, or by the link that they were sent. */
export type Line = 'strangers' | 'people';

/**
 * Whoever hashes a password does so in turn, with all that belongs to it: strangers can ask for this work, and it takes so much that they could
 * stop the service with it. So it also needs none of the places that strangers share for the database. People have a line of their own, which no
 * number of strangers makes longer.
 */
@Injectable()
export class PasswordWork {
  private readonly busy: Record<Line, number> = { strangers: 0, people: 0 };
  private readonly lines: Record<Line, (() => void)[]> = { strangers: [], people: [] };

  /** `whenFull` undoes what was done before, if there is no room in the line. */
  async inTurn<Result>(
    line: Line,
    work: (hasher: Hasher) => Promise<Result>,
    whenFull?: () => Promise<void>,
  ): Promise<Result> {
    if (this.areAllBusy && this.lines[line].length >= MOST_WAITING) {
      await whenFull?.();
      throw tooManyAtOnce();
    }
    await this.turn(line);
    try {
      return await work(HASHER);
    } finally {
      this.pass(line);
    }
  }

  private get areAllBusy(): boolean {
    return this.busy.strangers + this.busy.people >= AT_ONCE;
  }

  private turn(line: Line): Promise<void> | void {
    if (this.areAllBusy) return new Promise((begin) => this.lines[line].push(begin));
    this.busy[line]++;
  }

  /** Whoever is next takes the place over: neither line has both places while somebody waits in the other. */
  private pass(line: Line): void {
    this.busy[line]--;
    const lines: Line[] = this.busy.strangers > 0 ? ['people', 'strangers'] : ['strangers', 'people'];
    const next = lines.find((each) => this.lines[each].length > 0);
    if (!next) return;
    this.busy[next]++;
    this.lines[next].shift()!();
  }
}

function tooManyAtOnce(): DomainError {
  return new DomainError('rate_limited', 'Many are signing in at this moment. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
