import { Get, Inject, Post, Req } from '@nestjs/common';
import { type ClientPerson, hasRole } from '../../../auth/people/signed-in-person.js';
import {
  type AutoPayWish,
  AutoPayService,
  type ClientAutoPayShown,
} from '../../../orders/auto-pay/auto-pay.service.js';
import { textIn, withFaults } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { BodyReadBy } from '../../../platform/validation/readers.js';
import { DashboardPages } from '../dashboard-pages.js';
import { autoPayPage, type AutoPayTyped } from './auto-pay-page.js';
import { WALLET } from './wallet-query.js';

@DashboardPages('wallet/auto-pay')
export class AutoPayPagesController {
  constructor(
    private readonly autoPay: AutoPayService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@CurrentPerson() person: ClientPerson): Promise<Page> {
    return this.page(person, await this.autoPay.showToClient(person.clientId));
  }

  @Post()
  @TakesForm()
  async set(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @BodyReadBy(readAutoPayForm) wish: AutoPayWish,
  ): Promise<Page | SeeOther> {
    try {
      await this.autoPay.setByClient(person, wish);
    } catch (error) {
      return this.again(person, request, wish, error);
    }
    return seeOther(
      WALLET,
      wish.enabled ? 'Auto-pay is on. New orders are paid from the wallet.' : 'Auto-pay is off.',
    );
  }

  private async again(
    person: ClientPerson,
    request: ApiRequest,
    wish: AutoPayWish,
    error: unknown,
  ): Promise<Page> {
    const now = await this.autoPay.showToClient(person.clientId);
    if (!(error instanceof DomainError) || error.code !== 'conflict')
      return withFaults(error, request, (faults) => this.page(person, now, { wish, faults }));
    request.failure = error;
    return this.page(person, now, { wish, faults: {}, isStale: true });
  }

  private page(person: ClientPerson, autoPay: ClientAutoPayShown, typed?: AutoPayTyped): Page {
    const { currency } = this.settings;
    return autoPayPage({ autoPay, mayDecide: hasRole(person, 'owner'), currency, typed });
  }
}

export function readAutoPayForm(fields: FormFields): AutoPayWish {
  return {
    enabled: textIn(fields, 'enabled') === 'yes',
    orderCap: textIn(fields, 'orderCap'),
    dayCap: textIn(fields, 'dayCap'),
    shown: textIn(fields, 'shown'),
  };
}
