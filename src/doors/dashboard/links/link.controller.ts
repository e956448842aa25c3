import { Get, Post, Req } from '@nestjs/common';
import { LinkUse } from '../../../auth/links/link-use.js';
import { BrowserCookies, browserOf } from '../../../auth/sessions/browser-cookies.js';
import { textIn, withFaults } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { Open } from '../../../platform/access/access-rule.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { statusOf } from '../../../platform/errors/error-codes.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { callerAddress } from '../../../platform/http/caller-address.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { BodyReadBy } from '../../../platform/validation/readers.js';
import { DashboardPages } from '../dashboard-pages.js';
import { CHOOSE, LINK, SIGN_IN } from '../paths.js';
import { requireSame } from '../security/password-page.js';
import { insecurePage } from '../sign-in/sign-in-page.js';
import { choosePage, linkPage } from './link-pages.js';

/**
 * A link's code is posted, kept in a cookie and used together with the chosen password. The address never
 * contains the code, so logs do not get it. Mail scanners that only follow the link do not use it up.
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
    if (session === undefined) return seeOther(SIGN_IN, 'Your new password is saved. Sign in with it.');
    this.cookies.write(request, 'session', session);
    return seeOther('/dashboard', `Welcome, ${form.name.trim()}. You are signed in.`);
  }

  /** Shows the link's page again with the error. */
  private refused(error: unknown, request: ApiRequest): Page {
    if (!(error instanceof DomainError) || error.code !== 'link_invalid') throw error;
    request.failure = error;
    if (this.cookies.read(request, 'link') !== undefined) this.cookies.write(request, 'link', undefined);
    return linkPage({ status: statusOf(error.code), message: error.message });
  }
}

export interface ChooseForm {
  name: string;
  password: string;
  again: string;
}

/** People may paste the whole link, with spaces around it. */
export function readCode(fields: FormFields): string {
  return textIn(fields, 'code').trim().replace(/^.*#/s, '');
}

export function readChooseForm(fields: FormFields): ChooseForm {
  return {
    name: textIn(fields, 'name'),
    password: textIn(fields, 'password'),
    again: textIn(fields, 'again'),
  };
}
