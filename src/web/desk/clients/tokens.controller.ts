import { Get, Post } from '@nestjs/common';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import type { DeskPerson } from '../../../platform/access/signed-in-person.js';
import { ClientDomainsService } from '../../../modules/clients/client-domains.service.js';
import { ClientTokensService } from '../../../modules/auth/tokens/client-tokens.service.js';
import { TokenAdministrationService } from '../../../modules/auth/tokens/token-administration.service.js';
import { redisplayForm, idIn, submitForm, readTexts } from '../../../shared/ui/forms.js';
import { type Page, type Reply, type SeeOther, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { DomainError, validationFailed } from '../../../platform/errors/domain-error.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { revokePage } from '../../shared/tokens.js';
import { clientPaths, clientTokenPath } from '../paths.js';
import { tokenMadePage, tokenOfClientPage, tokensPage } from './tokens-pages.js';

type One = DeskPageRequest<'token'>;

/** Tokens and domains of one client. */
@DeskPages('clients/:id')
export class ClientTokensController {
  constructor(
    private readonly clients: ClientAdministrationService,
    private readonly tokens: TokenAdministrationService,
    private readonly valid: ClientTokensService,
    private readonly domains: ClientDomainsService,
  ) {}

  @Get('tokens')
  list(@DeskPageRequest() { me, id }: DeskPageRequest): Promise<Page> {
    return this.listPage(me, id);
  }

  @PostForm('tokens/new')
  issue(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    const { force, domain, ...options } = readTexts('kind', 'name', 'domain', 'key', 'force')(fields);
    const issue = async () => {
      const issued = await this.tokens.issue(id, domain, me, { ...options, force: force === 'yes' });
      return tokenMadePage(await this.clients.show(id), issued);
    };
    return submitForm(issue, (error) => this.listPage(me, id, error, options.key));
  }

  @Get('tokens/:token')
  async show(@DeskPageRequest() { id, token }: Pick<One, 'id' | 'token'>): Promise<Page> {
    const found = await this.valid.getValid({ clientId: id }, idIn(token));
    return tokenOfClientPage(await this.clients.show(id), found);
  }

  @PostForm('tokens/:token/replace')
  async replace(@DeskPageRequest() request: One): Promise<Reply> {
    const { me, id, token, fields } = request;
    const form = readTexts('overlap', 'key')(fields);
    try {
      const client = await this.clients.show(id);
      return tokenMadePage(client, await this.tokens.replace(id, idIn(token), form, me));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'conflict')
        return seeOther(clientPaths(id).tokens, { kind: 'warn', text: error.message });
      return redisplayForm(error, await this.show(request));
    }
  }

  @Get('tokens/:token/revoke')
  async askToRevoke(@DeskPageRequest() { id, token }: One): Promise<Page> {
    const tokenId = idIn(token);
    return revokePage(await this.valid.getValid({ clientId: id }, tokenId), clientTokenPath(id, tokenId));
  }

  @Post('tokens/:token/revoke')
  async revoke(@DeskPageRequest() { me, id, token }: One): Promise<SeeOther> {
    const { name, prefix } = await this.tokens.revoke(idIn(token), me, id);
    return seeOther(clientPaths(id).tokens, `“${name}” (${prefix}…) is revoked.`);
  }

  @PostForm('domains/allow')
  allow(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    const { allowed, force } = readTexts('allowed', 'force')(fields);
    const allow = async () => {
      const { domain } = await this.domains
        .allow(id, allowed, me, { force: force === 'yes' })
        .catch(errorAtAllowedDomain);
      return seeOther(clientPaths(id).tokens, `Its owners may make tokens for ${domain}.`);
    };
    return submitForm(allow, (error) => this.listPage(me, id, error));
  }

  @PostForm('domains/disallow')
  async disallow(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<SeeOther> {
    const { disallowed } = readTexts('disallowed')(fields);
    const { domain, tokenIds: left } = await this.domains.disallow(id, disallowed, me);
    const still = left.length === 0 ? '' : ' Its existing tokens stay valid until you revoke them.';
    return seeOther(clientPaths(id).tokens, `No new tokens for ${domain}.${still}`);
  }

  private async listPage(me: DeskPerson, id: number, error?: unknown, key?: string): Promise<Page> {
    return tokensPage({
      client: await this.clients.show(id),
      tokens: await this.valid.listValid({ clientId: id }),
      ended: await this.valid.listEnded({ clientId: id }),
      allowed: await this.domains.ofClient(id),
      me,
      offersForce: error instanceof DomainError && error.code === 'conflict',
      key,
    });
  }
}

/** Two forms of the page have a domain, so the field of this form has another name. */
function errorAtAllowedDomain(error: unknown): never {
  if (!(error instanceof DomainError) || !error.errors) throw error;
  throw validationFailed(error.errors.map((fault) => ({ ...fault, field: 'allowed' })));
}
