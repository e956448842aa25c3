import { Post, Req } from '@nestjs/common';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { OwnSessions } from '../../../auth/sessions/own-sessions.js';
import { writeCookie } from '../../../auth/sessions/session-cookie.js';
import { type SeeOther, seeOther } from '../../../pages/see-other.js';
import { CurrentPerson } from '../../../platform/access/current-person.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { DashboardPages } from '../dashboard-pages.decorator.js';
import { SIGN_IN } from './paths.js';

@DashboardPages('sign-out')
export class SignOutController {
  constructor(private readonly sessions: OwnSessions) {}

  @Post()
  async signOut(@CurrentPerson() person: ClientPerson, @Req() request: ApiRequest): Promise<SeeOther> {
    await this.sessions.end(person, person.sessionId);
    writeCookie(request, 'session', undefined);
    return seeOther(SIGN_IN, 'You are signed out.');
  }
}
