import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { addressBlock } from '../platform/http/caller-address.js';
import { SignInAttempt } from './sign-in-attempt.entity.js';

/** A number of attempts per period, which begins with the first attempt. */
export interface Limit {
  key: string;
  most: number;
  minutes: number;
}

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

/** Counts attempts in the database, for all nodes together. */
@Injectable()
export class SignInLimitsService {
  constructor(
    private readonly database: Database,
    @InjectRepository(SignInAttempt) private readonly attempts: Repository<SignInAttempt>,
  ) {}

  /**
   * Counts an attempt before it is made, so parallel attempts do not pass. The narrowest limit comes first:
   * what it refuses does not count for wider ones, which a stranger could otherwise use up.
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

  /** A successful attempt does not count. */
  async giveBack(limits: readonly Limit[]): Promise<void> {
    for (const { key } of limits) await this.attempts.decrement({ key }, 'attempts', 1);
  }
}

/** Typed text is only stored as a hash: it may be a password in the wrong field. */
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

const QUARTER = 15;
const HOUR = 60;

/**
 * Limits for one account from one address, for one address, and for one account from everywhere. Strangers
 * can use up the last one. So it does not apply at an address where the owner signed in before (`isKnown`).
 */
export function passwordLimits(account: string, address: string, isKnown: boolean): Limit[] {
  const [who, where] = [keyOf(account), addressBlock(address)];
  return [
    { key: `password ${who} ${where}`, most: 10, minutes: QUARTER },
    { key: `address ${where}`, most: 100, minutes: QUARTER },
    ...(isKnown ? [] : [{ key: `password ${who}`, most: 100, minutes: HOUR }]),
  ];
}

/** Three of a million codes are valid at a time, so an attacker with the password gets few attempts. */
export function codeLimits(personId: number, address: string, isKnown: boolean): Limit[] {
  return [
    { key: `code ${personId} ${addressBlock(address)}`, most: 5, minutes: QUARTER },
    ...(isKnown ? [] : [{ key: `code ${personId}`, most: 20, minutes: HOUR }]),
  ];
}

/** Keeps an attacker with a stolen session from guessing the password. */
export function ownPasswordLimits(personId: number): Limit[] {
  return [{ key: `own password ${personId}`, most: 10, minutes: QUARTER }];
}

/** Links per account, known or not, and per address, so that a stranger cannot flood a mailbox. */
export function resetLimits(account: string, address: string): Limit[] {
  return [
    { key: `reset ${keyOf(account)}`, most: 3, minutes: HOUR },
    { key: `reset from ${addressBlock(address)}`, most: 20, minutes: HOUR },
  ];
}

/** Owners choose the recipients of these mails. */
export function invitationLimits(clientId: number | null): Limit[] {
  return [{ key: `invitations of client ${clientId ?? 0}`, most: 50, minutes: HOUR }];
}
