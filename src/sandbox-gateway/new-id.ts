import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Of the shape of Razorpay's. */
export function newId(kind: 'order' | 'pay' | 'rfnd' | 'evt'): string {
  return `${kind}_${Array.from({ length: 14 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')}`;
}

/** Nothing else is looked for in the database. */
export function isId(text: unknown): text is string {
  return typeof text === 'string' && /^[a-z]{3,5}_[0-9A-Za-z]{14}$/.test(text);
}
