import { Get, Param, Post, Req } from '@nestjs/common';
import { type ClientPerson, hasRole, requireRole } from '../../../auth/people/signed-in-person.js';
import { ClientDomains } from '../../../auth/tokens/client-domains.js';
import { ClientTokens } from '../../../auth/tokens/client-tokens.js';
import type { NewTokenForm } from '../../../auth/tokens/token-forms.js';
import { TokenOverview } from '../../../auth/tokens/token-overview.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { textIn, withFaults } from '../../../pages/forms.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { BodyReadBy } from '../../../platform/validation/readers.js';
import { DashboardPages } from '../dashboard-pages.js';
import { idIn, API_ACCESS, tokenPath } from '../paths.js';
import { apiAccessPage } from './api-access-page.js';
import { type DomainChoice, newTokenPage, tokenMadePage } from './new-token-pages.js';
import { revokePage, tokenPage } from './token-page.js';

const readName = (fields: FormFields) => textIn(fields, 'name');
const readNewToken = (fields: FormFields): NewTokenForm => ({
  name: textIn(fields, 'name'),
  domain: textIn(fields, 'domain'),
  requestKey: textIn(fields, 'key'),
});
const readReplacement = (fields: FormFields) => ({
  overlap: textIn(fields, 'overlap'),
  requestKey: textIn(fields, 'key'),
});

@DashboardPages('api-access')
export class ApiAccessController {
  constructor(
    private readonly tokens: ClientTokens,
    private readonly overview: TokenOverview,
    private readonly domains: ClientDomains,
    private readonly address: OwnAddress,
  ) {}

  @Get()
  async list(@CurrentPerson() person: ClientPerson): Promise<Page> {
    const [tokens, ended] = await Promise.all([this.overview.good(person), this.overview.ended(person)]);
    const baseUrl = this.address.publicUrl;
    return apiAccessPage({ baseUrl, tokens, ended, mayChange: hasRole(person, 'owner') });
  }

  @Get('new')
  async newForm(@CurrentPerson() person: ClientPerson): Promise<Page> {
    requireRole(person, 'owner');
    return newTokenPage(await this.domainsFor(person));
  }

  @Post('new')
  @TakesForm()
  async create(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @BodyReadBy(readNewToken) form: NewTokenForm,
  ): Promise<Page> {
    try {
      return tokenMadePage(await this.tokens.create(person, form), this.address.publicUrl);
    } catch (error) {
      const domains = await this.domainsFor(person);
      return withFaults(error, request, (faults) => newTokenPage(domains, form, faults));
    }
  }
  @Get(':id')
  async show(@CurrentPerson() person: ClientPerson, @Param('id') id: string): Promise<Page> {
    requireRole(person, 'owner');
    return tokenPage(await this.overview.one(person, idIn(id)));
  }

  @Post(':id/replace')
  @TakesForm()
  async replace(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @Param('id') id: string,
    @BodyReadBy(readReplacement) form: ReturnType<typeof readReplacement>,
  ): Promise<Page> {
    try {
      return tokenMadePage(await this.tokens.replace(person, idIn(id), form), this.address.publicUrl);
    } catch (error) {
      return this.again(person, request, id, error);
    }
  }

  @Post(':id/name')
  @TakesForm()
  async rename(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @Param('id') id: string,
    @BodyReadBy(readName) name: string,
  ): Promise<Page | SeeOther> {
    try {
      await this.tokens.rename(person, idIn(id), name);
    } catch (error) {
      return this.again(person, request, id, error, { name });
    }
    return seeOther(tokenPath(idIn(id)), `The token is now called “${name.trim()}”.`);
  }

  @Get(':id/revoke')
  async askToRevoke(@CurrentPerson() person: ClientPerson, @Param('id') id: string): Promise<Page> {
    requireRole(person, 'owner');
    return revokePage(await this.overview.one(person, idIn(id)));
  }

  @Post(':id/revoke')
  async revoke(@CurrentPerson() person: ClientPerson, @Param('id') id: string): Promise<SeeOther> {
    const { name, prefix } = await this.tokens.revoke(person, idIn(id));
    return seeOther(API_ACCESS, `“${name}” (${prefix}…) is revoked.`);
  }

  /** Shows the token's page again with the faults of one of its forms. */
  private async again(
    person: ClientPerson,
    request: ApiRequest,
    id: string,
    error: unknown,
    typed: { name?: string } = {},
  ): Promise<Page> {
    const token = await this.overview.one(person, idIn(id));
    return withFaults(error, request, (faults) => tokenPage(token, typed, faults));
  }

  private async domainsFor({ clientId }: ClientPerson): Promise<DomainChoice> {
    return { allowed: await this.domains.ofClient(clientId), isAny: this.domains.isAny };
  }
}
