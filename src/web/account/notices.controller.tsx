import { Get, Inject, Injectable, Req } from '@nestjs/common';
import { NoticeChoicesService } from '../../modules/notices/notice-choices.service.js';
import { NOTICE_NAMES } from '../../modules/notices/rules/kinds.js';
import { Button, Field, Form } from '../../shared/ui/components/controls.js';
import { submitForm, textIn } from '../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../shared/ui/page.js';
import { PostForm } from '../../shared/ui/pages-in.decorator.js';
import { Open } from '../../platform/access/access-rule.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import { callerAddress } from '../../platform/http/caller-address.js';
import { LimitAnonymous } from '../../platform/limits/limit-concurrency.decorator.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { AccountPaths } from './account-paths.js';
import { NoticesForm, readNotices } from './notices-form.js';
import { PageRequest } from './page-request.js';

/** Each person's own notices by e-mail. */
@Injectable()
export abstract class NoticesController {
  protected abstract readonly paths: AccountPaths;

  constructor(
    private readonly notices: NoticeChoicesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@PageRequest() { me }: Pick<PageRequest, 'me'>): Promise<Page> {
    return {
      title: 'Notices by e-mail',
      lead: `Choose the e-mails that we send to ${me.email}. Each mail has a link to switch its notice off.`,
      content: (
        <NoticesForm
          path={this.paths.notices}
          person={me}
          choices={await this.notices.of(me)}
          areSent={this.notices.isEnabled}
          currency={this.settings.currency}
        />
      ),
    };
  }

  @PostForm()
  set(@PageRequest() { me, fields }: PageRequest): Promise<Reply> {
    const set = async () => {
      await this.notices.set(me, readNotices(fields));
      return seeOther(this.paths.notices, 'Your choice is saved.');
    };
    return submitForm(set, () => this.show({ me }));
  }

  @Open()
  @Get('off')
  @LimitAnonymous()
  showOff(): Page {
    return offPage(this.paths);
  }

  @Open()
  @PostForm('off')
  @LimitAnonymous()
  switchOff(@Req() request: ApiRequest, @PageRequest() { fields }: PageRequest): Promise<Reply> {
    const switchedOff = async () => {
      const kind = await this.notices.switchOff(textIn(fields, 'code'), callerAddress(request));
      const { name } = NOTICE_NAMES[kind];
      return { title: `“${name}” is switched off`, lead: 'You get no more mails of this kind.' };
    };
    return submitForm(switchedOff, () => offPage(this.paths));
  }
}

/** Only the button changes something, because mail scanners follow links and run scripts. */
const offPage = (paths: AccountPaths): Page => ({
  title: 'Switch a notice off',
  lead: 'Press the button to stop the mails of this kind.',
  content: (
    <Form action={`${paths.notices}/off`}>
      <Field
        label="Code"
        name="code"
        hint="The part of the link after the #."
        maxlength={500}
        fromFragment="stay"
        required
      />
      <Button kind="primary">Switch it off</Button>
    </Form>
  ),
});
