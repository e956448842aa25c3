import { Get, Post, Req } from '@nestjs/common';
import { browserOf, BrowserCookies } from '../../../auth/sessions/browser-cookies.js';
import { SignIn, type Admitted } from '../../../auth/sign-in/sign-in.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { Open } from '../../../platform/access/access-rule.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { TakesForm } from '../../../platform/http/form-body.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import { TakesOpenPlace } from '../../../platform/rate-limit/takes-place.decorator.js';
import { BodyReadBy, QueryReadBy } from '../../../platform/validation/body-read-by.decorator.js';
import { DashboardPages } from '../dashboard-pages.decorator.js';
import { insecurePage } from './insecure-page.js';
import { nextIn } from './next-path.js';
import { CODE, SIGN_IN } from './paths.js';
import { refusalOf } from './refusal-of.js';
import { type CodeForm, readCodeForm, readSignInForm, type SignInForm } from './sign-in-form.js';
import { codePage, signInPage } from './sign-in-page.js';

/** Where people come in. Whoever's session has ended is sent here, and afterwards to where they were. */
@DashboardPages('sign-in')
export class SignInController {
  constructor(
    private readonly signIn: SignIn,
    private readonly cookies: BrowserCookies,
    private readonly own: OwnAddress,
  ) {}

  @Open()
  @Get()
  form(@Req() request: ApiRequest, @QueryReadBy(nextIn) next: string): Page {
    if (!this.cookies.mayCome(request)) return insecurePage(this.own.publicUrl);
    return signInPage({ next });
  }

  /** Keeps no place of strangers while it hashes: passwords have lines of their own. */
  @Open()
  @Post()
  @TakesForm()
  async begin(
    @Req() request: ApiRequest,
    @BodyReadBy(readSignInForm) { email, password, next }: SignInForm,
  ): Promise<Page | SeeOther> {
    if (!this.cookies.mayCome(request)) return insecurePage(this.own.publicUrl);
    try {
      const former = this.cookies.sessionHash(request);
      return this.admit(
        request,
        await this.signIn.begin({ email, password }, browserOf(request), former),
        next,
      );
    } catch (error) {
      return signInPage({ next, email, refusal: refusalOf(error, request) });
    }
  }

  @Open()
  @Get('code')
  codeForm(@Req() request: ApiRequest, @QueryReadBy(nextIn) next: string): Page | SeeOther {
    if (this.cookies.read(request, 'second-step') === undefined) return seeOther(SIGN_IN);
    return codePage({ next });
  }

  @Open()
  @Post('code')
  @TakesOpenPlace()
  @TakesForm()
  async finish(
    @Req() request: ApiRequest,
    @BodyReadBy(readCodeForm) { code, next }: CodeForm,
  ): Promise<Page | SeeOther> {
    const token = this.cookies.read(request, 'second-step') ?? '';
    try {
      const former = this.cookies.sessionHash(request);
      return this.admit(request, await this.signIn.finish(token, code, browserOf(request), former), next);
    } catch (error) {
      return codePage({ next, refusal: refusalOf(error, request) });
    }
  }

  private admit(request: ApiRequest, { to, token }: Admitted, next: string): SeeOther {
    if (to === 'second step') {
      this.cookies.write(request, 'second-step', token);
      return seeOther(`${CODE}?next=${encodeURIComponent(next)}`);
    }
    this.cookies.write(request, 'session', token);
    if (this.cookies.read(request, 'second-step') !== undefined)
      this.cookies.write(request, 'second-step', undefined);
    return seeOther(next);
  }
}
