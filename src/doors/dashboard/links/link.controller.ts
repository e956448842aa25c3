import { Get, Post, Req } from '@nestjs/common';
import { LinkUse } from '../../../auth/links/link-use.js';
import { browserOf, BrowserCookies } from '../../../auth/sessions/browser-cookies.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { withFaults } from '../../../pages/forms.js';
import { Open } from '../../../platform/access/access-rule.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { statusOf } from '../../../platform/errors/error-codes.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { callerAddress } from '../../../platform/http/caller-address.js';
import { TakesForm } from '../../../platform/http/form-body.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import { BodyReadBy } from '../../../platform/validation/body-read-by.decorator.js';
import { DashboardPages } from '../dashboard-pages.decorator.js';
import { requireSame } from '../security/password-form.js';
import { insecurePage } from '../sign-in/insecure-page.js';
import { SIGN_IN } from '../sign-in/paths.js';
import { choosePage } from './choose-page.js';
import { type ChooseForm, readChooseForm, readCode } from './link-forms.js';
import { linkPage } from './link-page.js';
import { CHOOSE, LINK } from './paths.js';

/**
 * Where links lead: a code is sent, kept in a cookie, and used with the password that is chosen. So nothing that lets anybody in is ever part of an
 * address that is asked for, and whoever only follows a link, as those do who look through mail, uses nothing up.
 */
@DashboardPages('link')
export class LinkController {
  constructor(
    private readonly links: LinkUse,
    private readonly cookies: BrowserCookies,
    private readonly own: OwnAddress,
  ) {}

  @Open()
  @Get()
  form(@Req() request: ApiRequest): Page {
    return this.cookies.mayCome(request) ? linkPage() : insecurePage(this.own.publicUrl);
  }

  @Open()
  @Post()
  @TakesForm()
  async open(@Req() request: ApiRequest, @BodyReadBy(readCode) code: string): Promise<Page | SeeOther> {
    if (!this.cookies.mayCome(request)) return insecurePage(this.own.publicUrl);
    try {
      await this.links.open(code, callerAddress(request));
    } catch (error) {
      return this.refused(error, request);
    }
    this.cookies.write(request, 'link', code);
    return seeOther(CHOOSE);
  }

  @Open()
  @Get('password')
  async choose(@Req() request: ApiRequest): Promise<Page | SeeOther> {
    const secret = this.cookies.read(request, 'link');
    if (secret === undefined) return seeOther(LINK);
    try {
      return choosePage(await this.links.open(secret, callerAddress(request)));
    } catch (error) {
      return this.refused(error, request);
    }
  }

  @Open()
  @Post('password')
  @TakesForm()
  async use(
    @Req() request: ApiRequest,
    @BodyReadBy(readChooseForm) form: ChooseForm,
  ): Promise<Page | SeeOther> {
    const secret = this.cookies.read(request, 'link');
    if (secret === undefined) return seeOther(LINK);
    try {
      return await this.chosen(request, secret, form);
    } catch (error) {
      return this.refused(error, request);
    }
  }

  private async chosen(request: ApiRequest, secret: string, form: ChooseForm): Promise<Page | SeeOther> {
    const link = await this.links.open(secret, callerAddress(request));
    let session: string | undefined;
    try {
      requireSame(form);
      session = await this.links.use(secret, form, browserOf(request), this.cookies.sessionHash(request));
    } catch (error) {
      return withFaults(error, request, (faults) => choosePage(link, { name: form.name, faults }));
    }
    this.cookies.write(request, 'link', undefined);
    if (session === undefined)
      return seeOther(SIGN_IN, 'Your new password is good from now on: sign in with it.');
    this.cookies.write(request, 'session', session);
    return seeOther('/dashboard', `Welcome, ${form.name.trim()}. You are signed in.`);
  }

  /** The link's page once more, with what is the matter with it. */
  private refused(error: unknown, request: ApiRequest): Page {
    if (!(error instanceof DomainError) || error.code !== 'link_invalid') throw error;
    request.failure = error;
    if (this.cookies.read(request, 'link') !== undefined) this.cookies.write(request, 'link', undefined);
    return linkPage({ status: statusOf(error.code), message: error.message });
  }
}
