import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { addressBlock } from '../../platform/http/caller-address.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';

/** A number of attempts per period, which begins with the first attempt. */
export interface AttemptLimit {
  key: string;
  maxAttempts: number;
  minutes: number;
}

/** Counts attempts in the database, for all nodes together. */
@Injectable()
export class SignInLimitsService {
  constructor(private readonly attempts: SignInAttemptsRepository) {}

  /**
   * Counts an attempt before it is made, so parallel attempts do not pass. The narrowest limit comes first:
   * attempts that it refuses do not count for wider limits, which an attacker could otherwise use up.
   */
  async take(limits: readonly AttemptLimit[], whenFirstRefused: () => Promise<void>): Promise<void> {
    await this.attempts.forgetOld();
    for (const { key, maxAttempts, minutes } of limits) {
      const { attempts, secondsLeft } = await this.attempts.count(key, minutes);
      if (attempts <= maxAttempts) continue;
      if (attempts === maxAttempts + 1) await whenFirstRefused();
      throw tooManyAttempts(secondsLeft);
    }
  }

  /** A successful attempt does not count. */
  async giveBack(limits: readonly AttemptLimit[]): Promise<void> {
    for (const { key } of limits) await this.attempts.giveBack(key);
  }
}

/** Typed text is only stored as a hash: it may be a password in the wrong field. */
export function hashOfTyped(text: string): string {
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
 * Limits for one account from one address, for one address, and for one account from everywhere. Attackers
 * can use up the last one. So it does not apply to an address where the owner signed in before (`isKnown`).
 */
export function passwordLimits(account: string, address: string, isKnown: boolean): AttemptLimit[] {
  const [who, where] = [hashOfTyped(account), addressBlock(address)];
  return [
    { key: `password ${who} ${where}`, maxAttempts: 10, minutes: QUARTER },
    { key: `address ${where}`, maxAttempts: 100, minutes: QUARTER },
    ...(isKnown ? [] : [{ key: `password ${who}`, maxAttempts: 100, minutes: HOUR }]),
  ];
}

/** Limits for codes: three of a million are valid, so an attacker with the password gets few attempts. */
export function codeLimits(personId: number, address: string, isKnown: boolean): AttemptLimit[] {
  return [
    { key: `code ${personId} ${addressBlock(address)}`, maxAttempts: 5, minutes: QUARTER },
    ...(isKnown ? [] : [{ key: `code ${personId}`, maxAttempts: 20, minutes: HOUR }]),
  ];
}

/** Keeps an attacker with a stolen session from guessing the password. */
export function ownPasswordLimits(personId: number): AttemptLimit[] {
  return [{ key: `own password ${personId}`, maxAttempts: 10, minutes: QUARTER }];
}

/** Limits for links, per account and per address, so that attackers cannot flood a mailbox. */
export function resetLimits(account: string, address: string): AttemptLimit[] {
  return [
    { key: `reset ${hashOfTyped(account)}`, maxAttempts: 3, minutes: HOUR },
    { key: `reset from ${addressBlock(address)}`, maxAttempts: 20, minutes: HOUR },
  ];
}

/** Limits for invitations, because owners choose their recipients: of one person and of its account. */
export function invitationLimits(personId: number, clientId: number | null): AttemptLimit[] {
  return [
    { key: `invitations of person ${personId}`, maxAttempts: 10, minutes: QUARTER },
    { key: `invitations of client ${clientId ?? 0}`, maxAttempts: 50, minutes: HOUR },
  ];
}
