import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { actorOf, type Author } from '../audit/actor-of.js';
import { authorOf, type OtherActor } from '../audit/audit-log.js';
import { Database, lockByName, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type ClientChange, givesTax, readClient, TAX_NAMES, withState } from '../clients/client-fields.js';
import { Client } from '../clients/client.entity.js';
import { refuseSeller } from '../clients/client.repository.js';
import { requireTax, SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { NewPeopleService, type NewPerson, readNewPerson } from '../people/new-people.service.js';
import {
  SubscriptionAdministrationService,
  type SubscriptionResult,
  type SubscriptionTerms,
} from '../clients/subscription-administration.service.js';
import type { IssuedToken } from './tokens/issue-token.js';
import { TokenAdministrationService } from './tokens/token-administration.service.js';

/** A new client, with the owner's link, which is shown once. An existing person gets no invitation. */
type NewClientResult = Partial<Pick<IssuedToken, 'token' | 'domain'> & { tokenId: number }> &
  SubscriptionResult & { owner: { personId: number; url: string; mailed: boolean } | null };

/** Without a domain it gets no token: its orders are entered by people. */
type NewClient = ClientChange & { name: string; email: string; domain?: string } & SubscriptionTerms;

const NAMES = ['name', 'email', ...TAX_NAMES] as const;

@Injectable()
export class NewClientsService {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionAdministrationService,
    private readonly tokens: TokenAdministrationService,
    private readonly people: NewPeopleService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Creates the client with everything for its first call or order, or nothing. */
  add(newClient: NewClient, by: Author, { force = false } = {}): Promise<NewClientResult> {
    if (givesTax(newClient)) requireTax(this.settings);
    const values = withState(readClient(newClient, [...NAMES])) as Pick<Client, (typeof NAMES)[number]>;
    const { name, email } = values;
    return this.database.transaction(async (transaction) => {
      // Detects a client that is added twice at the same time.
      await lockByName(transaction, 'client add');
      if (!force) await refuseDuplicate(transaction.manager, name, email);
      const { id } = await transaction.manager.save(Client, values).catch(refuseSeller);
      const { plan, from, until } = await this.subscriptions.setWithin(
        transaction,
        id,
        newClient,
        actorOf(by),
      );
      const issued = newClient.domain?.trim()
        ? await this.tokens.issueWithin(transaction, id, newClient.domain, by, { force })
        : undefined;
      const operator = authorOf(by, id);
      const owner = await this.inviteOwner(transaction, operator, { name, email, role: 'owner' }, force);
      const issuedToken = issued && { tokenId: issued.token_id, token: issued.token, domain: issued.domain };
      return { clientId: id, ...issuedToken, plan, from, until, owner };
    });
  }

  private async inviteOwner(
    transaction: Transaction,
    by: OtherActor<number>,
    newOwner: NewPerson,
    force: boolean,
  ): Promise<NewClientResult['owner']> {
    const owner = readNewPerson(newOwner, by.clientId);
    const holder = await this.people.holderWithin(transaction, by, owner.email);
    if (holder && force) return null;
    if (holder)
      throw new DomainError(
        'conflict',
        `${holder.email} is already person ${holder.id} of another client. Use “force” to invite no owner.`,
      );
    const { personId, link } = await this.people.inviteWithin(transaction, by, owner);
    return { personId, url: link.url, mailed: link.isMailed };
  }
}

async function refuseDuplicate(manager: EntityManager, name: string, email: string): Promise<void> {
  const duplicate = await manager
    .createQueryBuilder(Client, 'client')
    .where('lower(client.name) = lower(:name) AND lower(client.email) = lower(:email)', { name, email })
    .orderBy('client.id')
    .limit(1)
    .getOne();
  if (duplicate)
    throw new DomainError(
      'conflict',
      `Client ${duplicate.id} is already called ${duplicate.name}, ${duplicate.email}. Use “force” to add ` +
        'a second one.',
    );
}
