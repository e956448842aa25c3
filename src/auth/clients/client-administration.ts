import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type QueryDeepPartialEntity, Repository } from 'typeorm';
import type { AuditDetails } from '../../audit/audit-entry.entity.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import {
  amountFromMinor,
  minorFromNumeric,
  numericFromMinor,
  parseHundredths,
} from '../../platform/money/money.js';
import { isTimeZone, type TimeZone } from '../../platform/time/time.js';
import { readLine } from '../../platform/validation/texts.js';
import type { Operator } from '../people/administrator.js';
import { NewPeople, type NewPerson, readNewPerson } from '../people/new-people.js';
import { readEmail } from '../people/email.js';
import {
  SubscriptionAdministration,
  type SubscriptionSet,
  type SubscriptionShown,
  type SubscriptionTerms,
} from '../subscriptions/subscription-administration.js';
import { ClientDomains } from '../tokens/client-domains.js';
import type { TokenIssued } from '../tokens/issue-token.js';
import { TokenAdministration, type TokenListed } from '../tokens/token-administration.js';
import { Client } from './client.entity.js';
import { clientNotFound } from './client-finder.js';

/** SQL, because TypeORM can only lock rows that exist. */
const TAKE_TURNS = {
  name: 'clients-take-turns',
  text: `SELECT pg_advisory_xact_lock(hashtext('client add'))`,
};

/** With the owner's link to choose a password, shown once. An existing person gets no invitation. */
type ClientAdded = Pick<TokenIssued, 'token_id' | 'token' | 'domain'> &
  SubscriptionSet & { owner: { person_id: number; url: string; mailed: boolean } | null };

export interface ClientShown {
  client_id: number;
  name: string;
  email: string;
  suspended_at: Date | null;
  /** Null: the default of the settings. 0: no limit. */
  unpaid_value_limit: number | null;
  unpaid_orders_limit: number | null;
  /** Null: the zone of the settings. */
  time_zone: TimeZone | null;
}

/** A limit is a number, `none`, or `default` for the settings' value. */
export interface ClientChange {
  name?: string;
  email?: string;
  unpaidValueLimit?: string;
  unpaidOrdersLimit?: string;
  /** Empty or `default`: the settings' zone. */
  timeZone?: string;
}

export interface ClientListed extends ClientShown {
  created_at: Date;
  /** The domains of its valid tokens. */
  domains: string[];
  subscription: SubscriptionShown | null;
}

export interface ClientDescribed extends ClientListed {
  upcoming: SubscriptionShown[];
  /** Owners may create tokens for these domains. */
  allowed_domains: string[];
  tokens: TokenListed[];
}

type NewClient = Pick<Client, 'name' | 'email'> & { domain: string } & SubscriptionTerms;

@Injectable()
export class ClientAdministration {
  constructor(
    private readonly database: Database,
    @InjectRepository(Client) private readonly clients: Repository<Client>,
    private readonly subscriptions: SubscriptionAdministration,
    private readonly tokens: TokenAdministration,
    private readonly domains: ClientDomains,
    private readonly newPeople: NewPeople,
    private readonly audit: AuditLog,
  ) {}

  /** Creates the client with everything for its first call, or nothing. */
  add(given: NewClient, actor: string, { force = false } = {}): Promise<ClientAdded> {
    const name = readLine('name', given.name, 200);
    const email = readEmail(given.email);
    return this.database.transaction(async (transaction) => {
      // A lock, so that adding the same client twice at once is noticed.
      await transaction.query(TAKE_TURNS, []);
      if (!force) await refuseTwin(transaction.manager, name, email);
      const { id } = await transaction.manager.save(Client, { name, email });
      const { plan, from, until } = await this.subscriptions.setWithin(transaction, id, given, actor);
      const issued = await this.tokens.issueWithin(transaction, id, given.domain, actor, { force });
      const { token_id, token, domain } = issued;
      const by = { clientId: id, actor };
      const owner = await this.inviteOwner(transaction, by, { name, email, role: 'owner' }, force);
      return { client_id: id, token_id, token, domain, plan, from, until, owner };
    });
  }

  async list(): Promise<ClientListed[]> {
    const clients = await this.clients.find({ order: { id: 'ASC' } });
    const subscriptions = await this.subscriptions.byClient();
    const domains = await this.tokens.domainsByClient();
    return clients.map((client) => toListed(client, subscriptions, domains.get(client.id) ?? []));
  }

  async show(clientId: number): Promise<ClientDescribed> {
    const client = await this.find(clientId);
    const domains = (await this.tokens.domainsByClient(clientId)).get(clientId) ?? [];
    return {
      ...toListed(client, await this.subscriptions.byClient(clientId), domains),
      upcoming: await this.subscriptions.toCome(clientId),
      allowed_domains: await this.domains.ofClient(clientId),
      tokens: await this.tokens.list(clientId),
    };
  }

  async set(
    clientId: number,
    { name, email, unpaidValueLimit, unpaidOrdersLimit, timeZone }: ClientChange,
    actor: string,
  ): Promise<ClientShown> {
    const given = {
      ...(name !== undefined && { name: readLine('name', name, 200) }),
      ...(email !== undefined && { email: readEmail(email) }),
      ...(unpaidValueLimit !== undefined && { unpaidValueLimit: readValueLimit(unpaidValueLimit) }),
      ...(unpaidOrdersLimit !== undefined && { unpaidOrdersLimit: readOrdersLimit(unpaidOrdersLimit) }),
      ...(timeZone !== undefined && { timeZone: readTimeZone(timeZone) }),
    };
    return this.change({ clientId, actor, action: 'client.changed' }, () => given);
  }

