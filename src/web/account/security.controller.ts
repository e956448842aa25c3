import { Get, Injectable, Post } from '@nestjs/common';
import { SessionsService } from '../../modules/auth/sessions/sessions.service.js';
import { submitForm, readTexts, textIn } from '../../shared/ui/forms.js';
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
import { PageRequest } from './page-request.js';

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
  async show(@PageRequest() { me }: PageRequest): Promise<Page> {
    const [sessions, twoFactor] = await Promise.all([this.sessions.list(me), this.twoFactor.state(me)]);
    return securityPage(this.paths, { email: me.email, sessions, twoFactor });
  }

  @Get('password')
  passwordForm(): Page {
    return passwordPage(this.paths);
  }

  @PostForm('password')
  changePassword(@PageRequest() { me, fields }: PageRequest): Promise<Reply> {
    const form = readTexts('current', 'password', 'again')(fields);
    return submitForm(
      async () => {
        requireSame(form);
        await this.ownPassword.change(me, form);
        return seeOther(this.paths.security, 'Your password is changed. You are signed out everywhere else.');
      },
      () => passwordPage(this.paths),
    );
  }

  @Post('sessions/end-others')
  async endOthers(@PageRequest() { me }: PageRequest): Promise<SeeOther> {
    const ended = await this.sessions.endOthers(me);
    return seeOther(
      this.paths.security,
      ended === 1 ? 'One other session has ended.' : `${ended} other sessions have ended.`,
    );
  }

  @Post('sessions/:id/end')
  async endSession(@PageRequest() { me, id }: PageRequest): Promise<SeeOther> {
    await this.sessions.end(me, id);
    return seeOther(this.paths.security, 'That session has ended.');
  }

  @Get('two-factor')
  async showTwoFactor(@PageRequest() { me }: Pick<PageRequest, 'me'>): Promise<Page> {
    return twoFactorPage(this.paths, await this.twoFactor.state(me));
  }

  /** Answers the form itself with the secret, so that no address shows it again. So do the recovery codes. */
  @PostForm('two-factor')
  beginTwoFactor(@PageRequest() { me, fields }: PageRequest): Promise<Reply> {
    return submitForm(
      async () => confirmPage(this.paths, await this.twoFactor.begin(me, textIn(fields, 'password'))),
      () => this.showTwoFactor({ me }),
    );
  }

  @PostForm('two-factor/confirm')
  confirmTwoFactor(@PageRequest() { me, fields }: PageRequest): Promise<Reply> {
    return submitForm(
      async () => recoveryCodesPage(this.paths, await this.twoFactor.confirm(me, textIn(fields, 'code'))),
      () => confirmPage(this.paths),
    );
  }

  @PostForm('two-factor/codes')
  renewCodes(@PageRequest() { me, fields }: PageRequest): Promise<Reply> {
    return submitForm(
      async () =>
        recoveryCodesPage(this.paths, await this.twoFactor.renewCodes(me, textIn(fields, 'password'))),
      () => this.showTwoFactor({ me }),
    );
  }

  @PostForm('two-factor/off')
  turnTwoFactorOff(@PageRequest() { me, fields }: PageRequest): Promise<Reply> {
    const off =
      'The second step is off. You sign in with your password alone, and are signed out everywhere else.';
    return submitForm(
      async () => {
        await this.twoFactor.disable(me, textIn(fields, 'password'));
        return seeOther(this.paths.security, off);
      },
      () => this.showTwoFactor({ me }),
    );
  }
}
