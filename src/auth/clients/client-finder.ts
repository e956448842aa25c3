import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DomainError } from '../../platform/errors/domain-error.js';
import { normaliseDomain } from '../tokens/domain.js';
import { Token } from '../tokens/token.entity.js';
import { Client } from './client.entity.js';

const ID = /^\d{1,9}$/;

/** How many of those that could be meant are named. */
const MOST_NAMED = 10;

/** Finds the client that is meant by what people call it: its number, name, e-mail address, or the domain of a token that is good. */
@Injectable()
export class ClientFinder {
  constructor(@InjectRepository(Client) private readonly clients: Repository<Client>) {}

  /** A number is taken as it is: whoever uses it says whether there is such a client. */
  async find(text: string): Promise<number> {
    const called = text.trim();
    if (ID.test(called)) return Number(called);
    const found = await this.called(called);
    if (found.length === 1) return found[0]!.id;
    throw found.length === 0
      ? new DomainError('client_not_found', `There is no client "${called}".`)
      : ambiguous(called, found);
  }

  /** No name, address or domain is unique for ever, so that there may be several. */
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
      .take(MOST_NAMED + 1)
      .getMany();
  }
}

function ambiguous(called: string, found: Client[]): DomainError {
  const named = found.slice(0, MOST_NAMED).map(({ id, name, email }) => `${id} (${name}, ${email})`);
  const more = found.length > MOST_NAMED ? ' and more' : '';
  return new DomainError(
    'client_ambiguous',
    `Several clients are called "${called}": ${named.join(', ')}${more}. Say which by its number.`,
  );
}
