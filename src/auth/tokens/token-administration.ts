import { Injectable } from '@nestjs/common';
import { normaliseDomain } from './domain.js';
import { newToken } from './token-secret.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { clientNotFound } from '../clients/client-not-found.js';

const ISSUE = {
  name: 'token-issue',
  text: `
    INSERT INTO tokens (client_id, hash, prefix, domain) SELECT id, $2, $3, $4 FROM clients WHERE id = $1
    RETURNING id AS token_id`,
};

/** A token that was revoked before keeps the time at which that happened. */
const REVOKE = {
  name: 'token-revoke',
  text: `
    UPDATE tokens SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1
    RETURNING id AS token_id, prefix, domain, revoked_at`,
};

const LIST = {
  name: 'token-list',
  text: `
    SELECT t.id AS token_id, t.prefix, t.domain, t.created_at, u.last_used_at, t.revoked_at
      FROM tokens t LEFT JOIN token_uses u ON u.token_id = t.id
     WHERE t.client_id = $1
     ORDER BY t.id`,
};

const CLIENT_EXISTS = { name: 'token-client-exists', text: 'SELECT FROM clients WHERE id = $1' };

/** A name as it stands in a `Host` header, with a port for stores that are still being built. */
const DOMAIN =
  /^(?=.{1,253}(:|$))[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*(:\d{1,5})?$/;

/** The secret is in `token`, this once. */
export interface TokenIssued {
  token_id: number;
  token: string;
  domain: string;
}

export interface TokenListed {
  token_id: number;
  prefix: string;
  domain: string;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

@Injectable()
export class TokenAdministration {
  constructor(private readonly database: Database) {}

  issue(clientId: number, domain: string): Promise<TokenIssued> {
    return this.database.transaction((transaction) => this.issueWithin(transaction, clientId, domain));
  }

  async issueWithin(transaction: Transaction, clientId: number, domainText: string): Promise<TokenIssued> {
    const domain = readDomain(domainText);
    const { token, prefix, hash } = newToken();
    const [row] = await transaction.query<{ token_id: number }>(ISSUE, [clientId, hash, prefix, domain]);
    if (!row) throw clientNotFound(clientId);
    return { token_id: row.token_id, token, domain };
  }

  async revoke(
    tokenId: number,
  ): Promise<{ token_id: number; prefix: string; domain: string; revoked_at: Date }> {
    const [row] = await this.database.query<{
      token_id: number;
      prefix: string;
      domain: string;
      revoked_at: Date;
    }>(REVOKE, [tokenId]);
    if (!row) throw new DomainError('token_not_found', `There is no token ${tokenId}.`);
    return row;
  }

  async list(clientId: number): Promise<TokenListed[]> {
    const [client] = await this.database.query(CLIENT_EXISTS, [clientId]);
    if (!client) throw clientNotFound(clientId);
    return this.database.query<TokenListed>(LIST, [clientId]);
  }
}

function readDomain(text: string): string {
  const domain = normaliseDomain(text);
  if (domain === null || !DOMAIN.test(domain)) {
    throw new DomainError(
      'invalid_value',
      'The domain must look like store.example.com, without a path (IDN in its xn-- form).',
    );
  }
  return domain;
}
