import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SignInAttempt } from './sign-in-attempt.entity.js';

/** So many attempts in so many minutes, from the first of them on. */
export interface Limit {
  key: string;
  most: number;
  minutes: number;
}

/** SQL, because counting and beginning to count anew are one statement, so that of any number at once each is counted. */
const COUNT = {
  name: 'sign-in-attempts-count',
  text: `
    INSERT INTO sign_in_attempts AS counted (key, attempts, window_ends_at)
    VALUES ($1, 1, now() + make_interval(mins => $2))
    ON CONFLICT (key) DO UPDATE SET
      attempts = CASE WHEN counted.window_ends_at <= now() THEN 1 ELSE counted.attempts + 1 END,
      window_ends_at = CASE WHEN counted.window_ends_at <= now() THEN excluded.window_ends_at ELSE counted.window_ends_at END
    RETURNING attempts, ceil(extract(epoch FROM window_ends_at - now()))::int AS "secondsLeft"`,
};

/** Likewise: a few at a time, of which nobody else is in need. */
const FORGET_OLD = {
  name: 'sign-in-attempts-forget',
  text: `
    DELETE FROM sign_in_attempts WHERE key IN (
      SELECT key FROM sign_in_attempts WHERE window_ends_at < now() LIMIT 100 FOR UPDATE SKIP LOCKED)`,
};

/** Counts attempts in the database, so that all nodes count together. */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly database: Database,
    @InjectRepository(SignInAttempt) private readonly attempts: Repository<SignInAttempt>,
  ) {}

  /**
   * Takes an attempt of each limit before it is made, so that any number made at once are no more than one after the other. The narrowest
   * stands first: what it refuses is not counted by those behind it, or one stranger could use up what is for all.
   */
  async take(limits: readonly Limit[], whenFirstRefused: () => Promise<void>): Promise<void> {
    await this.database.query(FORGET_OLD, []);
    for (const { key, most, minutes } of limits) {
      const [counted] = await this.database.query<{ attempts: number; secondsLeft: number }>(COUNT, [
        key,
        minutes,
      ]);
      const { attempts, secondsLeft } = counted!;
      if (attempts <= most) continue;
      if (attempts === most + 1) await whenFirstRefused();
      throw tooManyAttempts(secondsLeft);
    }
  }

  /** What went well was none. */
  async giveBack(limits: readonly Limit[]): Promise<void> {
    for (const { key } of limits) await this.attempts.decrement({ key }, 'attempts', 1);
  }
}

/** What strangers type is not kept: it may be a password that went into the wrong field. */
export function keyOf(text: string): string {
  return hash('sha256', text, 'base64url');
}

function tooManyAttempts(seconds: number): DomainError {
  const minutes = Math.ceil(seconds / 60);
  return new DomainError(
    'rate_limited',
    `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { retryAfterSeconds: Math.max(1, seconds) },
  );
}
