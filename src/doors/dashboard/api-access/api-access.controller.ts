import { Get, Post } from '@nestjs/common';
import { type ClientPerson, hasRole, requireRole } from '../../../platform/access/signed-in-person.js';
import { ClientDomainsService } from '../../../clients/client-domains.service.js';
import { ClientTokensService } from '../../../auth/tokens/client-tokens.service.js';
import { IdParam, orAgain, Texts } from '../../../pages/forms.js';
import { type Page, type Reply, type SeeOther, seeOther } from '../../../pages/page.js';
import { Me } from '../../../platform/access/access.decorators.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { DashboardPages } from '../dashboard-pages.js';
import { API_ACCESS, tokenPath } from '../paths.js';
import { apiAccessPage } from './api-access-page.js';
import { newTokenPage, ownTokenPage, tokenMadePage } from './token-pages.js';
import { revokePage } from '../../shared/tokens.js';

@DashboardPages('api-access')
export class ApiAccessController {
  constructor(
    private readonly tokens: ClientTokensService,
    private readonly domains: ClientDomainsService,
    private readonly address: OwnAddress,
  ) {}

  @Get()
  async list(@Me() person: ClientPerson): Promise<Page> {
    const [tokens, ended] = await Promise.all([this.tokens.good(person), this.tokens.ended(person)]);
    const baseUrl = this.address.publicUrl;
    return apiAccessPage({ baseUrl, tokens, ended, mayChange: hasRole(person, 'owner') });
  }

  @Get('new')
  newForm(@Me() person: ClientPerson): Promise<Page> {
    return this.newTokenPage(person);
  }

  @PostForm('new')
  create(
    @Me() person: ClientPerson,
    @Texts('kind', 'name', 'domain', 'key') form: Texts<'kind' | 'name' | 'domain' | 'key'>,
  ): Promise<Reply> {
    return orAgain(
      async () => tokenMadePage(await this.tokens.create(person, form), this.address.publicUrl),
      () => this.newTokenPage(person, form.key),
    );
  }

  @Get(':id')
  async show(@Me() person: ClientPerson, @IdParam() id: number): Promise<Page> {
    requireRole(person, 'owner');
    return ownTokenPage(await this.tokens.one(person, id));
  }

  @PostForm(':id/replace')
  replace(
    @Me() person: ClientPerson,
    @IdParam() id: number,
    @Texts('overlap', 'key') form: Texts<'overlap' | 'key'>,
  ): Promise<Reply> {
    return orAgain(
      async () => tokenMadePage(await this.tokens.replace(person, id, form), this.address.publicUrl),
      () => this.show(person, id),
    );
  }

  @PostForm(':id/name')
  rename(
    @Me() person: ClientPerson,
    @IdParam() id: number,
    @Texts('name') { name }: Texts<'name'>,
  ): Promise<Reply> {
    return orAgain(
      async () => {
        await this.tokens.rename(person, id, name);
        return seeOther(tokenPath(id), `The token is now called “${name.trim()}”.`);
      },
      () => this.show(person, id),
    );
  }

  @Get(':id/revoke')
  async askToRevoke(@Me() person: ClientPerson, @IdParam() id: number): Promise<Page> {
    requireRole(person, 'owner');
    return revokePage(await this.tokens.one(person, id), tokenPath(id));
  }

  @Post(':id/revoke')
  async revoke(@Me() person: ClientPerson, @IdParam() id: number): Promise<SeeOther> {
    const { name, prefix } = await this.tokens.revoke(person, id);
    return seeOther(API_ACCESS, `“${name}” (${prefix}…) is revoked.`);
  }

  private async newTokenPage(person: ClientPerson, key?: string): Promise<Page> {
    requireRole(person, 'owner');
    const allowed = await this.domains.ofClient(person.clientId);
    return newTokenPage({ allowed, isAny: this.domains.isAny }, key);
  }
}
