import { hash, randomInt } from 'node:crypto';
import type { TokenKind } from '../../../platform/access/token-kind.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Lets secret scanners and people recognise a leaked token and its kind. */
const MARKS: Record<TokenKind, string> = { full: 'wha_', read_only: 'wha_read_', test: 'wha_test_' };

const SECRET_LENGTH = 40;

/** Visible characters of the secret. 190 bits stay unknown. */
const VISIBLE_LENGTH = 8;

/** A key of the admin API. */
const KEY_MARK = 'whk_';

interface Hashed {
  prefix: string;
  hash: Buffer;
}

/** A new token. Only hash and prefix are stored. */
export const newToken = (kind: TokenKind = 'full'): { token: string } & Hashed => newSecret(MARKS[kind]);

/** A new key of the admin API. */
export function newKey(): { key: string } & Hashed {
  const { token: key, ...hashed } = newSecret(KEY_MARK);
  return { key, ...hashed };
}

/** 238 random bits. */
function newSecret(mark: string): { token: string } & Hashed {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  const token = mark + secret.join('');
  const prefix = token.slice(0, VISIBLE_LENGTH - SECRET_LENGTH);
  return { token, prefix, hash: Buffer.from(hashToken(token), 'base64') };
}

/** In base64. A plain SHA-256 is enough for a random secret. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64');
}

/** Tokens of one kind have one length, so a token that was cut off while copying is known by its form. */
export const isWholeToken = (token: string): boolean => isWhole(token, Object.values(MARKS));

export const isWholeKey = (token: string): boolean => isWhole(token, [KEY_MARK]);

function isWhole(token: string, marks: readonly string[]): boolean {
  const secretOf = (mark: string) => (token.startsWith(mark) ? token.slice(mark.length) : '');
  return marks
    .map(secretOf)
    .some((secret) => secret.length === SECRET_LENGTH && /^[0-9A-Za-z]*$/.test(secret));
}

/** RFC 6750, 2.1. */
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

/** Common mistakes in the format of the header, the most likely ones first. */
const MISTAKES: readonly [form: RegExp, fault: string][] = [
  [/^Basic\b/i, 'It uses the scheme Basic'],
  [/^Bearer\s+Bearer\b/i, 'It says "Bearer" twice'],
  [/^Bearer:?$/i, 'There is no token after "Bearer"'],
  [/^(Bearer\s*)?["'“‘]|["'”’]$/i, 'There are quotes around it'],
  [/^Bearer\s*[:=]/i, 'There is a sign between "Bearer" and the token'],
  [/^[^<]*<.*>$/, 'There are angle brackets around the token'],
  [/^[^\s,]+$/, 'The word "Bearer" is missing before the token'],
  [/,/, 'It holds several values'],
  [/^Bearer\s/i, 'The token is not one word of letters and digits'],
];

/** Reads the token from an `Authorization` header, or returns the fault of its format. */
export function readAuthorization(header: string): { token: string } | { fault: string } {
  const token = BEARER.exec(header)?.[1];
  if (token !== undefined) return { token };
  const text = header.trim();
  return { fault: MISTAKES.find(([form]) => form.test(text))?.[1] ?? 'It does not have this form' };
}
