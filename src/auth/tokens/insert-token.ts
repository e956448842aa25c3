import type { EntityManager } from 'typeorm';
import { newToken } from './token-secret.js';
import { Token } from './token.entity.js';

/** The secret is in `token`, this once. */
export interface TokenIssued {
  token_id: number;
  token: string;
  name: string;
  prefix: string;
  domain: string;
}

type NewToken = Pick<Token, 'clientId' | 'name' | 'domain'> & Partial<Pick<Token, 'requestKey'>>;

/** Nothing if the same form has made one already: the database decides, whoever posts it at once. */
export async function insertToken(
  manager: EntityManager,
  { clientId, name, domain, requestKey }: NewToken,
): Promise<TokenIssued | undefined> {
  const { token, prefix, hash } = newToken();
  const { identifiers } = await manager
    .createQueryBuilder()
    .insert()
    .into(Token)
    .values({ clientId, hash, prefix, domain, name, requestKey })
    .orIgnore()
    .execute();
  const id = identifiers[0]?.id as number | undefined;
  return id === undefined ? undefined : { token_id: id, token, name, prefix, domain };
}
