import { hash, randomBytes } from 'node:crypto';

const FORM = /^[\w-]{43}$/;

/** What a session's cookie holds: 256 random bits. Only the hash is kept. */
export function newSessionToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hash('sha256', token, 'buffer') };
}

/** Nothing for what cannot be one: the database need not be asked for it. */
export function hashSessionToken(token: string): Buffer | undefined {
  return FORM.test(token) ? hash('sha256', token, 'buffer') : undefined;
}
