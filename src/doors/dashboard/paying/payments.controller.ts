import { Get, Param, Post } from '@nestjs/common';
import { type ClientPerson, hasRole } from '../../../auth/people/signed-in-person.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { ClientPaymentsService } from '../../../payments/client-payments.service.js';
import { PaymentGateway } from '../../../payments/gateway/payment-gateway.js';
import { ClientPaymentsRepository } from '../../../payments/client-payments.repository.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { DashboardPages } from '../dashboard-pages.js';
import { paymentPath } from '../paths.js';
import { checkoutPage, paymentPage } from './payment-pages.js';

@DashboardPages('payments/:paymentId')
export class PaymentPagesController {
  constructor(
    private readonly payments: ClientPaymentsService,
    private readonly lookUps: ClientPaymentsRepository,
    private readonly gateway: PaymentGateway,
  ) {}

  @Get()
  async show(@CurrentPerson() person: ClientPerson, @Param('paymentId') id: string): Promise<Page> {
    const found = await this.lookUps.find(person.clientId, id);
    return paymentPage({ ...found, gateway: this.gateway, mayPay: hasRole(person, 'buyer') });
  }

  /** Sends the browser to the gateway. A payment that has ended shows its result instead. */
  @Get('checkout')
  async checkout(
    @CurrentPerson() person: ClientPerson,
    @Param('paymentId') id: string,
  ): Promise<Page | SeeOther> {
    const { payment } = await this.lookUps.find(person.clientId, id);
    if (payment.status !== 'open' || payment.provider !== this.gateway.name) return seeOther(paymentPath(id));
    const form = await this.payments.form(person, id);
    return checkoutPage({ payment, form, isTest: this.gateway.isTest });
  }

  @Post('give-up')
  async giveUp(@CurrentPerson() person: ClientPerson, @Param('paymentId') id: string): Promise<SeeOther> {
    const { status } = await this.payments.giveUp(person, id);
    return seeOther(
      paymentPath(id),
      status === 'given_up'
        ? 'The payment is given up. You can now pay in another way.'
        : { kind: 'info', text: 'This payment can no longer be given up.' },
    );
  }
}
