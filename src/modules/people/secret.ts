import { hash, randomBytes } from 'node:crypto';

const FORM = /^[\w-]{43}$/;

/** A secret of 256 random bits for a cookie or a link. Only its hash is stored. */
export function newSecret(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hash('sha256', token, 'buffer') };
}

/** Undefined for a malformed value, which needs no query. */
export function hashSecret(token: string): Buffer | undefined {
  return FORM.test(token) ? hash('sha256', token, 'buffer') : undefined;
}
