import type { EntityManager } from 'typeorm';
import { Token } from '../../clients/client.entity.js';
import type { TokenKind } from '../../platform/access/token-kind.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { newToken } from './token-secret.js';

/** `token` is the secret. It is shown once. */
export interface TokenIssued {
  token_id: number;
  token: string;
  kind: TokenKind;
  name: string;
  prefix: string;
  domain: string;
}

export type NewToken = Pick<Token, 'clientId' | 'kind' | 'name' | 'domain'> &
  Partial<Pick<Token, 'requestKey'>>;

/** Refuses a second token of the same form. The unique index decides between parallel posts. */
export async function insertToken(
  manager: EntityManager,
  { clientId, kind, name, domain, requestKey }: NewToken,
): Promise<TokenIssued> {
  const { token, prefix, hash } = newToken(kind);
  const { identifiers } = await manager
    .createQueryBuilder()
    .insert()
    .into(Token)
    .values({ clientId, kind, hash, prefix, domain, name, requestKey })
    .orIgnore()
    .execute();
  const id = identifiers[0]?.id as number | undefined;
  if (id === undefined) throw alreadyMade();
  return { token_id: id, token, kind, name, prefix, domain };
}

/** The same error for another client's token, which must stay secret. */
export function noSuchToken(): DomainError {
  return new DomainError('token_not_found', 'There is no such token, or it has ended.');
}

function alreadyMade(): DomainError {
  return new DomainError(
    'conflict',
    'This token was already created, and shown once. If you did not save it, replace it.',
  );
}
