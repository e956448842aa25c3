import { Get, Inject, Param, Post, Req } from '@nestjs/common';
import { type ClientPerson, hasRole } from '../../../auth/people/signed-in-person.js';
import { formatMoney } from '../../../pages/format-money.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { withFaults } from '../../../pages/forms.js';
import { ClientPaymentsService } from '../../../payments/client-payments.service.js';
import { PaymentGateway } from '../../../payments/gateway/payment-gateway.js';
import { BankTransfersService } from '../../../payments/bank-transfers.service.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { BodyReadBy } from '../../../platform/validation/readers.js';
import { DashboardPages } from '../dashboard-pages.js';
import { checkoutPath } from '../paths.js';
import {
  readTopUpForm,
  readTransferForm,
  type TopUpForm,
  type TransferForm,
  topUpPage,
  type TopUpTyped,
} from './top-up-page.js';
import { WALLET } from './wallet-query.js';

/** Both ways into the wallet: through the gateway, or by bank transfer. */
@DashboardPages('wallet')
export class TopUpPagesController {
  constructor(
    private readonly payments: ClientPaymentsService,
    private readonly gateway: PaymentGateway,
    private readonly transfers: BankTransfersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('top-up')
  show(@CurrentPerson() person: ClientPerson): Page {
    return this.page(person);
  }

  @Post('top-up')
  @TakesForm()
  async topUp(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @BodyReadBy(readTopUpForm) form: TopUpForm,
  ): Promise<Page | SeeOther> {
    try {
      const { paymentId } = await this.payments.topUp(person, form.amount);
      return seeOther(checkoutPath(paymentId));
    } catch (error) {
      return withFaults(error, request, (faults) => this.page(person, { topUp: { form, faults } }));
    }
  }

  @Post('transfers')
  @TakesForm()
  async announce(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @BodyReadBy(readTransferForm) form: TransferForm,
  ): Promise<Page | SeeOther> {
    try {
      const { amount } = await this.transfers.announceAs(person, form);
      const money = formatMoney(amount, this.settings.currency);
      return seeOther(
        WALLET,
        `Thank you. ${money} will be in your wallet when the wholesaler confirms the transfer.`,
      );
    } catch (error) {
      return withFaults(error, request, (faults) => this.page(person, { transfer: { form, faults } }));
    }
  }

  @Post('transfers/:id/withdraw')
  async withdraw(@CurrentPerson() person: ClientPerson, @Param('id') id: string): Promise<SeeOther> {
    await this.transfers.withdraw(person, id);
    return seeOther(WALLET, 'The transfer is withdrawn. You can report its UTR again.');
  }

  private page(person: ClientPerson, typed: TopUpTyped = {}): Page {
    return topUpPage({
      gateway: this.gateway,
      bankDetails: this.transfers.details,
      mayPay: hasRole(person, 'buyer'),
      currency: this.settings.currency,
      typed,
    });
  }
}
