import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { ClientPerson } from '../people/signed-in-person.js';
import { IS_GOOD } from './good-token.js';
import { noSuchToken } from './no-such-token.js';
import { TokenUses } from './token-uses.js';
import { Token } from './token.entity.js';

/** By what people know a token. */
export interface TokenNamed {
  name: string;
  prefix: string;
  domain: string;
}

/** What people see of a token, whatever their role. */
export interface TokenShown extends TokenNamed {
  id: number;
  createdAt: Date;
  /** To the minute, as far as other nodes go. */
  lastUsedAt: Date | null;
  /** When it ended, or is going to. */
  endsAt: Date | null;
}

const MOST_ENDED = 20;

/** When it was refused for the first time. */
const END = 'least(token.revoked_at, token.ends_at)';

/** The tokens of a client, those that are good and those that were. */
@Injectable()
export class TokenOverview {
  constructor(
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
    private readonly uses: TokenUses,
  ) {}

  /** In the order in which they were made. */
  async good({ clientId }: ClientPerson): Promise<TokenShown[]> {
    return this.show(await this.tokens.find({ where: { clientId, ...IS_GOOD }, order: { id: 'ASC' } }));
  }

  /** One that is good. */
  async one({ clientId }: ClientPerson, tokenId: number): Promise<TokenShown> {
    const [token] = await this.show(await this.tokens.findBy({ id: tokenId, clientId, ...IS_GOOD }));
    if (!token) throw noSuchToken();
    return token;
  }

  /** Whatever became of it. */
  async named({ clientId }: ClientPerson, tokenId: number): Promise<TokenNamed | undefined> {
    return (await this.tokens.findOneBy({ id: tokenId, clientId })) ?? undefined;
  }

  /** The last ones that ended. */
  async ended({ clientId }: ClientPerson): Promise<TokenShown[]> {
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
