import { Controller, Inject, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, CurrentKey, type RequestKey } from '../../../platform/access/admin-key.js';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import { requireOfKey } from '../../../platform/access/key-permissions.js';
import { AdminRoute, answerWith, CheckedBody } from '../../../platform/http/admin-route.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { inSnakeCase } from '../../../platform/snake-case.js';
import { pickTexts } from '../../../platform/validation/described-field.js';
import { readEnd, readStart } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { ClientAdministrationService } from '../client-administration.service.js';
import { ClientDomainsService } from '../client-domains.service.js';
import { CLIENT_NAMES, clientAnswer, TAX_NAMES } from '../client-fields.js';
import { SubscriptionAdministrationService } from '../subscription-administration.service.js';
import {
  AllowDomainQuery,
  SetClientRequest,
  SetSubscriptionRequest,
  SuspendClientRequest,
} from './admin-client.dto.js';
import {
  ClientTermsResponse,
  DomainDisallowedResponse,
  DomainResponse,
  SubscriptionEndedResponse,
  SubscriptionSetResponse,
} from './admin-client.response.js';
import { CLIENT, ClientParam } from './client-param.js';

const MANAGE = roleWith('manage clients');
const NO_CLIENT = ['client_not_found', 'client_ambiguous'] as const;
const DOMAIN = { name: 'domain', description: 'The domain.', example: 'mango.example.com' };

/** Terms, domains and subscriptions of clients. */
@ApiTags('Clients')
@Controller('api/admin/clients/:id')
export class AdminClientsController {
  constructor(
    private readonly clients: ClientAdministrationService,
    private readonly domains: ClientDomainsService,
    private readonly subscriptions: SubscriptionAdministrationService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @AdminRoute({
    method: 'PATCH',
    role: roleWith('set tax data of clients'),
    operationId: 'setClient',
    summary: 'Changes the name, the e-mail address, the limits, the time zone or the tax data of a client.',
    description: `Values that are left out stay. All but the tax data needs the role \`${MANAGE}\`.`,
    parameters: [CLIENT],
    body: { type: SetClientRequest },
    answer: { data: ClientTermsResponse, description: 'The client after it.' },
    errors: [...NO_CLIENT, 'wrong_settings'],
    command: 'client set',
  })
  async set(@ClientParam() id: number, @CurrentKey() key: RequestKey, @CheckedBody() body: SetClientRequest) {
    const change = pickTexts(CLIENT_NAMES, body);
    const changed = Object.keys(change) as typeof CLIENT_NAMES;
    const other = changed.find((name) => !TAX_NAMES.includes(name));
    if (other) requireOfKey(key, 'manage clients', 'All but the tax data');
    return answerWith(clientAnswer(await this.clients.set(id, change, key.actor)));
  }

  @AdminRoute({
    method: 'POST',
    path: 'suspend',
    role: MANAGE,
    operationId: 'suspendClient',
    summary: 'Refuses all tokens of a client until it is resumed.',
    parameters: [CLIENT],
    body: { type: SuspendClientRequest },
    answer: { data: ClientTermsResponse, description: 'The client after it.' },
    errors: [...NO_CLIENT],
    command: 'client suspend',
  })
  async suspend(
    @ClientParam() id: number,
    @Actor() by: string,
    @CheckedBody() { reason }: SuspendClientRequest,
  ) {
    return answerWith(clientAnswer(await this.clients.suspend(id, by, reason)));
  }

  @AdminRoute({
    method: 'POST',
    path: 'resume',
    role: MANAGE,
    operationId: 'resumeClient',
    summary: 'Ends the suspension of a client.',
    parameters: [CLIENT],
    answer: { data: ClientTermsResponse, description: 'The client after it.' },
    errors: [...NO_CLIENT],
    command: 'client resume',
  })
  async resume(@ClientParam() id: number, @Actor() by: string) {
    return answerWith(clientAnswer(await this.clients.resume(id, by)));
  }

  @AdminRoute({
    method: 'PUT',
    path: 'domains/:domain',
    role: roleWith('manage tokens'),
    operationId: 'allowDomain',
    summary: 'Lets the owners of a client make tokens for a domain.',
    parameters: [CLIENT, DOMAIN],
    answer: { data: DomainResponse, description: 'The domain as it is allowed.' },
    errors: [...NO_CLIENT, 'conflict'],
    command: 'client allow-domain',
  })
  async allowDomain(
    @ClientParam() id: number,
    @Param('domain') domain: string,
    @Actor() by: string,
    @ValidQuery() { force }: AllowDomainQuery,
  ) {
    return answerWith(inSnakeCase(await this.domains.allow(id, domain, by, { force })));
  }

  @AdminRoute({
    method: 'DELETE',
    path: 'domains/:domain',
    role: roleWith('manage tokens'),
    operationId: 'disallowDomain',
    summary: 'Stops new tokens for a domain. Existing tokens stay valid until they are revoked.',
    parameters: [CLIENT, DOMAIN],
    answer: { data: DomainDisallowedResponse },
    errors: [...NO_CLIENT, 'domain_not_found'],
    command: 'client disallow-domain',
  })
  async disallowDomain(@ClientParam() id: number, @Param('domain') domain: string, @Actor() by: string) {
    return answerWith(inSnakeCase(await this.domains.disallow(id, domain, by)));
  }

  @AdminRoute({
    method: 'PUT',
    path: 'subscription',
    role: MANAGE,
    operationId: 'setSubscription',
    summary: 'Sets the subscription of a client from a time on. The one before it ends then.',
    parameters: [CLIENT],
    body: { type: SetSubscriptionRequest },
    answer: { data: SubscriptionSetResponse },
    errors: [...NO_CLIENT, 'plan_not_found'],
    command: 'subscription set',
  })
  async setSubscription(
    @ClientParam() id: number,
    @Actor() by: string,
    @CheckedBody() { plan, from, until }: SetSubscriptionRequest,
  ) {
    const { timeZone } = this.settings;
    const start = readStart(from, timeZone);
    const terms = { plan, ...(start && { from: start }), until: readEnd(until, timeZone)! };
    return answerWith(inSnakeCase(await this.subscriptions.set(id, terms, by)));
  }

  @AdminRoute({
    method: 'DELETE',
    path: 'subscription',
    role: MANAGE,
    operationId: 'endSubscription',
    summary: 'Ends the subscription of a client now, and deletes future ones.',
    parameters: [CLIENT],
    answer: { data: SubscriptionEndedResponse },
    errors: [...NO_CLIENT, 'conflict'],
    command: 'subscription end',
  })
  async endSubscription(@ClientParam() id: number, @Actor() by: string) {
    return answerWith(inSnakeCase(await this.subscriptions.end(id, by)));
  }
}
