import { Inject, Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';
import { actorOf, type Author } from '../audit/actor-of.js';
import { AuditLog, authorOf, differences, type OtherActor } from '../audit/audit-log.js';
import { type ClientPerson, requireRole } from '../../platform/access/signed-in-person.js';
import { actAs, Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { requireTax, SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { formatEnd } from '../../platform/time/time.js';
import { readOptionalLine } from '../../platform/validation/texts.js';
import { ClientDomainsService } from './client-domains.service.js';
import {
  CLIENT_NAMES,
  clientAnswer,
  clientAsText,
  type ClientChange,
  givesTax,
  TAX_NAMES,
  readClient,
  withState,
} from './client-fields.js';
import { ClientRepository, type ClientsFilter, refuseSeller } from './client.repository.js';
import { Client } from './client.entity.js';
import {
  SubscriptionAdministrationService,
  type SubscriptionListItem,
} from './subscription-administration.service.js';

export interface ClientListItem extends Client {
  /** The domains of its valid tokens. */
  domains: string[];
  subscription: SubscriptionListItem | null;
  /** The end of the last subscription, if it comes soon. */
  endsSoonOn: string | null;
}

export interface ClientDetails extends ClientListItem {
  upcoming: SubscriptionListItem[];
  /** Owners may create tokens for these domains. */
  allowedDomains: string[];
}

const CHANGED_BY_OTHER =
  'Nothing was changed, because another person changed these details after you opened this page. ' +
  'Compare your changes with the current details, and save again.';

@Injectable()
export class ClientAdministrationService {
  constructor(
    private readonly database: Database,
    private readonly clients: ClientRepository,
    private readonly subscriptions: SubscriptionAdministrationService,
    private readonly domains: ClientDomainsService,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async list(filter: ClientsFilter = {}, limit?: number): Promise<ClientListItem[]> {
    return this.withSubscriptions(await this.clients.list(filter, limit));
  }

  find(clientId: number): Promise<Client> {
    return this.clients.byId(clientId);
  }

  async show(clientId: number): Promise<ClientDetails> {
    const [client] = await this.withSubscriptions([await this.find(clientId)]);
    return {
      ...client!,
      upcoming: await this.subscriptions.toCome(clientId),
      allowedDomains: await this.domains.ofClient(clientId),
    };
  }

  /** `reviewedState` is the state on the page (`clientAsText`). If it has changed, nothing is written. */
  set(
    clientId: number,
    change: ClientChange,
    by: Author,
    reviewedState?: string,
    names = CLIENT_NAMES,
  ): Promise<Client> {
    return this.setFields(authorOf(by, clientId), names, change, reviewedState);
  }

  async setOwn(person: ClientPerson, change: ClientChange, reviewedState: string): Promise<Client> {
    requireRole(person, 'owner');
    return this.setFields(person, TAX_NAMES, change, reviewedState);
  }

  /** A suspended client keeps its first date. */
  async suspend(clientId: number, by: Author, reasonText?: string): Promise<Client> {
    const reason = readOptionalLine('reason', reasonText, 200);
    return this.change(
      authorOf(by, clientId),
      'client.suspended',
      ({ suspendedAt }) => (suspendedAt === null ? { suspendedAt: () => 'now()' } : {}),
      reason,
    );
  }

  resume(clientId: number, by: Author): Promise<Client> {
    return this.change(authorOf(by, clientId), 'client.resumed', () => ({ suspendedAt: null }));
  }

  private async withSubscriptions(clients: Client[]): Promise<ClientListItem[]> {
    const ids = clients.map(({ id }) => id);
    const subscriptions = await this.subscriptions.byClient(ids);
    const domains = await this.domains.inUse(ids);
    const ending = await this.clients.ending(ids);
    const endText = (at?: Date) => (at ? formatEnd(at, this.settings.timeZone) : null);
    return clients.map((client) => ({
      ...client,
      endsSoonOn: endText(ending.get(client.id)),
      domains: domains.get(client.id) ?? [],
      subscription: subscriptions.get(client.id) ?? null,
    }));
  }

  private async setFields(
    by: ClientPerson | OtherActor<number>,
    names: typeof CLIENT_NAMES,
    change: ClientChange,
    reviewedState: string | undefined,
  ): Promise<Client> {
    if (givesTax(change)) requireTax(this.settings);
    const values = readClient(change, names);
    return this.change(by, undefined, (before) => {
      if (reviewedState !== undefined && clientAsText(before, names) !== reviewedState)
        throw new DomainError('conflict', CHANGED_BY_OTHER);
      return withState(values, before);
    });
  }

  /** Logs the action if it changes anything. A trigger logs the new values of fields. */
  private change(
    by: ClientPerson | OtherActor<number>,
    action: 'client.suspended' | 'client.resumed' | undefined,
    changed: (client: Client) => QueryDeepPartialEntity<Client>,
    reason?: string,
  ): Promise<Client> {
    const { clientId: id } = by;
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      await actAs(transaction, 'sessionId' in by ? actorOf(by) : by.actor, by.address);
      const before = await this.clients.lockById(manager, id);
      const values = changed(before);
      if (Object.keys(values).length > 0) await manager.update(Client, id, values).catch(refuseSeller);
      const after = await manager.findOneByOrFail(Client, { id });
      const details = differences(clientAnswer(before), clientAnswer(after));
      if (action && Object.keys(details).length > 0)
        await this.audit.recordWithin(transaction, {
          ...('sessionId' in by ? { person: by } : by),
          action,
          subject: `client ${id}`,
          details: { ...details, ...(reason !== undefined && { reason }) },
        });
      return after;
    });
  }
}
