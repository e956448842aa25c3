import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { DomainError } from '../platform/errors/domain-error.js';
import { normaliseDomain } from './domain.js';
import { Token } from './token.entity.js';
import { Client } from './client.entity.js';

const ID = /^\d{1,9}$/;

/** The maximum of candidates in an error message. */
const MOST_NAMED = 10;

/** One more than an error message names, so that it can say "and more". */
export const MOST_CANDIDATES = MOST_NAMED + 1;

export type NamedClient = Pick<Client, 'id' | 'name' | 'email'>;

/** Finds a client by number, name, e-mail address, the domain of a valid token, or the start of its name. */
@Injectable()
export class ClientFinderService {
  constructor(@InjectRepository(Client) private readonly clients: Repository<Client>) {}

  /** A number is not looked up here; the command that uses it checks it. */
  async find(text: string): Promise<number> {
    const called = text.trim();
    if (ID.test(called)) return Number(called);
    const exact = await this.called(called);
    const found = exact.length > 0 ? exact : await this.beginning(called);
    if (found.length === 1) return found[0]!.id;
    if (found.length === 0) throw new DomainError('client_not_found', `There is no client "${called}".`);
    throw ambiguousClient(
      exact.length > 0
        ? `Several clients are called "${called}"`
        : `The names of several clients begin with "${called}"`,
      found,
      'Name the client by its number.',
    );
  }

  /** A mistyped number is an error, not an empty list. */
  async check(id: number | undefined): Promise<void> {
    if (id !== undefined) await requireClient(this.clients.manager, id);
  }

  /** The client with this number. */
  async byId(id: number): Promise<NamedClient> {
    const client = await this.clients.findOneBy({ id });
    if (!client) throw clientNotFound(id);
    return client;
  }

  /** Names, addresses and domains are not unique, so there may be several. */
  private called(text: string): Promise<Client[]> {
    return this.clients
      .createQueryBuilder('client')
      .where('lower(client.name) = lower(:text) OR lower(client.email) = lower(:text)')
      .orWhere(
        (query) =>
          `EXISTS ${query
            .subQuery()
            .from(Token, 'token')
            .where('token.clientId = client.id AND token.domain = :domain')
            .andWhere('token.revokedAt IS NULL AND (token.endsAt IS NULL OR token.endsAt > now())')
            .getQuery()}`,
      )
      .setParameters({ text, domain: normaliseDomain(text) })
      .orderBy('client.id')
      .take(MOST_CANDIDATES)
      .getMany();
  }

  private async beginning(text: string): Promise<Client[]> {
    if (text === '') return [];
    return this.clients
      .createQueryBuilder('client')
      .where('starts_with(lower(client.name), lower(:text))', { text })
      .orderBy('client.id')
      .take(MOST_CANDIDATES)
      .getMany();
  }
}

/** Lists the candidates, with advice on how to choose one. */
export function ambiguousClient(fault: string, found: NamedClient[], advice: string): DomainError {
  const named = found.slice(0, MOST_NAMED).map(({ id, name, email }) => `${id} (${name}, ${email})`);
  const more = found.length > MOST_NAMED ? ' and more' : '';
  return new DomainError('client_ambiguous', `${fault}: ${named.join(', ')}${more}. ${advice}`);
}

export function clientNotFound(clientId: number): DomainError {
  return new DomainError('client_not_found', `There is no client ${clientId}.`);
}

/** Refuses a mistyped number instead of answering with an empty list. */
export async function requireClient(manager: EntityManager, clientId: number): Promise<void> {
  if (!(await manager.existsBy(Client, { id: clientId }))) throw clientNotFound(clientId);
}
