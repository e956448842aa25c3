import { Get, Param, Post, Req } from '@nestjs/common';
import { OwnPassword } from '../../../auth/passwords/own-password.js';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { OwnSessions } from '../../../auth/sessions/own-sessions.js';
import { TwoFactor } from '../../../auth/two-factor/two-factor.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import { BodyReadBy } from '../../../platform/validation/readers.js';
import { DashboardPages } from '../dashboard-pages.js';
import { idIn, SECURITY } from '../paths.js';
import { type PasswordForm, readPasswordForm, requireSame, passwordPage } from './password-page.js';
import { securityPage } from './security-page.js';
import { withFaults } from '../../../pages/forms.js';

/** Each person's own password and sessions, for every role. */
@DashboardPages('security')
export class SecurityController {
  constructor(
    private readonly ownPassword: OwnPassword,
    private readonly sessions: OwnSessions,
    private readonly twoFactor: TwoFactor,
  ) {}

  @Get()
  async show(@CurrentPerson() person: ClientPerson): Promise<Page> {
    const [sessions, twoFactor] = await Promise.all([
      this.sessions.list(person),
      this.twoFactor.state(person),
    ]);
    return securityPage({ email: person.email, sessions, twoFactor });
  }

  @Get('password')
  passwordForm(): Page {
    return passwordPage();
  }

  @Post('password')
  @TakesForm()
  async changePassword(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @BodyReadBy(readPasswordForm) form: PasswordForm,
  ): Promise<Page | SeeOther> {
    try {
      requireSame(form);
      await this.ownPassword.change(person, form);
    } catch (error) {
      return withFaults(error, request, passwordPage);
    }
    return seeOther(SECURITY, 'Your password is changed. You are signed out everywhere else.');
  }

  @Post('sessions/end-others')
  async endOthers(@CurrentPerson() person: ClientPerson): Promise<SeeOther> {
    const ended = await this.sessions.endOthers(person);
    return seeOther(
      SECURITY,
      ended === 1 ? 'One other session has ended.' : `${ended} other sessions have ended.`,
    );
  }

  @Post('sessions/:id/end')
  async endSession(@CurrentPerson() person: ClientPerson, @Param('id') id: string): Promise<SeeOther> {
    await this.sessions.end(person, idIn(id));
    return seeOther(SECURITY, 'That session has ended.');
  }
}
