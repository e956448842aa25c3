import { Get, Injectable, Req } from '@nestjs/common';
import { BrowserCookiesService, browserOf } from '../../modules/auth/sessions/browser-cookies.service.js';
import { LinkUseService } from '../../modules/auth/sign-in/link-use.service.js';
import { redisplayForm, submitForm, readTexts, textIn } from '../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../shared/ui/page.js';
import { PostForm } from '../../shared/ui/pages-in.decorator.js';
import { ResetRequestsService } from '../../modules/people/links/reset-requests.service.js';
import { Open } from '../../platform/access/access-rule.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import { callerAddress } from '../../platform/http/caller-address.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { LimitAnonymous } from '../../platform/limits/limit-concurrency.decorator.js';
import type { AccountPaths } from './account-paths.js';
import { requireSame } from './security-pages.js';
import { choosePage, insecurePage, linkPage, noResetPage, resetPage } from './sign-in-pages.js';
import { PageRequest } from './page-request.js';

const readPasswordForm = readTexts('name', 'email', 'password', 'again');

/**
 * A link's code is posted, kept in a cookie and used together with the chosen password. The address never
 * contains the code, so logs do not get it. Mail scanners that only follow the link do not use it up.
 */
@Injectable()
export abstract class LinkController {
  protected abstract readonly paths: AccountPaths;

  constructor(
    private readonly links: LinkUseService,
    private readonly resets: ResetRequestsService,
    private readonly cookies: BrowserCookiesService,
    private readonly own: OwnAddress,
  ) {}

  @Open()
  @Get('link')
  form(@Req() request: ApiRequest): Page {
    return this.cookies.mayCarrySecrets(request)
      ? linkPage(this.paths)
      : insecurePage(this.paths, this.own.publicUrl);
  }

  @Open()
  @PostForm('link')
  async open(@Req() request: ApiRequest, @PageRequest() { fields }: PageRequest): Promise<Reply> {
    // People may paste the whole link, with spaces around it.
    const code = textIn(fields, 'code').trim().replace(/^.*#/s, '');
    if (!this.cookies.mayCarrySecrets(request)) return insecurePage(this.paths, this.own.publicUrl);
    try {
      await this.links.open(code, callerAddress(request));
    } catch (error) {
      return this.redisplayLinkPage(error, request);
    }
    this.cookies.write(request, 'link', code);
    return seeOther(this.paths.choose);
  }

  @Open()
  @Get('link/password')
  async choose(@Req() request: ApiRequest): Promise<Reply> {
    const secret = this.cookies.read(request, 'link');
    if (secret === undefined) return seeOther(this.paths.link);
    try {
      return choosePage(this.paths, await this.links.open(secret, callerAddress(request)));
    } catch (error) {
      return this.redisplayLinkPage(error, request);
    }
  }

  @Open()
  @PostForm('link/password')
  async use(@Req() request: ApiRequest, @PageRequest() { fields }: PageRequest): Promise<Reply> {
    const secret = this.cookies.read(request, 'link');
    if (secret === undefined) return seeOther(this.paths.link);
    try {
      return await this.savePassword(request, secret, readPasswordForm(fields));
    } catch (error) {
      return this.redisplayLinkPage(error, request);
    }
  }

  @Open()
  @Get('reset')
  resetForm(): Page {
    return this.resets.arePossible ? resetPage(this.paths) : noResetPage(this.paths);
  }

  /** Every address gets the same answer, so that it does not reveal which accounts exist. */
  @Open()
  @LimitAnonymous()
  @PostForm('reset')
  async askForReset(@Req() request: ApiRequest, @PageRequest() { fields }: PageRequest): Promise<Reply> {
    if (!this.resets.arePossible) return noResetPage(this.paths);
    const text = 'If this address has an account, a link is on its way to it. Check your mail.';
    const ask = async () => {
      await this.resets.requestLink(textIn(fields, 'email'), callerAddress(request));
      return seeOther(this.paths.signIn, { kind: 'info', text });
    };
    return submitForm(ask, () => resetPage(this.paths));
  }

  private async savePassword(
    request: ApiRequest,
    secret: string,
    form: ReturnType<typeof readPasswordForm>,
  ): Promise<Reply> {
    const link = await this.links.open(secret, callerAddress(request));
    let session: string | undefined;
    try {
      requireSame(form);
      session = await this.links.use(secret, form, browserOf(request), this.cookies.sessionHash(request));
    } catch (error) {
      if (isLinkInvalid(error)) throw error;
      return redisplayForm(error, choosePage(this.paths, link));
    }
    this.cookies.write(request, 'link', undefined);
    if (session === undefined)
      return seeOther(this.paths.signIn, 'Your new password is saved. Sign in with it.');
    this.cookies.write(request, 'session', session);
    return seeOther(this.paths.home, `Welcome, ${form.name.trim()}. You are signed in.`);
  }

  private redisplayLinkPage(error: unknown, request: ApiRequest): Page {
    if (!isLinkInvalid(error)) throw error;
    const page = redisplayForm(error, linkPage(this.paths, { isRefused: true }));
    if (this.cookies.read(request, 'link') !== undefined) this.cookies.write(request, 'link', undefined);
    return page;
  }
}

const isLinkInvalid = (error: unknown) => error instanceof DomainError && error.code === 'link_invalid';
