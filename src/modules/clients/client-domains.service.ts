import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Not, Repository } from 'typeorm';
import { actorOf, type Author } from '../audit/actor-of.js';
import { AuditLog, authorOf } from '../audit/audit-log.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { readField } from '../../platform/validation/readers.js';
import { ClientDomain, IS_GOOD, Token } from './client.entity.js';
import { requireClient } from './client.repository.js';
import { readDomain } from './domain.js';

export interface DomainAllowed {
  clientId: number;
  domain: string;
}

export interface DomainDisallowed extends DomainAllowed {
  /** Its valid tokens. They stay valid until they are revoked. */
  tokenIds: number[];
}

/** The limit of a client. */
const MAX_DOMAINS = 100;

/** The domains for which owners may create tokens. The wholesaler decides. */
@Injectable()
export class ClientDomainsService {
  constructor(
    private readonly database: Database,
    @InjectRepository(ClientDomain) private readonly domains: Repository<ClientDomain>,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  get isAny(): boolean {
    return this.settings.tokenDomains === 'any';
  }

  async ofClient(clientId: number): Promise<string[]> {
    const allowed = await this.domains.find({ where: { clientId }, order: { domain: 'ASC' } });
    return allowed.map(({ domain }) => domain);
  }

  /** The domains of valid tokens, per client, without duplicates. */
  async inUse(only?: readonly number[]): Promise<Map<number, string[]>> {
    const where = only === undefined ? IS_GOOD : { clientId: In(only), ...IS_GOOD };
    const tokens = await this.domains.manager.find(Token, { where, order: { id: 'ASC' } });
    const domains = new Map<number, Set<string>>();
    for (const { clientId, domain } of tokens)
      domains.set(clientId, (domains.get(clientId) ?? new Set()).add(domain));
    return new Map([...domains].map(([clientId, of]) => [clientId, [...of]]));
  }

  /** The domains that orders of the client may have. Orders keep the domain of a revoked token. */
  async ofOrders(clientId: number): Promise<string[]> {
    const tokens = await this.domains.manager.findBy(Token, { clientId, kind: 'full' });
    return [...new Set(tokens.map(({ domain }) => domain))].toSorted();
  }

  async isAllowed({ manager }: Transaction, clientId: number, domain: string): Promise<boolean> {
    return this.isAny || manager.existsBy(ClientDomain, { clientId, domain });
  }

  allow(clientId: number, domainText: string, by: Author, { force = false } = {}): Promise<DomainAllowed> {
    return this.database.transaction(async (transaction) => {
      await requireClient(transaction.manager, clientId);
      const domain = await this.allowWithin(transaction, clientId, domainText, by, { force });
      return { clientId, domain };
    });
  }

  /** An allowed domain stays allowed, even if another client has it. */
  async allowWithin(
    transaction: Transaction,
    clientId: number,
    domainText: string,
    by: Author,
    { force = false } = {},
  ): Promise<string> {
    const { manager } = transaction;
    const domain = readField('domain', () => readDomain(domainText));
    if (await manager.existsBy(ClientDomain, { clientId, domain })) return domain;
    if (!force) await refuseForeign(manager, clientId, domain);
    if ((await manager.countBy(ClientDomain, { clientId })) >= MAX_DOMAINS)
      throw new DomainError(
        'conflict',
        `A client can have at most ${MAX_DOMAINS} domains. Remove one first.`,
      );
    const { raw } = await manager
      .createQueryBuilder()
      .insert()
      .into(ClientDomain)
      .values({ clientId, domain, allowedBy: actorOf(by) })
      .orIgnore()
      .returning('domain')
      .execute();
    if ((raw as unknown[]).length > 0)
      await this.audit.recordWithin(transaction, {
        ...authorOf(by, clientId),
        action: 'domain.allowed',
        subject: domain,
      });
    return domain;
  }

  /** Forbids new tokens for it; existing ones stay valid. */
  disallow(clientId: number, domainText: string, by: Author): Promise<DomainDisallowed> {
    const domain = readDomain(domainText);
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      await requireClient(manager, clientId);
      const { affected } = await manager.delete(ClientDomain, { clientId, domain });
      if (!affected)
        throw new DomainError('domain_not_found', `Client ${clientId} is not allowed to use ${domain}.`);
      await this.audit.recordWithin(transaction, {
        ...authorOf(by, clientId),
        action: 'domain.disallowed',
        subject: domain,
      });
      const tokens = await manager.find(Token, {
        where: { clientId, domain, ...IS_GOOD },
        order: { id: 'ASC' },
      });
      return { clientId, domain, tokenIds: tokens.map(({ id }) => id) };
    });
  }
}

/** Refuses a domain of another client: usually one client was added twice. */
async function refuseForeign(manager: EntityManager, clientId: number, domain: string): Promise<void> {
  const others = { domain, clientId: Not(clientId) };
  const other =
    (await manager.findOne(Token, { where: { ...others, ...IS_GOOD }, order: { id: 'ASC' } })) ??
    (await manager.findOne(ClientDomain, { where: others, order: { clientId: 'ASC' } }));
  if (other)
    throw new DomainError(
      'conflict',
      `The domain ${domain} already belongs to client ${other.clientId}. Use “force” to allow it to both.`,
    );
}
