import type { AuditDetails } from '../../audit/audit-entry.entity.js';
import type { Author } from '../../audit/actor-of.js';
import { type AuditLog, authorOf, type NewAuditEntry } from '../../audit/audit-log.js';
import { Token } from '../../clients/client.entity.js';
import type { TokenKind } from '../../../platform/access/token-kind.js';
import type { Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { newToken } from './token-secret.js';

/** `token` is the secret. It is shown once. */
export interface IssuedToken {
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
export async function issueToken(
  transaction: Transaction,
  audit: AuditLog,
  { clientId, kind, name, domain, requestKey }: NewToken,
  by: Author,
): Promise<IssuedToken> {
  const { token, prefix, hash } = newToken(kind);
  const { identifiers } = await transaction.manager
    .createQueryBuilder()
    .insert()
    .into(Token)
    .values({ clientId, kind, hash, prefix, domain, name, requestKey })
    .orIgnore()
    .execute();
  const id = identifiers[0]?.id as number | undefined;
  if (id === undefined)
    throw new DomainError(
      'conflict',
      'This token was already created, and shown once. If you did not save it, replace it.',
    );
  await audit.recordWithin(
    transaction,
    tokenAuditEntry('issued', { id, clientId, kind, name, prefix, domain }, by),
  );
  return { token_id: id, token, kind, name, prefix, domain };
}

export function tokenAuditEntry(
  change: 'issued' | 'replaced' | 'renamed' | 'revoked',
  { id, clientId, kind, name, domain, prefix }: Omit<NewToken, 'requestKey'> & Pick<Token, 'id' | 'prefix'>,
  by: Author,
  details: AuditDetails = {},
): NewAuditEntry {
  return {
    ...authorOf(by, clientId),
    action: `token.${change}`,
    subject: `token ${id}`,
    details: { kind, name, domain, prefix, ...details },
  };
}

/** One error for unknown tokens and tokens of other clients, which must stay secret. */
export function tokenNotFound(): DomainError {
  return new DomainError('token_not_found', 'There is no such token, or it has ended.');
}
