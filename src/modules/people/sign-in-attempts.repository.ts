import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { SignInAttempt } from './person.entity.js';

/** SQL, because one statement counts and restarts the period, so parallel attempts are all counted. */
const COUNT = {
  name: 'sign-in-attempts-count',
  text: `
    INSERT INTO sign_in_attempts AS counted (key, attempts, window_ends_at)
    VALUES ($1, 1, now() + make_interval(mins => $2))
    ON CONFLICT (key) DO UPDATE SET
      attempts = CASE WHEN counted.window_ends_at <= now() THEN 1 ELSE counted.attempts + 1 END,
      window_ends_at = CASE WHEN counted.window_ends_at <= now() THEN excluded.window_ends_at
                            ELSE counted.window_ends_at END
    RETURNING attempts, ceil(extract(epoch FROM window_ends_at - now()))::int AS "secondsLeft"`,
};

/** SQL with SKIP LOCKED: deletes a few rows that no other node holds. */
const FORGET_OLD = {
  name: 'sign-in-attempts-forget',
  text: `
    DELETE FROM sign_in_attempts WHERE key IN (
      SELECT key FROM sign_in_attempts WHERE window_ends_at < now() LIMIT 100 FOR UPDATE SKIP LOCKED)`,
};

@Injectable()
export class SignInAttemptsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(SignInAttempt) private readonly attempts: Repository<SignInAttempt>,
  ) {}

  /** Counts an attempt. Returns the attempts of the period and its remaining seconds. */
  async count(key: string, minutes: number): Promise<{ attempts: number; secondsLeft: number }> {
    const values = [key, minutes];
    const [counted] = await this.database.query<{ attempts: number; secondsLeft: number }>(COUNT, values);
    return counted!;
  }

  async giveBack(key: string): Promise<void> {
    await this.attempts.decrement({ key }, 'attempts', 1);
  }

  async forgetOld(): Promise<void> {
    await this.database.query(FORGET_OLD, []);
  }
}
