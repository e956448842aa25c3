import { Get, Post } from '@nestjs/common';
import { ClientAdministration } from '../../../clients/client-administration.service.js';
import { type DeskPerson, hasRole } from '../../../platform/access/signed-in-person.js';
import { ClientDomains } from '../../../clients/client-domains.service.js';
import { noSuchToken } from '../../../auth/tokens/issue-token.js';
import { TokenAdministration } from '../../../auth/tokens/token-administration.service.js';
import { again, IdParam, Texts } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther, type Reply } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { Me } from '../../../platform/access/access.decorators.js';
import { DomainError, validationFailed } from '../../../platform/errors/domain-error.js';
import { DeskPages, For } from '../desk-pages.js';
import { clientTokensPath } from '../paths.js';
import { hasEnded, tokenMadePage, tokenPage, tokensPage } from './tokens-pages.js';

const TokenParam = () => IdParam('token');

/** Tokens and domains of one client. Staff read, admins change. */
@DeskPages('clients/:id', 'staff')
export class ClientTokensController {
  constructor(
    private readonly clients: ClientAdministration,
    private readonly tokens: TokenAdministration,
    private readonly domains: ClientDomains,
  ) {}

  @Get('tokens')
  list(@Me() me: DeskPerson, @IdParam() id: number): Promise<Page> {
    return this.listPage(me, id);
  }

  @PostForm('tokens/new')
  @For('admin')
  async issue(
    @Me() me: DeskPerson,
    @IdParam() id: number,
    @Texts('name', 'domain', 'key', 'force') form: Texts<'name' | 'domain' | 'key' | 'force'>,
  ): Promise<Page> {
    const { name, domain, key, force } = form;
    try {
      const issued = await this.tokens.issue(id, domain, me, { name, key, force: force === 'yes' });
      return tokenMadePage(await this.client(id), issued);
    } catch (error) {
      return again(error, await this.listPage(me, id, error, key), 'conflict');
    }
  }

  @Get('tokens/:token')
  @For('admin')
  async show(@IdParam() id: number, @TokenParam() tokenId: number): Promise<Page> {
    const found = (await this.tokens.list(id)).find((token) => token.token_id === tokenId);
    if (!found || hasEnded(found)) throw noSuchToken();
    return tokenPage(await this.client(id), found);
  }

  @PostForm('tokens/:token/replace')
  @For('admin')
  async replace(
    @Me() me: DeskPerson,
    @IdParam() id: number,
    @TokenParam() tokenId: number,
    @Texts('overlap', 'key') form: Texts<'overlap' | 'key'>,
  ): Promise<Reply> {
    try {
      return tokenMadePage(await this.client(id), await this.tokens.replace(id, tokenId, form, me));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'conflict')
        return seeOther(clientTokensPath(id), { kind: 'warn', text: error.message });
      return again(error, await this.show(id, tokenId));
    }
  }

  @Post('tokens/:token/revoke')
  @For('admin')
  async revoke(
    @Me() me: DeskPerson,
    @IdParam() id: number,
    @TokenParam() tokenId: number,
  ): Promise<SeeOther> {
    const { name, prefix } = await this.tokens.revoke(tokenId, me, id);
    return seeOther(clientTokensPath(id), `“${name}” (${prefix}…) is revoked.`);
  }

  @PostForm('domains/allow')
  @For('admin')
  async allow(
    @Me() me: DeskPerson,
    @IdParam() id: number,
    @Texts('allowed', 'force') form: Texts<'allowed' | 'force'>,
  ): Promise<Reply> {
    try {
      const { domain } = await this.domains.allow(id, form.allowed, me, { force: form.force === 'yes' });
      return seeOther(clientTokensPath(id), `Its owners may make tokens for ${domain}.`);
    } catch (error) {
      return again(atAllowed(error), await this.listPage(me, id, error), 'conflict');
    }
  }

  @PostForm('domains/disallow')
  @For('admin')
  async disallow(
    @Me() me: DeskPerson,
    @IdParam() id: number,
    @Texts('disallowed') { disallowed }: Texts<'disallowed'>,
  ): Promise<SeeOther> {
    const { domain, token_ids: left } = await this.domains.disallow(id, disallowed, me);
    const still = left.length === 0 ? '' : ' Its existing tokens stay valid until you revoke them.';
    return seeOther(clientTokensPath(id), `No new tokens for ${domain}.${still}`);
  }

  private client(id: number) {
    return this.clients.show(id);
  }

  private async listPage(me: DeskPerson, id: number, error?: unknown, key?: string): Promise<Page> {
    return tokensPage({
      client: await this.client(id),
      tokens: await this.tokens.list(id),
      allowed: await this.domains.ofClient(id),
      isAdmin: hasRole(me, 'admin'),
      offersForce: error instanceof DomainError && error.code === 'conflict',
      key,
    });
  }
}

/** Two forms of the page have a domain, so this one's field has a name of its own. */
function atAllowed(error: unknown): unknown {
  if (!(error instanceof DomainError) || !error.errors) return error;
  return validationFailed(error.errors.map((fault) => ({ ...fault, field: 'allowed' })));
}
