import { Get, Post, Req } from '@nestjs/common';
import { ResetRequests } from '../../../auth/links/reset-requests.js';
import { textIn } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { Open } from '../../../platform/access/access-rule.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { callerAddress } from '../../../platform/http/caller-address.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { TakesOpenPlace } from '../../../platform/rate-limit/takes-place.decorator.js';
import { BodyReadBy } from '../../../platform/validation/readers.js';
import { DashboardPages } from '../dashboard-pages.js';
import { SIGN_IN } from '../paths.js';
import { refusalOf } from '../sign-in/sign-in-page.js';
import { noResetPage, resetPage } from './link-pages.js';

/** Answers every address alike, so that it does not tell which accounts exist. */
@DashboardPages('reset')
export class ResetController {
  constructor(private readonly resets: ResetRequests) {}

  @Open()
  @Get()
  form(): Page {
    return this.resets.arePossible ? resetPage() : noResetPage();
  }

  @Open()
  @Post()
  @TakesOpenPlace()
  @TakesForm()
  async ask(@Req() request: ApiRequest, @BodyReadBy(readAddress) email: string): Promise<Page | SeeOther> {
    if (!this.resets.arePossible) return noResetPage();
    try {
      await this.resets.ask(email, callerAddress(request));
    } catch (error) {
      return resetPage({ email, refusal: refusalOf(error, request) });
    }
    return seeOther(SIGN_IN, {
      kind: 'info',
      text: 'If this address has an account, a link is on its way to it. Check your mail.',
    });
  }
}

function readAddress(fields: FormFields): string {
  return textIn(fields, 'email');
}
