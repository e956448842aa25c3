import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { ClientPerson } from '../people/signed-in-person.js';
import { noSuchToken } from './issue-token.js';
import { TokenUses } from './token-uses.js';
import { IS_GOOD, Token } from './token.entity.js';

/** The public names of a token. */
export type TokenNamed = Pick<Token, 'name' | 'prefix' | 'domain'>;

/** A token as all roles see it. */
export interface TokenShown extends TokenNamed, Pick<Token, 'id' | 'createdAt'> {
  /** To the minute, for uses on other nodes. */
  lastUsedAt: Date | null;
  /** Its end, past or future. */
  endsAt: Date | null;
}

type OfClient = Pick<ClientPerson, 'clientId'>;

const MOST_ENDED = 20;

/** The time since when it is refused. */
const END = 'least(token.revoked_at, token.ends_at)';

/** A client's tokens, valid and ended. */
@Injectable()
export class TokenOverview {
  constructor(
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
    private readonly uses: TokenUses,
  ) {}

  /** Sorted by creation. */
  async good({ clientId }: OfClient): Promise<TokenShown[]> {
    return this.show(await this.tokens.find({ where: { clientId, ...IS_GOOD }, order: { id: 'ASC' } }));
  }

  /** One valid token. */
  async one({ clientId }: OfClient, tokenId: number): Promise<TokenShown> {
    const [token] = await this.show(await this.tokens.findBy({ id: tokenId, clientId, ...IS_GOOD }));
    if (!token) throw noSuchToken();
    return token;
  }

  /** A valid or ended token. */
  async named({ clientId }: OfClient, tokenId: number): Promise<TokenNamed | undefined> {
    return (await this.tokens.findOneBy({ id: tokenId, clientId })) ?? undefined;
  }

  /** The tokens that ended last. */
  async ended({ clientId }: OfClient): Promise<TokenShown[]> {
    const tokens = await this.tokens
      .createQueryBuilder('token')
      .where({ clientId })
      .andWhere(`${END} <= now()`)
      .orderBy(END, 'DESC')
      .limit(MOST_ENDED)
      .getMany();
    return this.show(tokens);
  }

  private async show(tokens: Token[]): Promise<TokenShown[]> {
    const lastUses = await this.uses.lastUses(tokens.map(({ id }) => id));
    return tokens.map(({ id, name, prefix, domain, createdAt, endsAt, revokedAt }) => ({
      id,
      name,
      prefix,
      domain,
      createdAt,
      lastUsedAt: lastUses.get(id) ?? null,
      endsAt: earlier(endsAt, revokedAt),
    }));
  }
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
