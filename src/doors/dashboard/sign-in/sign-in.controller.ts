import { Get, Post, Req, Res } from '@nestjs/common';
import { SessionCredential } from '../../../auth/access/session.credential.js';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { BrowserCookies, browserOf } from '../../../auth/sessions/browser-cookies.js';
import { Sessions } from '../../../auth/sessions/sessions.js';
import { type Admitted, SignIn } from '../../../auth/sign-in/sign-in.js';
import { again, readTexts } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther, withQuery } from '../../../pages/page.js';
import { Open } from '../../../platform/access/access-rule.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import type { TimedResponse } from '../../../platform/http/app-messages.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import { TakesOpenPlace } from '../../../platform/rate-limit/takes-place.decorator.js';
import { BodyReadBy, QueryReadBy } from '../../../platform/validation/readers.js';
import { DashboardPages, PostForm } from '../dashboard-pages.js';
import { CODE, nextIn, nextPath, SIGN_IN } from '../paths.js';
import { codePage, insecurePage, signInPage } from './sign-in-page.js';

const readSignInForm = readTexts('email', 'password', 'next');
const readCodeForm = readTexts('code', 'next');

const SIGNED_OUT = seeOther(SIGN_IN, 'You are signed out.');

const FORGOTTEN = seeOther(SIGN_IN, {
  kind: 'warn',
  text:
    'You are signed out in this browser, but the server could not end the session now. ' +
    'It ends by itself when it is not used. To be sure, sign in later and check the list under Security.',
});

/** Both codes mean that the session has already ended. */
const NO_SESSION = new Set(['session_missing', 'session_not_found']);

/** An ended session leads here, and then back to the page that was asked for. */
@DashboardPages()
export class SignInController {
  constructor(
    private readonly signIn: SignIn,
    private readonly credential: SessionCredential,
    private readonly sessions: Sessions,
    private readonly cookies: BrowserCookies,
    private readonly own: OwnAddress,
  ) {}

  @Open()
  @Get('sign-in')
  form(@Req() request: ApiRequest, @QueryReadBy(nextIn) next: string): Page {
    if (!this.cookies.mayCome(request)) return insecurePage(this.own.publicUrl);
    return signInPage(next);
  }

  /** Takes no place of the open calls while it hashes: password checks have their own queue. */
  @Open()
  @PostForm('sign-in')
  async begin(
    @Req() request: ApiRequest,
    @BodyReadBy(readSignInForm) { next: asked, ...typed }: ReturnType<typeof readSignInForm>,
  ): Promise<Page | SeeOther> {
    if (!this.cookies.mayCome(request)) return insecurePage(this.own.publicUrl);
    const next = nextPath(asked);
    try {
      const former = this.cookies.sessionHash(request);
      return this.admit(request, await this.signIn.begin(typed, browserOf(request), former), next);
    } catch (error) {
      return again(error, signInPage(next, typed.email), 'sign_in_refused', 'rate_limited');
    }
  }

  @Open()
  @Get('sign-in/code')
  codeForm(@Req() request: ApiRequest, @QueryReadBy(nextIn) next: string): Page | SeeOther {
    if (this.cookies.read(request, 'second-step') === undefined) return seeOther(SIGN_IN);
    return codePage(next);
  }

  @Open()
  @TakesOpenPlace()
  @PostForm('sign-in/code')
  async finish(
    @Req() request: ApiRequest,
    @BodyReadBy(readCodeForm) { code, next: asked }: ReturnType<typeof readCodeForm>,
  ): Promise<Page | SeeOther> {
    const next = nextPath(asked);
    const token = this.cookies.read(request, 'second-step') ?? '';
    try {
      const former = this.cookies.sessionHash(request);
      return this.admit(request, await this.signIn.finish(token, code, browserOf(request), former), next);
    } catch (error) {
      return again(error, codePage(next), 'sign_in_refused', 'rate_limited');
    }
  }

  /** Open, so that the browser can drop its cookie even while the database is down. */
  @Open()
  @Post('sign-out')
  async signOut(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: TimedResponse,
  ): Promise<SeeOther> {
    if (this.cookies.read(request, 'session') === undefined) return SIGNED_OUT;
    this.cookies.write(request, 'session', undefined);
    try {
      await this.credential.admit(request, response);
      const person = request.person as ClientPerson;
      await this.sessions.end(person, person.sessionId);
    } catch (error) {
      return signedOutAfter(error, request);
    }
    return SIGNED_OUT;
  }

  private admit(request: ApiRequest, { to, token }: Admitted, next: string): SeeOther {
    if (to === 'second step') {
      this.cookies.write(request, 'second-step', token);
      return seeOther(withQuery(CODE, { next }));
    }
    this.cookies.write(request, 'session', token);
    if (this.cookies.read(request, 'second-step') !== undefined)
      this.cookies.write(request, 'second-step', undefined);
    return seeOther(next);
  }
}

function signedOutAfter(error: unknown, request: ApiRequest): SeeOther {
  if (!(error instanceof DomainError)) throw error;
  if (NO_SESSION.has(error.code)) return SIGNED_OUT;
  request.failure = error;
  return FORGOTTEN;
}
