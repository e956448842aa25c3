import { hash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** The defaults of all authenticator apps: six digits, thirty seconds. */
const PERIOD_SECONDS = 30;

/** Also accepts the previous and the next code, for wrong clocks and slow typing. */
const WINDOW = 1;

const ISSUER = 'Wholesale';

export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The content of the QR code. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The period of a code; undefined for a wrong code. */
export function totpStepOf(secret: string, code: string, now: Date): number | undefined {
  const nowMs = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret, period: PERIOD_SECONDS });
}

/** Crockford's alphabet: no two characters look alike on paper. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** 80 random bits, to read from paper: 7KQ2-M0XA-… */
export function newRecoveryCode(): string {
  return Array.from({ length: GROUPS }, group).join('-');
}

/** Ignores case, blanks and hyphens. Undefined for a malformed code. */
export function hashRecoveryCode(typed: string): Buffer | undefined {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  const isCode = code.length === GROUPS * GROUP_LENGTH && [...code].every((one) => ALPHABET.includes(one));
  return isCode ? hash('sha256', code, 'buffer') : undefined;
}

function group(): string {
  return Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
