import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Not, Repository } from 'typeorm';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { requireClient } from '../clients/require-client.js';
import { readDomain } from './domain.js';
import { newToken } from './token-secret.js';
import { TokenUses } from './token-uses.js';
import { Token } from './token.entity.js';

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

type TokenRevoked = Pick<TokenListed, 'token_id' | 'prefix' | 'domain' | 'revoked_at'>;

@Injectable()
export class TokenAdministration {
  constructor(
    private readonly database: Database,
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
    private readonly uses: TokenUses,
  ) {}

  issue(clientId: number, domain: string, { force = false } = {}): Promise<TokenIssued> {
    return this.database.transaction((transaction) =>
      this.issueWithin(transaction, clientId, domain, { force }),
    );
  }

  async issueWithin(
    { manager }: Transaction,
    clientId: number,
    domainText: string,
    { force = false } = {},
  ): Promise<TokenIssued> {
    const domain = readDomain(domainText);
    await requireClient(manager, clientId);
    if (!force) await refuseForeign(manager, clientId, domain);
    const { token, prefix, hash } = newToken();
    const { id } = await manager.save(Token, { clientId, hash, prefix, domain });
    return { token_id: id, token, domain };
  }

  /** A token that was revoked before keeps the time at which that happened. */
  async revoke(tokenId: number): Promise<TokenRevoked> {
    await this.tokens.update({ id: tokenId, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
    const token = await this.tokens.findOneBy({ id: tokenId });
    if (!token) throw new DomainError('token_not_found', `There is no token ${tokenId}.`);
    return { token_id: token.id, prefix: token.prefix, domain: token.domain, revoked_at: token.revokedAt };
  }

  /** The domains at which clients can be served, each once. */
  async domainsByClient(): Promise<Map<number, string[]>> {
    const tokens = await this.tokens.find({ where: { revokedAt: IsNull() }, order: { id: 'ASC' } });
    const domains = new Map<number, Set<string>>();
    for (const { clientId, domain } of tokens)
      domains.set(clientId, (domains.get(clientId) ?? new Set()).add(domain));
    return new Map([...domains].map(([clientId, of]) => [clientId, [...of]]));
  }

  async list(clientId: number): Promise<TokenListed[]> {
    await requireClient(this.tokens.manager, clientId);
    const tokens = await this.tokens.find({ where: { clientId }, order: { id: 'ASC' } });
    const lastUses = await this.uses.lastUses(tokens.map(({ id }) => id));
    return tokens.map(({ id, prefix, domain, createdAt, revokedAt }) => ({
      token_id: id,
      prefix,
      domain,
      created_at: createdAt,
      last_used_at: lastUses.get(id) ?? null,
      revoked_at: revokedAt,
    }));
  }
}

/** Two clients at one domain are one client that was added twice, as a rule. */
async function refuseForeign(manager: EntityManager, clientId: number, domain: string): Promise<void> {
  const where = { domain, clientId: Not(clientId), revokedAt: IsNull() };
  const other = await manager.findOne(Token, { where, order: { id: 'ASC' } });
  if (other)
    throw new DomainError(
      'conflict',
      `The domain ${domain} has a token of client ${other.clientId} already. With --force it gets another one.`,
    );
}
