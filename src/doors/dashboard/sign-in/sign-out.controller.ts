import { Post, Req, Res } from '@nestjs/common';
import { SessionCredential } from '../../../auth/access/session.credential.js';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { BrowserCookies } from '../../../auth/sessions/browser-cookies.js';
import { OwnSessions } from '../../../auth/sessions/own-sessions.js';
import { type SeeOther, seeOther } from '../../../pages/page.js';
import { Open } from '../../../platform/access/access-rule.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import type { TimedResponse } from '../../../platform/http/app-messages.js';
import { DashboardPages } from '../dashboard-pages.js';
import { SIGN_IN } from '../paths.js';

const SIGNED_OUT = seeOther(SIGN_IN, 'You are signed out.');

const FORGOTTEN = seeOther(SIGN_IN, {
  kind: 'warn',
  text:
    'You are signed out in this browser, but the server could not end the session now. ' +
    'It ends by itself when it is not used. To be sure, sign in later and check the list under Security.',
});

/** Both codes mean that the session has already ended. */
const NO_SESSION = new Set(['session_missing', 'session_not_found']);

/** Open, so that the browser can drop its cookie even while the database is down. */
@DashboardPages('sign-out')
export class SignOutController {
  constructor(
    private readonly credential: SessionCredential,
    private readonly sessions: OwnSessions,
    private readonly cookies: BrowserCookies,
  ) {}

  @Open()
  @Post()
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
      return answerTo(error, request);
    }
    return SIGNED_OUT;
  }
}

function answerTo(error: unknown, request: ApiRequest): SeeOther {
  if (!(error instanceof DomainError)) throw error;
  if (NO_SESSION.has(error.code)) return SIGNED_OUT;
  request.failure = error;
  return FORGOTTEN;
}
