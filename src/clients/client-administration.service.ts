import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Brackets, type QueryDeepPartialEntity, Repository } from 'typeorm';
import type { Author } from '../audit/actor-of.js';
import { AuditLog, authorOf, differences, type OtherActor } from '../audit/audit-log.js';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import {
  amountFromMinor,
  minorFromNumeric,
  numericFromMinor,
  parseHundredths,
} from '../platform/money/money.js';
import { requireTax, SETTINGS, type Settings } from '../platform/settings/settings.js';
import { isTimeZone, type TimeZone } from '../platform/time/time.js';
import { readGstin, stateBeside, stateOf } from '../tax/gstin.js';
import { readField, readFields } from '../platform/validation/readers.js';
import { readLine, readOptionalLine } from '../platform/validation/texts.js';
import { type ClientPerson, requireRole } from '../platform/access/signed-in-person.js';
import { readEmail } from '../platform/validation/email.js';
import {
  SubscriptionAdministrationService,
  type SubscriptionShown,
} from './subscription-administration.service.js';
import { ClientDomainsService } from './client-domains.service.js';
import { Client } from './client.entity.js';
import { clientNotFound } from './client-finder.service.js';

/** What invoices say of a client. */
export interface Billing {
  gstin: string | null;
  /** The code of two digits. */
  state: string | null;
  billing_address: string | null;
}

/** The fields of the dashboard's form; an empty text clears. */
export interface BillingForm {
  gstin: string;
  state: string;
  billing_address: string;
  /** The details on the page that was sent, from `billingAsText`. */
  shown: string;
}

export interface ClientShown extends Billing {
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
  /** An empty text clears. A GSTIN sets the state too. */
  gstin?: string;
  state?: string;
  billingAddress?: string;
}

/** Which clients a page lists. */
export interface ClientsFilter {
  /** The number of a client, or a part of its name, of its e-mail address or of a domain of its tokens. */
  search?: string;
  /** Only suspended clients, or without an active subscription. */
  only?: 'suspended' | 'unserved';
  /** Only clients with larger numbers. */
  after?: number;
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
}

const CHANGED_MEANWHILE =
  'Nothing was changed, because another person changed these details after you opened this page. ' +
  'Compare your changes with the current details, and save again.';

