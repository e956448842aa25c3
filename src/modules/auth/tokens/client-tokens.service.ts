import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import { ClientDomainsService } from '../../clients/client-domains.service.js';
import { IS_GOOD, Token } from '../../clients/client.entity.js';
import { readDomain } from '../../clients/domain.js';
import { lockPeople } from '../../people/administrator.js';
import type { ClientPerson } from '../../../platform/access/signed-in-person.js';
import { TOKEN_KINDS, type TokenKind } from '../../../platform/access/token-kind.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError, validationFailed } from '../../../platform/errors/domain-error.js';
import { readFields } from '../../../platform/validation/readers.js';
import { readLine } from '../../../platform/validation/texts.js';
import { SnapshotService } from '../../../read-model/snapshot/snapshot.service.js';
import { issueToken, tokenNotFound, tokenAuditEntry, type IssuedToken } from './issue-token.js';
import { TokenUsesService } from './token-uses.service.js';

/** The limit of a client: one token for each shop, and one for each replacement. */
const MAX_VALID = 20;

interface TokenForm {
  /** One of `TOKEN_KINDS`. */
  kind?: string;
  name: string;
  domain: string;
  /** The key of the form. Posting the form twice creates one token. */
  key: string;
}

type NewTokenForm = TokenForm & { kind: TokenKind };

/** The seconds that a replaced token stays valid. */
export const OVERLAPS = { now: 0, '1h': 3_600, '24h': 86_400, '7d': 604_800 } as const;

export type Overlap = keyof typeof OVERLAPS;

export interface ReplacedToken extends IssuedToken {
  replaced: { prefix: string; overlap: Overlap };
}

/** The public names of a token. */
export type TokenLabels = Pick<Token, 'kind' | 'name' | 'prefix' | 'domain'>;

/** A token as all roles see it. */
export interface ClientTokenView extends TokenLabels, Pick<Token, 'id' | 'createdAt'> {
  /** To the minute for uses on other nodes. */
  lastUsedAt: Date | null;
  /** The end of the token, past or future. */
  endsAt: Date | null;
}

type OfClient = Pick<ClientPerson, 'clientId'>;

const MAX_ENDED = 20;

/** The time from which the token is refused. */
const END = 'least(token.revoked_at, token.ends_at)';

/** A client's tokens, and their changes by its owners. Other nodes see a change within a second. */
@Injectable()
export class ClientTokensService {
  constructor(
    private readonly database: Database,
    private readonly domains: ClientDomainsService,
    private readonly audit: AuditLog,
    private readonly snapshot: SnapshotService,
    private readonly uses: TokenUsesService,
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
  ) {}

  async listValid({ clientId }: OfClient): Promise<ClientTokenView[]> {
    return this.show(await this.tokens.find({ where: { clientId, ...IS_GOOD }, order: { id: 'ASC' } }));
  }

  async getValid({ clientId }: OfClient, tokenId: number): Promise<ClientTokenView> {
    const [token] = await this.show(await this.tokens.findBy({ id: tokenId, clientId, ...IS_GOOD }));
    if (!token) throw tokenNotFound();
    return token;
  }

  async findAny({ clientId }: OfClient, tokenId: number): Promise<TokenLabels | undefined> {
    return (await this.tokens.findOneBy({ id: tokenId, clientId })) ?? undefined;
  }

  async listEnded({ clientId }: OfClient): Promise<ClientTokenView[]> {
    const tokens = await this.tokens
      .createQueryBuilder('token')
      .where({ clientId })
      .andWhere(`${END} <= now()`)
      .orderBy(END, 'DESC')
      .limit(MAX_ENDED)
      .getMany();
    return this.show(tokens);
  }

  async create(person: ClientPerson, form: TokenForm): Promise<IssuedToken> {
    const { name, domain } = readFields({
      name: () => readTokenName(form.name),
      domain: () => readDomain(form.domain),
    });
    const kind = readTokenKind(form.kind);
    const key = readFormKey(form.key);
    return this.change(person, async (transaction) => {
      await this.refuseTooMany(transaction, person);
      return this.issue(transaction, person, { kind, name, domain, key }, 'domain');
    });
  }

  /** The new token is valid at once; the old one ends after the overlap. */
  async replace(
    person: ClientPerson,
    tokenId: number,
    form: { overlap: string; key: string },
  ): Promise<ReplacedToken> {
    const overlap = readOverlap(form.overlap);
    const key = readFormKey(form.key);
    return this.change(person, async (transaction) => {
      const { manager } = transaction;
      const token = await this.validToken(manager, person.clientId, tokenId);
      if (overlap !== 'now') await this.refuseTooMany(transaction, person);
      const { kind, name, domain, prefix } = token;
      const issued = await this.issue(transaction, person, { kind, name, domain, key }, 'overlap');
      await manager.update(Token, tokenId, endIn(OVERLAPS[overlap]));
      const details = { overlap, successor: issued.token_id };
      await this.audit.recordWithin(transaction, tokenAuditEntry('replaced', token, person, details));
      return { ...issued, replaced: { prefix, overlap } };
    });
  }

