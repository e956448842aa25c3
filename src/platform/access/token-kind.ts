import { DomainError } from '../errors/domain-error.js';

export const TOKEN_KINDS = ['full', 'read_only', 'test'] as const;

/** What a token may do. It never changes. */
export type TokenKind = (typeof TOKEN_KINDS)[number];

const REFUSALS: Record<TokenKind, string> = {
  full: 'This changes the status of test orders. Use a test token.',
  read_only: 'This token only reads, and does not see recipients. Use a token with full access for this.',
  test: 'A test token is for test orders only. Use a token with full access for this.',
};

/** Where a token with full access is refused too, the message names a test token. */
export function tokenNotAllowed(kind: TokenKind, allowed: readonly TokenKind[]): DomainError {
  return new DomainError('token_not_allowed', REFUSALS[allowed.includes('full') ? kind : 'full']);
}
