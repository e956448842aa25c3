import { hash, randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Lets secret scanners and people recognise a leaked token for what it is. */
const MARK = 'wha_';

const SECRET_LENGTH = 40;

const SHOWN_LENGTH = 12;

/** A new token of 238 random bits. It is shown once; only the hash and the prefix are kept. */
export function newToken(): { token: string; prefix: string; hash: Buffer } {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  const token = MARK + secret.join('');
  return { token, prefix: tokenPrefix(token), hash: Buffer.from(hashToken(token), 'base64') };
}

/** In base64. A plain SHA-256 will do: a token is random, so there is nothing for a slow password hash to protect. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64');
}

/** What people may see of a token, to tell one from another: 190 of its bits stay secret. */
export function tokenPrefix(token: string): string {
  return token.slice(0, SHOWN_LENGTH);
}
