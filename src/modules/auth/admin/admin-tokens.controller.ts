import { Controller, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor } from '../../../platform/access/admin-key.js';
import { roleWith } from '../../../platform/access/desk-permissions.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  pageOf,
  PageQuery,
} from '../../../platform/http/admin-route.js';
import { NumberParam, readNumberCursor } from '../../../platform/http/page-cursor.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { inSnakeCase } from '../../../platform/snake-case.js';
import { pickTexts } from '../../../platform/validation/described-field.js';
import { readEnd, readStart } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { CLIENT, ClientParam } from '../../clients/admin/client-param.js';
import { ClientAdministrationService } from '../../clients/client-administration.service.js';
import { TAX_NAMES } from '../../clients/client-fields.js';
import { missingDataNotice } from '../../clients/rules/invoice-needs.js';
import { SellersService } from '../../invoices/sellers.service.js';
import { NewClientsService } from '../new-clients.service.js';
import { TokenAdministrationService } from '../tokens/token-administration.service.js';
import {
  AddClientRequest,
  AdminTokenResponse,
  ClientAddedResponse,
  IssuedTokenResponse,
  IssueTokenRequest,
  RevokedTokenResponse,
} from './admin-token.dto.js';

const NO_CLIENT = ['client_not_found', 'client_ambiguous'] as const;

/** Secrets are in one answer only, so these routes keep none for a repetition. */
@ApiTags('Clients')
@Controller('api/admin')
export class AdminTokensController {
  constructor(
    private readonly newClients: NewClientsService,
    private readonly tokens: TokenAdministrationService,
    private readonly clients: ClientAdministrationService,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @AdminRoute({
    method: 'POST',
    path: 'clients',
    role: roleWith('manage clients'),
    operationId: 'addClient',
    summary:
      'Adds a client with a subscription, an invited owner and, for a domain, a token, which is shown once.',
    body: { type: AddClientRequest },
    answer: { data: ClientAddedResponse, status: 201, description: 'Keep the token and the link now.' },
    errors: ['plan_not_found', 'conflict', 'wrong_settings'],
    command: 'client add',
  })
  async addClient(@Actor() by: string, @CheckedBody() { from, until, force, ...body }: AddClientRequest) {
    const { name, email, domain, plan } = body;
    const { timeZone } = this.settings;
    const start = readStart(from, timeZone);
    const terms = { plan, ...(start && { from: start }), until: readEnd(until, timeZone)! };
    const client = { name, email, domain, ...pickTexts(TAX_NAMES, body), ...terms };
    const added = await this.newClients.add(client, by, { force });
    const missing = await this.sellers.missingDataOf(await this.clients.find(added.clientId));
    const warnings = missing === undefined ? [] : [missingDataNotice(missing)];
    return answerWith({ ...inSnakeCase(added), warnings });
  }

  @AdminRoute({
    method: 'GET',
    path: 'clients/:id/tokens',
    role: roleWith('see clients'),
    operationId: 'listTokens',
    summary: 'Lists the tokens of a client.',
    parameters: [CLIENT],
    answer: { list: AdminTokenResponse, description: 'In the order of their numbers, ended ones too.' },
    errors: [...NO_CLIENT],
    command: 'token list',
  })
  async list(@ClientParam() id: number, @ValidQuery() { after, limit = DEFAULT_LIMIT }: PageQuery) {
    const tokens = await this.tokens.list(id, { after: readNumberCursor(after), limit: limit + 1 });
    return pageOf(
      tokens,
      limit,
      (token) => token,
      ({ token_id: number }) => String(number),
    );
  }

  @AdminRoute({
    method: 'POST',
    path: 'clients/:id/tokens',
    role: roleWith('manage tokens'),
    operationId: 'issueToken',
    summary: 'Issues another token to a client. It is shown only once.',
    parameters: [CLIENT],
    body: { type: IssueTokenRequest },
    answer: { data: IssuedTokenResponse, status: 201, description: 'Keep the token now.' },
    errors: [...NO_CLIENT, 'conflict'],
    command: 'token issue',
  })
  async issue(
    @ClientParam() id: number,
    @Actor() by: string,
    @CheckedBody() { domain, ...options }: IssueTokenRequest,
  ) {
    return answerWith(await this.tokens.issue(id, domain, by, options));
  }

  @AdminRoute({
    method: 'DELETE',
    path: 'tokens/:token_id',
    role: roleWith('manage tokens'),
    operationId: 'revokeToken',
    summary: 'Refuses a token from now on. This cannot be undone.',
    parameters: [{ name: 'token_id', description: 'The number of the token.', example: 12 }],
    answer: { data: RevokedTokenResponse },
    errors: ['token_not_found'],
    command: 'token revoke',
  })
  async revoke(@NumberParam('token_id', 'token_not_found', 'token') tokenId: number, @Actor() by: string) {
    return answerWith(await this.tokens.revoke(tokenId, by));
  }
}
