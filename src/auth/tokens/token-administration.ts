import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { readLine } from '../../platform/validation/texts.js';
import { requireClient } from '../clients/client-finder.js';
import { ClientDomains } from './client-domains.js';
import { IS_GOOD, insertToken, type TokenIssued } from './issue-token.js';
import { TokenUses } from './token-uses.js';
import { FIRST_NAME, Token } from './token.entity.js';

export interface TokenListed {
  token_id: number;
  name: string;
  prefix: string;
  domain: string;
  created_at: Date;
  last_used_at: Date | null;
  ends_at: Date | null;
  revoked_at: Date | null;
}

type TokenRevoked = Pick<TokenListed, 'token_id' | 'name' | 'prefix' | 'domain' | 'revoked_at'>;

interface IssueOptions {
  name?: string;
  force?: boolean;
}

/** The wholesaler's work with tokens. A token for a domain also allows the domain. */
@Injectable()
export class TokenAdministration {
  constructor(
    private readonly database: Database,
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
    private readonly domains: ClientDomains,
    private readonly uses: TokenUses,
    private readonly audit: AuditLog,
  ) {}

  issue(clientId: number, domain: string, actor: string, options: IssueOptions = {}): Promise<TokenIssued> {
    return this.database.transaction((transaction) =>
      this.issueWithin(transaction, clientId, domain, actor, options),
    );
  }

  async issueWithin(
    transaction: Transaction,
    clientId: number,
    domainText: string,
    actor: string,
    { name: nameText = FIRST_NAME, force = false }: IssueOptions = {},
  ): Promise<TokenIssued> {
    const name = readLine('name', nameText, 100);
    await requireClient(transaction.manager, clientId);
    const domain = await this.domains.allowWithin(transaction, clientId, domainText, actor, { force });
    const issued = (await insertToken(transaction.manager, { clientId, name, domain }))!;
    const { token_id, prefix } = issued;
    await this.audit.recordWithin(transaction, {
      clientId,
      actor,
      action: 'token.issued',
      subject: `token ${token_id}`,
      details: { name, domain, prefix },
    });
    return issued;
  }

  /** A token that is already revoked keeps its first date. */
  revoke(tokenId: number, actor: string): Promise<TokenRevoked> {
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const { affected } = await manager.update(
        Token,
        { id: tokenId, revokedAt: IsNull() },
        { revokedAt: () => 'now()' },
      );
      const token = await manager.findOneBy(Token, { id: tokenId });
      if (!token) throw new DomainError('token_not_found', `There is no token ${tokenId}.`);
      const { clientId, name, prefix, domain, revokedAt } = token;
      const entry = { clientId, actor, subject: `token ${tokenId}`, details: { name, domain, prefix } };
      if (affected) await this.audit.recordWithin(transaction, { ...entry, action: 'token.revoked' });
      return { token_id: tokenId, name, prefix, domain, revoked_at: revokedAt };
    });
  }

  /** The domains of valid tokens, per client, without duplicates. */
  async domainsByClient(only?: number): Promise<Map<number, string[]>> {
    const where = only === undefined ? IS_GOOD : { clientId: only, ...IS_GOOD };
    const tokens = await this.tokens.find({ where, order: { id: 'ASC' } });
    const domains = new Map<number, Set<string>>();
    for (const { clientId, domain } of tokens)
      domains.set(clientId, (domains.get(clientId) ?? new Set()).add(domain));
    return new Map([...domains].map(([clientId, of]) => [clientId, [...of]]));
  }

  async list(clientId: number): Promise<TokenListed[]> {
    await requireClient(this.tokens.manager, clientId);
    const tokens = await this.tokens.find({ where: { clientId }, order: { id: 'ASC' } });
    const lastUses = await this.uses.lastUses(tokens.map(({ id }) => id));
    return tokens.map(({ id, name, prefix, domain, createdAt, endsAt, revokedAt }) => ({
      token_id: id,
      name,
      prefix,
      domain,
      created_at: createdAt,
      last_used_at: lastUses.get(id) ?? null,
      ends_at: endsAt,
      revoked_at: revokedAt,
    }));
  }
}
