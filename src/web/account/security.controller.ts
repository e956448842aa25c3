import { Get, Injectable, Post } from '@nestjs/common';
import { SessionsService } from '../../modules/auth/sessions/sessions.service.js';
import { orAgain, readTexts, textIn } from '../../shared/ui/forms.js';
import { type Page, type Reply, type SeeOther, seeOther } from '../../shared/ui/page.js';
import { PostForm } from '../../shared/ui/pages-in.decorator.js';
import { OwnPasswordService } from '../../modules/people/passwords/own-password.service.js';
import { TwoFactorService } from '../../modules/people/two-factor/two-factor.service.js';
import type { AccountPaths } from './account-paths.js';
import {
  confirmPage,
  passwordPage,
  recoveryCodesPage,
  requireSame,
  securityPage,
  twoFactorPage,
} from './security-pages.js';
import { Visit } from './page-request.js';

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
  async show(@Visit() { me }: Visit): Promise<Page> {
    const [sessions, twoFactor] = await Promise.all([this.sessions.list(me), this.twoFactor.state(me)]);
    return securityPage(this.paths, { email: me.email, sessions, twoFactor });
  }

  @Get('password')
  passwordForm(): Page {
    return passwordPage(this.paths);
  }

  @PostForm('password')
  changePassword(@Visit() { me, fields }: Visit): Promise<Reply> {
    const form = readTexts('current', 'password', 'again')(fields);
    return orAgain(
      async () => {
        requireSame(form);
        await this.ownPassword.change(me, form);
        return seeOther(this.paths.security, 'Your password is changed. You are signed out everywhere else.');
      },
      () => passwordPage(this.paths),
    );
  }

  @Post('sessions/end-others')
  async endOthers(@Visit() { me }: Visit): Promise<SeeOther> {
    const ended = await this.sessions.endOthers(me);
    return seeOther(
      this.paths.security,
      ended === 1 ? 'One other session has ended.' : `${ended} other sessions have ended.`,
    );
  }

  @Post('sessions/:id/end')
  async endSession(@Visit() { me, id }: Visit): Promise<SeeOther> {
    await this.sessions.end(me, id);
    return seeOther(this.paths.security, 'That session has ended.');
  }

  @Get('two-factor')
  async showTwoFactor(@Visit() { me }: Pick<Visit, 'me'>): Promise<Page> {
    return twoFactorPage(this.paths, await this.twoFactor.state(me));
  }

  /** Answers the form itself with the secret, so that no address shows it again. So do the recovery codes. */
  @PostForm('two-factor')
  beginTwoFactor(@Visit() { me, fields }: Visit): Promise<Reply> {
    return orAgain(
      async () => confirmPage(this.paths, await this.twoFactor.begin(me, textIn(fields, 'password'))),
      () => this.showTwoFactor({ me }),
    );
  }

  @PostForm('two-factor/confirm')
  confirmTwoFactor(@Visit() { me, fields }: Visit): Promise<Reply> {
    return orAgain(
      async () => recoveryCodesPage(this.paths, await this.twoFactor.confirm(me, textIn(fields, 'code'))),
      () => confirmPage(this.paths),
    );
  }

  @PostForm('two-factor/codes')
  renewCodes(@Visit() { me, fields }: Visit): Promise<Reply> {
    return orAgain(
      async () =>
        recoveryCodesPage(this.paths, await this.twoFactor.renewCodes(me, textIn(fields, 'password'))),
      () => this.showTwoFactor({ me }),
    );
  }

  @PostForm('two-factor/off')
  turnTwoFactorOff(@Visit() { me, fields }: Visit): Promise<Reply> {
    const off =
      'The second step is off. You sign in with your password alone, and are signed out everywhere else.';
    return orAgain(
      async () => {
        await this.twoFactor.disable(me, textIn(fields, 'password'));
        return seeOther(this.paths.security, off);
      },
      () => this.showTwoFactor({ me }),
    );
  }
}
