import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, MoreThan, Repository } from 'typeorm';
import type { Author } from '../../audit/actor-of.js';
import { AuditLog } from '../../audit/audit-log.js';
import { ClientDomainsService } from '../../clients/client-domains.service.js';
import { FIRST_NAME, IS_GOOD, Token } from '../../clients/client.entity.js';
import { requireClient } from '../../clients/client.repository.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { readField } from '../../../platform/validation/readers.js';
import { readLine } from '../../../platform/validation/texts.js';
import {
  endIn,
  OVERLAPS,
  readFormKey,
  readOverlap,
  readTokenKind,
  type ReplacedToken,
} from './client-tokens.service.js';
import { issueToken, tokenNotFound, tokenAuditEntry, type IssuedToken } from './issue-token.js';
import { TokenUsesService } from './token-uses.service.js';

export interface TokenListItem extends Omit<IssuedToken, 'token'> {
  created_at: Date;
  last_used_at: Date | null;
  ends_at: Date | null;
  revoked_at: Date | null;
}

interface ListPage {
  after?: number | undefined;
  limit?: number;
}

type TokenRevoked = Omit<IssuedToken, 'token'> & Pick<TokenListItem, 'revoked_at'>;

interface IssueOptions {
  /** One of `TOKEN_KINDS`. */
  kind?: string;
  name?: string;
  force?: boolean;
  /** The key of a form. Posting the form twice creates one token. */
  key?: string;
}

/** The wholesaler's work with tokens. A token for a domain also allows the domain. */
@Injectable()
export class TokenAdministrationService {
  constructor(
    private readonly database: Database,
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
    private readonly domains: ClientDomainsService,
    private readonly uses: TokenUsesService,
    private readonly audit: AuditLog,
  ) {}

  issue(clientId: number, domain: string, by: Author, options: IssueOptions = {}): Promise<IssuedToken> {
    return this.database.transaction((transaction) =>
      this.issueWithin(transaction, clientId, domain, by, options),
    );
  }

  /** The new token is valid at once; the old one ends after the overlap. A token is replaced once. */
  replace(
    clientId: number,
    tokenId: number,
    form: { overlap: string; key?: string },
    by: Author,
  ): Promise<ReplacedToken> {
    const overlap = readOverlap(form.overlap);
    const requestKey = form.key === undefined ? undefined : readFormKey(form.key);
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const lock = { mode: 'pessimistic_write' } as const;
      const token = await manager.findOne(Token, { where: { id: tokenId, clientId, ...IS_GOOD }, lock });
      if (!token) throw tokenNotFound();
      if (token.endsAt !== null)
        throw new DomainError('conflict', `Token ${tokenId} was replaced already, and ends soon.`);
      const { kind, name, domain, prefix } = token;
      const successor = { clientId, kind, name, domain, requestKey };
      const issued = await issueToken(transaction, this.audit, successor, by);
      await manager.update(Token, tokenId, endIn(OVERLAPS[overlap]));
      const details = { overlap, successor: issued.token_id };
      await this.audit.recordWithin(transaction, tokenAuditEntry('replaced', token, by, details));
      return { ...issued, replaced: { prefix, overlap } };
    });
  }

  async issueWithin(
    transaction: Transaction,
    clientId: number,
    domainText: string,
    by: Author,
    { kind: kindText, name: nameText = FIRST_NAME, force = false, key }: IssueOptions = {},
  ): Promise<IssuedToken> {
    const name = readField('name', () => readLine('name', nameText, 100));
    const kind = readTokenKind(kindText);
    const requestKey = key === undefined ? undefined : readFormKey(key);
    await requireClient(transaction.manager, clientId);
    const domain = await this.domains.allowWithin(transaction, clientId, domainText, by, { force });
    return issueToken(transaction, this.audit, { clientId, kind, name, domain, requestKey }, by);
  }

  /** A revoked token keeps its first date. With `ofClient`, only a token of this client. */
  revoke(tokenId: number, by: Author, ofClient?: number): Promise<TokenRevoked> {
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const { affected } = await manager.update(
        Token,
        { id: tokenId, revokedAt: IsNull(), ...(ofClient !== undefined && { clientId: ofClient }) },
        { revokedAt: () => 'now()' },
      );
      const token = await manager.findOneBy(Token, { id: tokenId });
      if (!token || (ofClient !== undefined && token.clientId !== ofClient))
        throw new DomainError('token_not_found', `There is no token ${tokenId}.`);
      if (affected) await this.audit.recordWithin(transaction, tokenAuditEntry('revoked', token, by));
      const { kind, name, prefix, domain, revokedAt } = token;
      return { token_id: tokenId, kind, name, prefix, domain, revoked_at: revokedAt };
    });
  }

  /** In the order of their numbers, from the token after this one. */
  async list(clientId: number, { after = 0, limit }: ListPage = {}): Promise<TokenListItem[]> {
    await requireClient(this.tokens.manager, clientId);
    const tokens = await this.tokens.find({
      where: { clientId, id: MoreThan(after) },
      order: { id: 'ASC' },
      ...(limit !== undefined && { take: limit }),
    });
    const lastUses = await this.uses.lastUses(tokens.map(({ id }) => id));
    return tokens.map(({ id, kind, name, prefix, domain, createdAt, endsAt, revokedAt }) => ({
      token_id: id,
      kind,
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
