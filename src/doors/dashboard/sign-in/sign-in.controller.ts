import { Get, Post, Req } from '@nestjs/common';
import { BrowserCookies, browserOf } from '../../../auth/sessions/browser-cookies.js';
import { type Admitted, SignIn } from '../../../auth/sign-in/sign-in.js';
import { textIn } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { Open } from '../../../platform/access/access-rule.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { TakesOpenPlace } from '../../../platform/rate-limit/takes-place.decorator.js';
import { BodyReadBy, QueryReadBy } from '../../../platform/validation/readers.js';
import { DashboardPages } from '../dashboard-pages.js';
import { CODE, nextIn, nextPath, SIGN_IN } from '../paths.js';
import { codePage, insecurePage, refusalOf, signInPage } from './sign-in-page.js';

/** An ended session leads here, and then back to the page that was asked for. */
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

  /** Takes no place of the open calls while it hashes: password checks have their own queue. */
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

export interface SignInForm {
  email: string;
  password: string;
  next: string;
}

export interface CodeForm {
  code: string;
  next: string;
}

export function readSignInForm(fields: FormFields): SignInForm {
  return {
    email: textIn(fields, 'email'),
    password: textIn(fields, 'password'),
    next: nextPath(textIn(fields, 'next')),
  };
}

export function readCodeForm(fields: FormFields): CodeForm {
  return { code: textIn(fields, 'code'), next: nextPath(textIn(fields, 'next')) };
}
