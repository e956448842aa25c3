import type { Encoding } from './representation.js';

/** A strong tag names bytes, so the compressed form has a tag of its own. */
export function etagOf(fingerprint: string, encoding: Encoding): string {
  return encoding === 'gzip' ? `"${fingerprint}-gz"` : `"${fingerprint}"`;
}
