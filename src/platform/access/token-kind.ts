import { DomainError } from '../errors/domain-error.js';

export const TOKEN_KINDS = ['full', 'read_only'] as const;

/** What a token may do. It never changes. */
export type TokenKind = (typeof TOKEN_KINDS)[number];

export function tokenNotAllowed(): DomainError {
  return new DomainError(
    'token_not_allowed',
    'This token only reads. Place, change and cancel orders with a token that has full access.',
  );
}
