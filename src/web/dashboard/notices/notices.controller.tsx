import { Get, Inject, Req } from '@nestjs/common';
import { type NoticeChoices, NoticeChoicesService } from '../../../modules/notices/notice-choices.service.js';
import { NOTICES_OFF_PATH, NOTICES_PATH } from '../../../modules/notices/notices-job.service.js';
import { NOTICE_KINDS, NOTICE_NAMES } from '../../../modules/notices/rules/kinds.js';
import { AmountField, Button, Checks, Field, Form } from '../../../shared/ui/components/controls.js';
import { Card, Notice } from '../../../shared/ui/components/layout.js';
import { submitForm, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { Open } from '../../../platform/access/access-rule.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { callerAddress } from '../../../platform/http/caller-address.js';
import { numericFromMinor } from '../../../platform/money/money.js';
import { LimitAnonymous } from '../../../platform/limits/limit-concurrency.decorator.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';

@DashboardPages('notices', 'in person')
export class NoticesController {
  constructor(
    private readonly notices: NoticeChoicesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@ClientPageRequest() { me }: Pick<ClientPageRequest, 'me'>): Promise<Page> {
    const choices = await this.notices.of(me);
    const { isEnabled } = this.notices;
    return noticesPage({ email: me.email, choices, areSent: isEnabled, currency: this.settings.currency });
  }

  @PostForm()
  set(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Reply> {
    const kinds = [fields.kinds ?? []].flat();
    const set = async () => {
      await this.notices.set(me, { kinds, lowWallet: textIn(fields, 'lowWallet') });
      return seeOther(NOTICES_PATH, 'Your choice is saved.');
    };
    return submitForm(set, () => this.show({ me }));
  }

  @Open()
  @Get('off')
  @LimitAnonymous()
  showOff(): Page {
    return OFF_PAGE;
  }

  @Open()
  @PostForm('off')
  @LimitAnonymous()
  switchOff(@Req() request: ApiRequest, @ClientPageRequest() { fields }: ClientPageRequest): Promise<Reply> {
    const switchedOff = async () => {
      const kind = await this.notices.switchOff(textIn(fields, 'code'), callerAddress(request));
      const { name } = NOTICE_NAMES[kind];
      return { title: `“${name}” is switched off`, lead: 'You get no more mails of this kind.' };
    };
    return submitForm(switchedOff, () => OFF_PAGE, 'link_invalid');
  }
}

interface Props {
  email: string;
  choices: NoticeChoices;
  areSent: boolean;
  currency: string;
}

const noticesPage = ({ email, choices: { kinds, lowWallet }, areSent, currency }: Props): Page => ({
  title: 'Notices by e-mail',
  lead: `Choose the e-mails that we send to ${email}. Each mail has a link to switch its notice off.`,
  content: (
    <Card>
      {!areSent && <Notice kind="warn">This service sends no e-mail at the moment.</Notice>}
      <Form action={NOTICES_PATH}>
        <Checks
          label="Tell me"
          name="kinds"
          values={kinds}
          options={NOTICE_KINDS.map((kind) => ({
            value: kind,
            text: NOTICE_NAMES[kind].name,
            hint: NOTICE_NAMES[kind].when,
          }))}
        />
        <AmountField
          label="Tell me when the wallet falls below"
          name="lowWallet"
          hint="The amount for “Low wallet”."
          value={lowWallet === null ? '' : numericFromMinor(lowWallet)}
          currency={currency}
        />
        <Button kind="primary">Save</Button>
      </Form>
    </Card>
  ),
});

/** Only the button changes something, because mail scanners follow links and run scripts. */
const OFF_PAGE: Page = {
  title: 'Switch a notice off',
  lead: 'Press the button to stop the mails of this kind.',
  content: (
    <Form action={NOTICES_OFF_PATH}>
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
};
