import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import {
  AdminRoute,
  answerWith,
  DEFAULT_LIMIT,
  pageOf,
  PageQuery,
} from '../../../platform/http/admin-route.js';
import { readNumberCursor } from '../../../platform/http/page-cursor.js';
import { OptionalText } from '../../../platform/validation/body-fields.decorator.js';
import { OptionalChoice } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { CLIENT, ClientParam } from '../../clients/admin/client-param.js';
import { ClientAdministrationService } from '../../clients/client-administration.service.js';
import { toAccountAnswer } from '../records/client-account.js';
import { OrderDeskService } from '../records/order-desk.service.js';
import { ClientAccountResponse, ClientDetailsResponse } from './admin-client-account.response.js';

const ONLY = ['suspended', 'unserved', 'ending'] as const;

class ClientListQuery extends PageQuery {
  @OptionalText({
    max: 200,
    description: 'A number, or a part of a name, of an e-mail address or of the domain of a token.',
    example: 'mango',
  })
  search?: string;

  @OptionalChoice(
    ONLY,
    'Only suspended clients, those without an active subscription, or those whose last one ends soon.',
  )
  only?: (typeof ONLY)[number];
}

/** Clients with their money and their unpaid orders. */
@ApiTags('Clients')
@Controller('api/admin/clients')
export class AdminClientAccountsController {
  constructor(
    private readonly clients: ClientAdministrationService,
    private readonly orders: OrderDeskService,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: roleWith('see clients'),
    operationId: 'listClients',
    summary: 'Lists the clients with their subscriptions, balances and unpaid orders.',
    answer: { list: ClientAccountResponse, description: 'In the order of their numbers.' },
    command: 'client list',
  })
  async list(@ValidQuery() { after, limit = DEFAULT_LIMIT, ...filter }: ClientListQuery) {
    const clients = await this.clients.list({ ...filter, after: readNumberCursor(after) }, limit + 1);
    const accounts = await this.orders.accounts(clients.map(({ id }) => id));
    return pageOf(
      clients,
      limit,
      (client) => toAccountAnswer(client, accounts.get(client.id)!),
      ({ id }) => String(id),
    );
  }

  @AdminRoute({
    method: 'GET',
    path: ':id',
    role: roleWith('see clients'),
    operationId: 'getClient',
    summary: 'Shows a client with its subscriptions and its domains.',
    parameters: [CLIENT],
    answer: { data: ClientDetailsResponse, description: 'Its tokens have a list of their own.' },
    errors: ['client_not_found', 'client_ambiguous'],
    command: 'client show',
  })
  async show(@ClientParam() id: number) {
    const client = await this.clients.show(id);
    const { upcoming, allowedDomains } = client;
    const account = (await this.orders.accounts([id])).get(id)!;
    return answerWith(toAccountAnswer(client, account, { upcoming, allowedDomains }));
  }
}