@Injectable()
export class ClientAdministrationService {
  constructor(
    private readonly database: Database,
    @InjectRepository(Client) private readonly clients: Repository<Client>,
    private readonly subscriptions: SubscriptionAdministrationService,
    private readonly domains: ClientDomainsService,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Sorted by number. A scan: there are few clients beside their orders. */
  async list({ search, only, after = 0 }: ClientsFilter = {}, most?: number): Promise<ClientListed[]> {
    const query = this.clients.createQueryBuilder('client').where('client.id > :after', { after });
    if (search !== undefined)
      query.andWhere(
        new Brackets((either) =>
          either
            .where('client.id::text = :search')
            .orWhere('strpos(lower(client.name), lower(:search)) > 0')
            .orWhere('strpos(lower(client.email), lower(:search)) > 0')
            .orWhere(
              `EXISTS (SELECT FROM tokens t
                        WHERE t.client_id = client.id AND strpos(t.domain, lower(:search)) > 0)`,
            ),
        ),
        { search },
      );
    if (only === 'suspended') query.andWhere('client.suspendedAt IS NOT NULL');
    if (only === 'unserved')
      query.andWhere(
        `NOT EXISTS (SELECT FROM subscriptions s
                      WHERE s.client_id = client.id AND s.starts_at <= now() AND s.ends_at > now())`,
      );
    const clients = await query.orderBy('client.id').limit(most).getMany();
    const ids = clients.map(({ id }) => id);
    const subscriptions = await this.subscriptions.byClient(ids);
    const domains = await this.domains.inUse(ids);
    return clients.map((client) => toListed(client, subscriptions, domains.get(client.id) ?? []));
  }

  async show(clientId: number): Promise<ClientDescribed> {
    const client = await this.find(clientId);
    const domains = (await this.domains.inUse([clientId])).get(clientId) ?? [];
    return {
      ...toListed(client, await this.subscriptions.byClient([clientId]), domains),
      upcoming: await this.subscriptions.toCome(clientId),
      allowed_domains: await this.domains.ofClient(clientId),
    };
  }

  /** With what a page showed (`clientAsText`): only while that still holds. */
  async set(clientId: number, change: ClientChange, by: Author, shown?: string): Promise<ClientShown> {
    const { gstin, state, billingAddress } = change;
    if (gstin !== undefined || state !== undefined || billingAddress !== undefined) requireTax(this.settings);
    const given: Partial<Client> = {};
    for (const [field, read] of Object.entries(READERS)) {
      const text = change[field as keyof ClientChange];
      if (text !== undefined) Object.assign(given, { [field]: readField(field, () => read(text)) });
    }
    return this.change(authorOf(by, clientId), 'client.changed', (before) => {
      if (shown !== undefined && clientAsText(toShown(before)) !== shown)
        throw new DomainError('conflict', CHANGED_MEANWHILE);
      return {
        ...given,
        ...((gstin !== undefined || state !== undefined) && { state: stateAfter(before, given) }),
      };
    });
  }

  async billingOf(clientId: number): Promise<Billing> {
    return billingOf(await this.find(clientId));
  }

  /** All details at once, by an owner. */
  async setBilling(person: ClientPerson, form: BillingForm): Promise<Billing> {
    requireRole(person, 'owner');
    const {
      gstin,
      state,
      billing_address: billingAddress,
    } = readFields({
      gstin: () => orNull(form.gstin, readGstin),
      state: () => orNull(form.state, stateOf),
      billing_address: () => readBillingAddress(form.billing_address),
    });
    const fitting = readFields({ state: () => stateBeside(gstin, state) });
    return this.change(person, 'client.changed', (before) => {
      if (billingAsText(billingOf(before)) !== form.shown)
        throw new DomainError('conflict', CHANGED_MEANWHILE);
      return { gstin, billingAddress, ...fitting };
    });
  }

  /** A client that is already suspended keeps its first date. */
  suspend(clientId: number, by: Author): Promise<ClientShown> {
    return this.change(authorOf(by, clientId), 'client.suspended', ({ suspendedAt }) =>
      suspendedAt === null ? { suspendedAt: () => 'now()' } : {},
    );
  }

  resume(clientId: number, by: Author): Promise<ClientShown> {
    return this.change(authorOf(by, clientId), 'client.resumed', () => ({ suspendedAt: null }));
  }

  /** Logs only values that changed, and nothing if none did. */
  private change(
    by: ClientPerson | OtherActor<number>,
    action: `client.${string}`,
    changed: (client: Client) => QueryDeepPartialEntity<Client>,
  ): Promise<ClientShown> {
    const { clientId: id } = by;
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const before = await manager.findOne(Client, { where: { id }, lock: { mode: 'for_no_key_update' } });
      if (!before) throw clientNotFound(id);
      const values = changed(before);
      if (Object.keys(values).length > 0) await manager.update(Client, id, values);
      const after = toShown(await manager.findOneByOrFail(Client, { id }));
      const details = differences(toShown(before), after);
      if (Object.keys(details).length > 0)
        await this.audit.recordWithin(transaction, {
          ...('sessionId' in by ? { person: by } : by),
          action,
          subject: `client ${id}`,
          details,
        });
      return after;
    });
  }

  private async find(clientId: number): Promise<Client> {
    const client = await this.clients.findOneBy({ id: clientId });
    if (!client) throw clientNotFound(clientId);
    return client;
  }
}

function billingOf({ gstin, state, billingAddress: billing_address }: Client): Billing {
  return { gstin, state, billing_address };
}

/** What a form can change, as a text that it sends back. */
export function clientAsText({ suspended_at: _, ...values }: ClientShown): string {
  return JSON.stringify([
    values.name,
    values.email,
    values.unpaid_value_limit,
    values.unpaid_orders_limit,
    values.time_zone,
    billingAsText(values),
  ]);
}

/** The details as a text that a form sends back. */
export function billingAsText({ gstin, state, billing_address }: Billing): string {
  return JSON.stringify([gstin, state, billing_address]);
}

function toShown(client: Client): ClientShown {
  const { id, name, email, suspendedAt, timeZone, unpaidValueLimit, unpaidOrdersLimit } = client;
  return {
    client_id: id,
    name,
    email,
    suspended_at: suspendedAt,
    unpaid_value_limit:
      unpaidValueLimit === null ? null : amountFromMinor(minorFromNumeric(unpaidValueLimit)),
    unpaid_orders_limit: unpaidOrdersLimit,
    time_zone: timeZone,
    ...billingOf(client),
  };
}

/** A new GSTIN brings its state, unless the command names one. */
function stateAfter(
  before: Pick<Client, 'gstin' | 'state'>,
  given: Partial<Pick<Client, 'gstin' | 'state'>>,
): string | null {
  const { gstin = before.gstin, state = given.gstin ? null : before.state } = given;
  return stateBeside(gstin, state);
}

function orNull(text: string, read: (text: string) => string): string | null {
  return text.trim() === '' ? null : read(text);
}

function readBillingAddress(text: string): string | null {
  return readOptionalLine('billing address', text, 300) ?? null;
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

/** How each change is read. */
const READERS: { [Field in keyof ClientChange]-?: (text: string) => Client[Field] } = {
  name: (text) => readLine('name', text, 200),
  email: readEmail,
  unpaidValueLimit: readValueLimit,
  unpaidOrdersLimit: readOrdersLimit,
  timeZone: readTimeZone,
  gstin: (text) => orNull(text, readGstin),
  state: (text) => orNull(text, stateOf),
  billingAddress: readBillingAddress,
};