  /** A client that is already suspended keeps its first date. */
  suspend(clientId: number, actor: string): Promise<ClientShown> {
    return this.change({ clientId, actor, action: 'client.suspended' }, ({ suspendedAt }) =>
      suspendedAt === null ? { suspendedAt: () => 'now()' } : {},
    );
  }

  resume(clientId: number, actor: string): Promise<ClientShown> {
    return this.change({ clientId, actor, action: 'client.resumed' }, () => ({ suspendedAt: null }));
  }

  /** Logs only values that changed, and nothing if none did. */
  private change(
    deed: { clientId: number; actor: string; action: `client.${string}` },
    changed: (client: Client) => QueryDeepPartialEntity<Client>,
  ): Promise<ClientShown> {
    const { clientId: id } = deed;
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const before = await manager.findOne(Client, { where: { id }, lock: { mode: 'for_no_key_update' } });
      if (!before) throw clientNotFound(id);
      const values = changed(before);
      if (Object.keys(values).length > 0) await manager.update(Client, id, values);
      const after = toShown(await manager.findOneByOrFail(Client, { id }));
      const details = differences(toShown(before), after);
      if (Object.keys(details).length > 0)
        await this.audit.recordWithin(transaction, { ...deed, subject: `client ${id}`, details });
      return after;
    });
  }

  private async inviteOwner(
    transaction: Transaction,
    by: Operator,
    given: NewPerson,
    force: boolean,
  ): Promise<ClientAdded['owner']> {
    const owner = readNewPerson(given);
    const known = await this.newPeople.holderWithin(transaction, by, owner.email);
    if (known && force) return null;
    if (known)
      throw new DomainError(
        'conflict',
        `${known.email} is already person ${known.id} of another client. With --force no owner is invited.`,
      );
    const { personId, link } = await this.newPeople.inviteWithin(transaction, by, owner);
    return { person_id: personId, url: link.url, mailed: link.isMailed };
  }

  private async find(clientId: number): Promise<Client> {
    const client = await this.clients.findOneBy({ id: clientId });
    if (!client) throw clientNotFound(clientId);
    return client;
  }
}

async function refuseTwin(manager: EntityManager, name: string, email: string): Promise<void> {
  const twin = await manager
    .createQueryBuilder(Client, 'client')
    .where('lower(client.name) = lower(:name) AND lower(client.email) = lower(:email)', { name, email })
    .orderBy('client.id')
    .limit(1)
    .getOne();
  if (twin)
    throw new DomainError(
      'conflict',
      `Client ${twin.id} is called ${twin.name}, ${twin.email} already. With --force a second one is added.`,
    );
}

function differences(before: ClientShown, after: ClientShown): AuditDetails {
  const told = (value: ClientShown[keyof ClientShown]) =>
    value instanceof Date ? value.toISOString() : value;
  const fields = Object.keys(after) as (keyof ClientShown)[];
  return Object.fromEntries(
    fields
      .filter((field) => told(before[field]) !== told(after[field]))
      .flatMap((field) => [
        [field, told(after[field])],
        [`${field}_before`, told(before[field])],
      ]),
  );
}

function toShown({ id, name, email, suspendedAt, timeZone, ...limits }: Client): ClientShown {
  const { unpaidValueLimit, unpaidOrdersLimit } = limits;
  return {
    client_id: id,
    name,
    email,
    suspended_at: suspendedAt,
    unpaid_value_limit:
      unpaidValueLimit === null ? null : amountFromMinor(minorFromNumeric(unpaidValueLimit)),
    unpaid_orders_limit: unpaidOrdersLimit,
    time_zone: timeZone,
  };
}

function toListed(
  client: Client,
  subscriptions: Map<number, SubscriptionShown>,
  domains: string[],
): ClientListed {
  const subscription = subscriptions.get(client.id) ?? null;
  return { ...toShown(client), created_at: client.createdAt, domains, subscription };
}

/** Reads a limit: an amount, `none`, or `default` for the settings' value. */
function readValueLimit(text: string): string | null {
  return readLimit(text, '0.00', (given) => {
    const parsed = parseHundredths(given);
    if ('fault' in parsed || parsed.hundredths <= 0 || parsed.hundredths >= 10 ** 15) {
      throw wrong('The limit of unpaid value', 'an amount of more than 0');
    }
    return numericFromMinor(parsed.hundredths);
  });
}

/** The same for the number of orders. */
function readOrdersLimit(text: string): number | null {
  return readLimit(text, 0, (given) => {
    if (!/^0*[1-9]\d{0,8}$/.test(given))
      throw wrong('The limit of unpaid orders', 'a whole number from 1 on');
    return Number(given);
  });
}

function readTimeZone(text: string): TimeZone | null {
  const given = text.trim();
  if (given === '' || given === 'default') return null;
  if (isTimeZone(given)) return given;
  throw new DomainError(
    'invalid_value',
    'The time zone must be a name such as Asia/Kolkata or Europe/Berlin, or default.',
  );
}

function readLimit<Limit>(text: string, none: Limit, read: (given: string) => Limit): Limit | null {
  const given = text.trim();
  if (given === 'default') return null;
  return given === 'none' ? none : read(given);
}

function wrong(what: string, must: string): DomainError {
  return new DomainError('invalid_value', `${what} must be ${must}, none, or default.`);
}
