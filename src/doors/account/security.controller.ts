import { Get, Injectable, Post } from '@nestjs/common';
import { OwnPasswordService } from '../../people/passwords/own-password.service.js';
import type { SignedInPerson } from '../../platform/access/signed-in-person.js';
import { SessionsService } from '../../auth/sessions/sessions.service.js';
import { TwoFactorService } from '../../people/two-factor/two-factor.service.js';
import { IdParam, orAgain, Texts } from '../../pages/forms.js';
import { PostForm } from '../../pages/pages-in.decorator.js';
import { type Page, type Reply, type SeeOther, seeOther } from '../../pages/page.js';
import { Me } from '../../platform/access/access.decorators.js';
import type { AccountPaths } from './account-paths.js';
import { passwordPage, requireSame } from './password-page.js';
import { securityPage } from './security-page.js';
import { confirmPage, recoveryCodesPage, twoFactorPage } from './two-factor-pages.js';

/** Each person's own password, sessions and second step, for every role. */
@Injectable()
export abstract class SecurityController {
  protected abstract readonly paths: AccountPaths;

  constructor(
    private readonly ownPassword: OwnPasswordService,
    private readonly sessions: SessionsService,
    private readonly twoFactor: TwoFactorService,
  ) {}

  @Get()
  async show(@Me() person: SignedInPerson): Promise<Page> {
    const [sessions, twoFactor] = await Promise.all([
      this.sessions.list(person),
      this.twoFactor.state(person),
    ]);
    return securityPage(this.paths, { email: person.email, sessions, twoFactor });
  }

  @Get('password')
  passwordForm(): Page {
    return passwordPage(this.paths);
  }

  @PostForm('password')
  changePassword(
    @Me() person: SignedInPerson,
    @Texts('current', 'password', 'again') form: Texts<'current' | 'password' | 'again'>,
  ): Promise<Reply> {
    return orAgain(
      async () => {
        requireSame(form);
        await this.ownPassword.change(person, form);
        return seeOther(this.paths.security, 'Your password is changed. You are signed out everywhere else.');
      },
      () => passwordPage(this.paths),
    );
  }

  @Post('sessions/end-others')
  async endOthers(@Me() person: SignedInPerson): Promise<SeeOther> {
    const ended = await this.sessions.endOthers(person);
    return seeOther(
      this.paths.security,
      ended === 1 ? 'One other session has ended.' : `${ended} other sessions have ended.`,
    );
  }

  @Post('sessions/:id/end')
  async endSession(@Me() person: SignedInPerson, @IdParam() id: number): Promise<SeeOther> {
    await this.sessions.end(person, id);
    return seeOther(this.paths.security, 'That session has ended.');
  }

  @Get('two-factor')
  async showTwoFactor(@Me() person: SignedInPerson): Promise<Page> {
    return twoFactorPage(this.paths, await this.twoFactor.state(person));
  }

  /** Answers the form itself with the secret, so that no address shows it again. So do the recovery codes. */
  @PostForm('two-factor')
  beginTwoFactor(
    @Me() person: SignedInPerson,
    @Texts('password') { password }: Texts<'password'>,
  ): Promise<Reply> {
    return orAgain(
      async () => confirmPage(this.paths, await this.twoFactor.begin(person, password)),
      () => this.showTwoFactor(person),
    );
  }

  @PostForm('two-factor/confirm')
  confirmTwoFactor(@Me() person: SignedInPerson, @Texts('code') { code }: Texts<'code'>): Promise<Reply> {
    return orAgain(
      async () => recoveryCodesPage(this.paths, await this.twoFactor.confirm(person, code)),
      () => confirmPage(this.paths),
    );
  }

  @PostForm('two-factor/codes')
  renewCodes(
    @Me() person: SignedInPerson,
    @Texts('password') { password }: Texts<'password'>,
  ): Promise<Reply> {
    return orAgain(
      async () => recoveryCodesPage(this.paths, await this.twoFactor.renewCodes(person, password)),
      () => this.showTwoFactor(person),
    );
  }

  @PostForm('two-factor/off')
  turnTwoFactorOff(
    @Me() person: SignedInPerson,
    @Texts('password') { password }: Texts<'password'>,
  ): Promise<Reply> {
    const off =
      'The second step is off. You sign in with your password alone, and are signed out everywhere else.';
    return orAgain(
      async () => {
        await this.twoFactor.disable(person, password);
        return seeOther(this.paths.security, off);
      },
      () => this.showTwoFactor(person),
    );
  }
}
