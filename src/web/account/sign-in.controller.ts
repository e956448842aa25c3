import { Get, Injectable, Post, Req, Res } from '@nestjs/common';
import { SessionCredentialService } from '../../modules/auth/guard/session-credential.service.js';
import { BrowserCookiesService, browserOf } from '../../modules/auth/sessions/browser-cookies.service.js';
import { SessionsService } from '../../modules/auth/sessions/sessions.service.js';
import { type SignInResult, SignInService } from '../../modules/auth/sign-in/sign-in.service.js';
import { submitForm, readTexts, textIn } from '../../shared/ui/forms.js';
import {
  type NoticeContent,
  type Page,
  type Reply,
  type SeeOther,
  seeOther,
  withQuery,
} from '../../shared/ui/page.js';
import { PostForm } from '../../shared/ui/pages-in.decorator.js';
import { Open } from '../../platform/access/access-rule.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { TimedResponse } from '../../platform/http/app-messages.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import type { FormFields } from '../../platform/http/parse-form.js';
import { LimitAnonymous } from '../../platform/limits/limit-concurrency.decorator.js';
import { type AccountPaths, nextPath } from './account-paths.js';
import { codePage, insecurePage, signInPage, withFirstAdminHint } from './sign-in-pages.js';
import { PageRequest } from './page-request.js';

const SESSION_NOT_ENDED: NoticeContent = {
  kind: 'warn',
  text:
    'You are signed out in this browser, but the server could not end the session now. ' +
    'It ends by itself when it is not used. To be sure, sign in later and check the list under Security.',
};

/** Both codes mean that the session has already ended. */
const NO_SESSION = new Set(['session_missing', 'session_not_found']);

/** A person with an ended session signs in here, and then returns to the requested page. */
@Injectable()
export abstract class SignInController {
  protected abstract readonly paths: AccountPaths;

  constructor(
    private readonly signIn: SignInService,
    private readonly credential: SessionCredentialService,
    private readonly sessions: SessionsService,
    private readonly cookies: BrowserCookiesService,
    private readonly own: OwnAddress,
  ) {}

  @Open()
  @Get('sign-in')
  async form(@Req() request: ApiRequest, @PageRequest() { fields }: PageRequest): Promise<Page> {
    if (!this.cookies.mayCarrySecrets(request)) return insecurePage(this.paths, this.own.publicUrl);
    const page = signInPage(this.paths, this.next(fields));
    return (await this.lacksAdmin()) ? withFirstAdminHint(page) : page;
  }

  /** Not in the limit of anonymous requests: password checks have their own queue. */
  @Open()
  @PostForm('sign-in')
  async begin(@Req() request: ApiRequest, @PageRequest() { fields }: PageRequest): Promise<Reply> {
    if (!this.cookies.mayCarrySecrets(request)) return insecurePage(this.paths, this.own.publicUrl);
    const [typed, next] = [readTexts('email', 'password')(fields), this.next(fields)];
    const startSignIn = async () => {
      const previousSession = this.cookies.sessionHash(request);
      return this.admit(request, await this.signIn.begin(typed, browserOf(request), previousSession), next);
    };
    return submitForm(startSignIn, () => signInPage(this.paths, next, typed.email));
  }

  @Open()
  @Get('sign-in/code')
  codeForm(@Req() request: ApiRequest, @PageRequest() { fields }: PageRequest): Reply {
    if (this.cookies.read(request, 'second-step') === undefined) return seeOther(this.paths.signIn);
    return codePage(this.paths, this.next(fields));
  }

  @Open()
  @LimitAnonymous()
  @PostForm('sign-in/code')
  async finish(@Req() request: ApiRequest, @PageRequest() { fields }: PageRequest): Promise<Reply> {
    const [code, next] = [textIn(fields, 'code'), this.next(fields)];
    const token = this.cookies.read(request, 'second-step') ?? '';
    const finishSignIn = async () => {
      const previousSession = this.cookies.sessionHash(request);
      return this.admit(
        request,
        await this.signIn.finish(token, code, browserOf(request), previousSession),
        next,
      );
    };
    return submitForm(finishSignIn, () => codePage(this.paths, next));
  }

  /** Open, so that the browser can drop its cookie even while the database is down. */
  @Open()
  @Post('sign-out')
  async signOut(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: TimedResponse,
  ): Promise<SeeOther> {
    if (this.cookies.read(request, 'session') === undefined) return this.signedOut();
    this.cookies.write(request, 'session', undefined);
    // Back must not show the kept reviews to the next person.
    response.setHeader('Clear-Site-Data', '"cache"');
    try {
      const { person } = await this.credential.identify(request, response);
      await this.sessions.end(person, person.sessionId);
    } catch (error) {
      return this.signedOutAfter(error, request);
    }
    return this.signedOut();
  }

  /** True until the link of the first admin is used. */
  protected lacksAdmin(): Promise<boolean> {
    return Promise.resolve(false);
  }

  private signedOut(): SeeOther {
    return seeOther(this.paths.signIn, 'You are signed out.');
  }

  private signedOutAfter(error: unknown, request: ApiRequest): SeeOther {
    if (!(error instanceof DomainError)) throw error;
    if (NO_SESSION.has(error.code)) return this.signedOut();
    request.failure = error;
    return seeOther(this.paths.signIn, SESSION_NOT_ENDED);
  }

  private next(fields: FormFields): string {
    return nextPath(this.paths.home, textIn(fields, 'next'));
  }

  private admit(request: ApiRequest, { to, token }: SignInResult, next: string): SeeOther {
    if (to === 'second step') {
      this.cookies.write(request, 'second-step', token);
      return seeOther(withQuery(this.paths.code, { next }));
    }
    this.cookies.write(request, 'session', token);
    if (this.cookies.read(request, 'second-step') !== undefined)
      this.cookies.write(request, 'second-step', undefined);
    return seeOther(next);
  }
}
