import { Get, Inject, Post, Req } from '@nestjs/common';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { formatMoney } from '../../../pages/format-money.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { ClientPayments } from '../../../payments/client-payments.js';
import { PaymentGateway } from '../../../payments/gateway/payment-gateway.js';
import type { Shown } from '../../../payments/rules/plan-payment.js';
import { CurrentPerson } from '../../../platform/access/current-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { TakesForm } from '../../../platform/http/form-body.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { BodyReadBy, QueryReadBy } from '../../../platform/validation/body-read-by.decorator.js';
import { countOf } from '../count-of.js';
import { DashboardPages } from '../dashboard-pages.decorator.js';
import { checkoutPath, ORDERS, reviewPath } from '../paths.js';
import { ordersIn, type PayForm, readPayForm } from './pay-form.js';
import { whyNotPaid } from './why-not-paid.js';
import { reviewPage } from './review-page.js';

/** Where orders are paid, one or many. */
@DashboardPages('pay')
export class PayPagesController {
  constructor(
    private readonly payments: ClientPayments,
    private readonly gateway: PaymentGateway,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  review(@CurrentPerson() person: ClientPerson, @QueryReadBy(ordersIn) orders: string[]): Promise<Page> {
    return this.reviewed(person, orders);
  }

  /** Whoever was not told what it comes to is told first. */
  @Post()
  @TakesForm()
  async pay(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @BodyReadBy(readPayForm) { orders, shown }: PayForm,
  ): Promise<Page | SeeOther> {
    if (orders.length === 0) return seeOther(ORDERS, { kind: 'warn', text: 'Choose the orders to be paid.' });
    if (!shown) return seeOther(reviewPath(orders));
    try {
      return await this.payAsShown(person, orders, shown);
    } catch (error) {
      const refusal = whyNotPaid(error, this.settings.currency);
      if (refusal === undefined) throw error;
      request.failure = error as DomainError;
      return this.reviewed(person, orders, refusal);
    }
  }

  private async payAsShown(person: ClientPerson, orders: string[], shown: Shown): Promise<SeeOther> {
    const payment = await this.payments.pay(person, orders, shown);
    if (payment) return seeOther(checkoutPath(payment.paymentId));
    const money = formatMoney(shown.total, this.settings.currency);
    return seeOther(
      ORDERS,
      `${countOf(new Set(orders).size, 'order is', 'orders are')} paid: ${money} from your wallet.`,
    );
  }

  private async reviewed(person: ClientPerson, orders: string[], refusal?: string): Promise<Page> {
    const review = await this.payments.review(person, orders);
    return reviewPage({ review, gateway: this.gateway, currency: this.settings.currency, refusal });
  }
}