  async rename(person: ClientPerson, tokenId: number, nameText: string): Promise<void> {
    const { name } = readFields({ name: () => readTokenName(nameText) });
    await this.change(person, async (transaction) => {
      const token = await this.validToken(transaction.manager, person.clientId, tokenId);
      if (token.name === name) return;
      await transaction.manager.update(Token, tokenId, { name });
      const renamed = tokenAuditEntry('renamed', { ...token, name }, person, { from: token.name });
      await this.audit.recordWithin(transaction, renamed);
    });
  }

  async revoke(person: ClientPerson, tokenId: number): Promise<Token> {
    return this.change(person, async (transaction) => {
      const token = await this.validToken(transaction.manager, person.clientId, tokenId);
      await transaction.manager.update(Token, tokenId, endIn(0));
      await this.audit.recordWithin(transaction, tokenAuditEntry('revoked', token, person));
      return token;
    });
  }

  /** Runs changes of owners one after the other. Refreshes this node's read model. */
  private async change<Result>(
    person: ClientPerson,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const result = await this.database.transaction(async (transaction) => {
      await lockPeople(transaction, person);
      return work(transaction);
    });
    await this.snapshot.refreshAfterWrite();
    return result;
  }

  private async issue(
    transaction: Transaction,
    person: ClientPerson,
    { kind, name, domain, key: requestKey }: NewTokenForm,
    field: string,
  ): Promise<IssuedToken> {
    const { clientId } = person;
    if (!(await this.domains.isAllowed(transaction, clientId, domain))) throw domainNotAllowed(domain, field);
    return issueToken(transaction, this.audit, { clientId, kind, name, domain, requestKey }, person);
  }

  /** Another client's token looks like an unknown one. */
  private async validToken(manager: EntityManager, clientId: number, tokenId: number): Promise<Token> {
    const token = await manager.findOneBy(Token, { id: tokenId, clientId, ...IS_GOOD });
    if (!token) throw tokenNotFound();
    return token;
  }

  private async refuseTooMany({ manager }: Transaction, { clientId }: ClientPerson): Promise<void> {
    if ((await manager.countBy(Token, { clientId, ...IS_GOOD })) < MAX_VALID) return;
    throw new DomainError(
      'conflict',
      `You have ${MAX_VALID} tokens, which is the maximum. Revoke one that you no longer use.`,
    );
  }

  private async show(tokens: Token[]): Promise<ClientTokenView[]> {
    const lastUses = await this.uses.lastUses(tokens.map(({ id }) => id));
    return tokens.map(({ id, kind, name, prefix, domain, createdAt, endsAt, revokedAt }) => ({
      id,
      kind,
      name,
      prefix,
      domain,
      createdAt,
      lastUsedAt: lastUses.get(id) ?? null,
      endsAt: earlier(endsAt, revokedAt),
    }));
  }
}

function earlier(getValid: Date | null, other: Date | null): Date | null {
  if (getValid === null || other === null) return getValid ?? other;
  return getValid < other ? getValid : other;
}

/** Never extends the life of a token. */
export function endIn(seconds: number) {
  if (seconds === 0) return { revokedAt: () => 'now()' };
  return { endsAt: () => `least(ends_at, now() + interval '${seconds} seconds')` };
}

function domainNotAllowed(domain: string, field: string): DomainError {
  const message = `the domain ${domain} is not allowed for your tokens. Ask the wholesaler to allow it`;
  return validationFailed([{ field, code: 'not_allowed', message }]);
}

const readTokenName = (text: string) => readLine('name', text, 100);

/** Full access if it is left out. */
export function readTokenKind(text = ''): TokenKind {
  const kind = text === '' ? 'full' : TOKEN_KINDS.find((each) => each === text);
  if (kind !== undefined) return kind;
  throw validationFailed([{ field: 'kind', code: 'unknown_value', message: 'is not one of the choices' }]);
}

/** A hidden field: a wrong value does not come from our form. */
export function readFormKey(text: string): string {
  if (/^[\w-]{16,64}$/.test(text)) return text;
  throw new DomainError('malformed_request', 'The form is incomplete. Open its page again.');
}

export function readOverlap(text: string): Overlap {
  if (Object.hasOwn(OVERLAPS, text)) return text as Overlap;
  throw validationFailed([{ field: 'overlap', code: 'unknown_value', message: 'is not one of the choices' }]);
}
