import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Brackets, type EntityManager, In, Repository } from 'typeorm';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Client, Subscription, Token } from './client.entity.js';
import { normaliseDomain } from './domain.js';
import { ENDS_SOON_DAYS } from './rules/ends-soon.js';

export interface ClientsFilter {
  /** The number of a client, or a part of its name, of its e-mail address or of a domain of its tokens. */
  search?: string;
  /** Only suspended clients, those without an active subscription, or those whose last one ends soon. */
  only?: 'suspended' | 'unserved' | 'ending';
  /** Only clients with larger numbers. */
  after?: number;
}

const ENDS_SOON = `
  EXISTS (SELECT FROM subscriptions s WHERE s.client_id = client.id
          HAVING max(ends_at) > now() AND max(ends_at) <= now() + interval '${ENDS_SOON_DAYS} days'
             AND bool_or(starts_at <= now() AND ends_at > now()))`;

@Injectable()
export class ClientRepository {
  constructor(@InjectRepository(Client) private readonly clients: Repository<Client>) {}

  async byId(id: number): Promise<Client> {
    const client = await this.clients.findOneBy({ id });
    if (!client) throw clientNotFound(id);
    return client;
  }

  async names(ids: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.clients.find({ select: { id: true, name: true }, where: { id: In([...ids]) } });
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Serializes changes of a client. */
  async lockById(manager: EntityManager, id: number): Promise<Client> {
    const client = await manager.findOne(Client, { where: { id }, lock: { mode: 'for_no_key_update' } });
    if (!client) throw clientNotFound(id);
    return client;
  }

  /** Sorted by number. A full scan, because there are few clients. */
  list({ search, only, after = 0 }: ClientsFilter, limit?: number): Promise<Client[]> {
    const query = this.clients.createQueryBuilder('client').where('client.id > :after', { after });
    const ofDomain = query
      .subQuery()
      .from(Token, 'token')
      .where('token.clientId = client.id AND strpos(token.domain, lower(:search)) > 0');
    if (search !== undefined)
      query.andWhere(
        new Brackets((either) =>
          either
            .where('client.id::text = :search')
            .orWhere('strpos(lower(client.name), lower(:search)) > 0')
            .orWhere('strpos(lower(client.email), lower(:search)) > 0')
            .orWhere(`EXISTS ${ofDomain.getQuery()}`),
        ),
        { search },
      );
    if (only === 'suspended') query.andWhere('client.suspendedAt IS NOT NULL');
    if (only === 'ending') query.andWhere(ENDS_SOON);
    if (only === 'unserved') {
      const served = query
        .subQuery()
        .from(Subscription, 's')
        .where('s.clientId = client.id AND s.startsAt <= now() AND s.endsAt > now()');
      query.andWhere(`NOT EXISTS ${served.getQuery()}`);
    }
    return query.orderBy('client.id').limit(limit).getMany();
  }

  /** The ends of the last subscriptions of these clients, if they end soon. */
  async ending(ids: readonly number[]): Promise<Map<number, Date>> {
    const query = this.clients.createQueryBuilder('client');
    const lastEnd = query
      .subQuery()
      .select('max(last.endsAt)')
      .from(Subscription, 'last')
      .where('last.clientId = client.id');
    const rows = await query
      .select('client.id', 'id')
      .addSelect(lastEnd.getQuery(), 'lastEnd')
      .where({ id: In([...ids]) })
      .andWhere(ENDS_SOON)
      .getRawMany<{ id: number; lastEnd: Date }>();
    return new Map(rows.map(({ id, lastEnd: at }) => [id, at]));
  }

  /** Names, addresses and domains are not unique, so several clients may match. */
  findByName(text: string, limit: number): Promise<Client[]> {
    const query = this.clients.createQueryBuilder('client');
    const ofDomain = query
      .subQuery()
      .from(Token, 'token')
      .where('token.clientId = client.id AND token.domain = :domain')
      .andWhere('token.revokedAt IS NULL AND (token.endsAt IS NULL OR token.endsAt > now())');
    return query
      .where('lower(client.name) = lower(:text) OR lower(client.email) = lower(:text)')
      .orWhere(`EXISTS ${ofDomain.getQuery()}`)
      .setParameters({ text, domain: normaliseDomain(text) })
      .orderBy('client.id')
      .limit(limit)
      .getMany();
  }

  /** Clients whose name begins with the text. An empty text matches none. */
  findByPrefix(text: string, limit: number): Promise<Client[]> {
    return this.clients
      .createQueryBuilder('client')
      .where("starts_with(lower(client.name), lower(:text)) AND :text <> ''", { text })
      .orderBy('client.id')
      .limit(limit)
      .getMany();
  }
}

export function clientNotFound(clientId: number): DomainError {
  return new DomainError('client_not_found', `There is no client ${clientId}.`);
}

/** Translates the error of a trigger that compares clients with the seller, which a higher module owns. */
export function refuseSeller(error: unknown): never {
  if ((error as { constraint?: string }).constraint !== 'clients_are_not_the_seller') throw error;
  const message = 'This GSTIN belongs to the seller. A client needs its own.';
  const errors = [{ field: 'gstin', code: 'invalid_value', message }];
  throw new DomainError('invalid_value', message, { errors, cause: error });
}

/** Refuses a mistyped number instead of answering with an empty list. */
export async function requireClient(manager: EntityManager, clientId: number): Promise<void> {
  if (!(await manager.existsBy(Client, { id: clientId }))) throw clientNotFound(clientId);
}
