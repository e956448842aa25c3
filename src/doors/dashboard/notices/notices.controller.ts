import { Get, Inject, Req } from '@nestjs/common';
import type { ClientPerson } from '../../../platform/access/signed-in-person.js';
import { NoticeChoicesService, type WantedNotices } from '../../../notices/notice-choices.service.js';
import { NOTICES_PATH } from '../../../notices/notices-job.service.js';
import { NOTICE_NAMES } from '../../../notices/rules/kinds.js';
import { orAgain, textIn, Texts } from '../../../pages/forms.js';
import { type Page, seeOther, type Reply } from '../../../pages/page.js';
import { Me } from '../../../platform/access/access.decorators.js';
import { Open } from '../../../platform/access/access-rule.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { callerAddress } from '../../../platform/http/caller-address.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { TakesOpenPlace } from '../../../platform/rate-limit/takes-place.decorator.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { BodyReadBy } from '../../../platform/validation/read-by.decorators.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { DashboardPages } from '../dashboard-pages.js';
import { noticesPage, offPage } from './notices-page.js';

@DashboardPages('notices', 'in person')
export class NoticesController {
  constructor(
    private readonly notices: NoticeChoicesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@Me() person: ClientPerson): Promise<Page> {
    const choices = await this.notices.of(person);
    const { areSent } = this.notices;
    return noticesPage({ email: person.email, choices, areSent, currency: this.settings.currency });
  }

  @PostForm()
  set(@Me() person: ClientPerson, @BodyReadBy(readWanted) wanted: WantedNotices): Promise<Reply> {
    return orAgain(
      async () => {
        await this.notices.set(person, wanted);
        return seeOther(NOTICES_PATH, 'Your choice is saved.');
      },
      () => this.show(person),
    );
  }

  @Open()
  @Get('off')
  @TakesOpenPlace()
  showOff(): Page {
    return offPage();
  }

  @Open()
  @PostForm('off')
  @TakesOpenPlace()
  switchOff(@Req() request: ApiRequest, @Texts('code') { code }: Texts<'code'>): Promise<Reply> {
    const switchedOff = async () => {
      const kind = await this.notices.switchOff(code, callerAddress(request));
      const { name } = NOTICE_NAMES[kind];
      return { title: `“${name}” is switched off`, lead: 'You get no more mails of this kind.' };
    };
    return orAgain(switchedOff, () => offPage(), 'link_invalid');
  }
}

function readWanted(fields: FormFields): WantedNotices {
  const kinds = [fields.kinds ?? []].flat().filter((kind) => typeof kind === 'string');
  return { kinds, lowWallet: textIn(fields, 'lowWallet') };
}
