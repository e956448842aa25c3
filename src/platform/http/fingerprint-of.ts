import { hash } from 'node:crypto';

/** A short name for a text, another for every other text. */
export function fingerprintOf(text: string): string {
  return hash('sha1', text, 'base64url').slice(0, 20);
}
