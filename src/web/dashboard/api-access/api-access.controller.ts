import { Get, Post } from '@nestjs/common';
import { ClientTokensService } from '../../../modules/auth/tokens/client-tokens.service.js';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { ClientDomainsService } from '../../../modules/clients/client-domains.service.js';
import { submitForm, readTexts, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, type SeeOther, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { type ClientPerson, hasRole, requireRole } from '../../../platform/access/signed-in-person.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import { revokePage } from '../../shared/tokens.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
import { API_ACCESS, tokenPath } from '../paths.js';
import { apiAccessPage, newTokenPage, ownTokenPage, newTokenSecretPage } from './token-pages.js';

@DashboardPages('api-access')
export class ApiAccessController {
  constructor(
    private readonly clients: ClientAdministrationService,
    private readonly tokens: ClientTokensService,
    private readonly domains: ClientDomainsService,
    private readonly address: OwnAddress,
  ) {}

  @Get()
  async list(@ClientPageRequest() { me }: ClientPageRequest): Promise<Page> {
    const [client, tokens, ended] = await Promise.all([
      this.clients.find(me.clientId),
      this.tokens.listValid(me),
      this.tokens.listEnded(me),
    ]);
    const baseUrl = this.address.publicUrl;
    return apiAccessPage({ client, baseUrl, tokens, ended, mayChange: hasRole(me, 'owner') });
  }

  @Get('new')
  newForm(@ClientPageRequest() { me }: ClientPageRequest): Promise<Page> {
    return this.newTokenPage(me);
  }

  @PostForm('new')
  create(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Reply> {
    const form = readTexts('kind', 'name', 'domain', 'key')(fields);
    const create = async () => newTokenSecretPage(await this.tokens.create(me, form), this.address.publicUrl);
    return submitForm(create, () => this.newTokenPage(me, form.key));
  }

  @Get(':id')
  async show(@ClientPageRequest() { me, id }: ClientPageRequest): Promise<Page> {
    requireRole(me, 'owner');
    return ownTokenPage(await this.tokens.getValid(me, id));
  }

  @PostForm(':id/replace')
  replace(@ClientPageRequest() request: ClientPageRequest): Promise<Reply> {
    const { me, id, fields } = request;
    const form = readTexts('overlap', 'key')(fields);
    const replace = async () =>
      newTokenSecretPage(await this.tokens.replace(me, id, form), this.address.publicUrl);
    return submitForm(replace, () => this.show(request));
  }

  @PostForm(':id/name')
  rename(@ClientPageRequest() request: ClientPageRequest): Promise<Reply> {
    const { me, id, fields } = request;
    const name = textIn(fields, 'name');
    const rename = async () => {
      await this.tokens.rename(me, id, name);
      return seeOther(tokenPath(id), `The token is now called “${name.trim()}”.`);
    };
    return submitForm(rename, () => this.show(request));
  }

  @Get(':id/revoke')
  async revokeForm(@ClientPageRequest() { me, id }: ClientPageRequest): Promise<Page> {
    requireRole(me, 'owner');
    return revokePage(await this.tokens.getValid(me, id), tokenPath(id));
  }

  @Post(':id/revoke')
  async revoke(@ClientPageRequest() { me, id }: ClientPageRequest): Promise<SeeOther> {
    const { name, prefix } = await this.tokens.revoke(me, id);
    return seeOther(API_ACCESS, `“${name}” (${prefix}…) is revoked.`);
  }

  private async newTokenPage(person: ClientPerson, key?: string): Promise<Page> {
    requireRole(person, 'owner');
    const allowed = await this.domains.ofClient(person.clientId);
    return newTokenPage({ allowed, isAny: this.domains.isAny }, key);
  }
}
