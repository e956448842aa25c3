import { Get, Inject, Post, Req } from '@nestjs/common';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { formatMoney } from '../../../pages/format-money.js';
import { textIn } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther } from '../../../pages/page.js';
import { ClientPaymentsService } from '../../../payments/client-payments.service.js';
import { PaymentGateway } from '../../../payments/gateway/payment-gateway.js';
import type { Shown } from '../../../payments/rules/plan-payment.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import { TakesForm } from '../../../platform/http/bodies.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { BodyReadBy, QueryReadBy } from '../../../platform/validation/readers.js';
import { isStorableText } from '../../../platform/validation/texts.js';
import { countOf } from '../count-of.js';
import { DashboardPages } from '../dashboard-pages.js';
import { checkoutPath, ORDERS, reviewPath } from '../paths.js';
import { reviewPage } from './review-page.js';

@DashboardPages('pay')
export class PayPagesController {
  constructor(
    private readonly payments: ClientPaymentsService,
    private readonly gateway: PaymentGateway,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  review(@CurrentPerson() person: ClientPerson, @QueryReadBy(ordersIn) orders: string[]): Promise<Page> {
    return this.reviewed(person, orders);
  }

  /** A form without a total gets the review page first. */
  @Post()
  @TakesForm()
  async pay(
    @CurrentPerson() person: ClientPerson,
    @Req() request: ApiRequest,
    @BodyReadBy(readPayForm) { orders, shown }: PayForm,
  ): Promise<Page | SeeOther> {
    if (orders.length === 0) return seeOther(ORDERS, { kind: 'warn', text: 'Choose the orders to pay.' });
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

export interface PayForm {
  orders: string[];
  /**
   * In minor units, as the page showed it. Undefined if the page showed no total; then the review page comes
   * first.
   */
  shown: Shown | undefined;
}

const MINOR = /^\d{1,15}$/;

export function readPayForm(fields: FormFields): PayForm {
  const [total, balance] = [textIn(fields, 'total'), textIn(fields, 'balance')];
  const isSaid = MINOR.test(total) && MINOR.test(balance);
  return {
    orders: ordersIn(fields),
    shown: isSaid ? { total: Number(total), balance: Number(balance) } : undefined,
  };
}

/** The chosen orders, from a form or an address. */
export function ordersIn(fields: FormFields): string[] {
  return [fields.order ?? []].flat().filter((order) => typeof order === 'string' && isStorableText(order));
}

/** The message for errors that show the review page again with current amounts. */
export function whyNotPaid(error: unknown, currency: string): string | undefined {
  if (!(error instanceof DomainError)) return undefined;
  const { code, message, facts } = error;
  const money = (name: string) => formatMoney(Math.round(Number(facts[name]) * 100), currency);
  const paid = (total: string, charge: string) =>
    `${money(total)}, ${money(charge)} of it through the gateway`;
  switch (code) {
    case 'total_changed':
      return `Nothing was paid. You were shown ${paid('shown', 'shown_charge')}, but it is ${paid('total', 'charge')} now.`;
    case 'insufficient_balance':
      return `Nothing was paid. The total is ${money('needed')}, but the wallet now holds ${money('balance')}.`;
    case 'payment_underway':
    case 'illegal_transition':
    case 'too_many_payments':
    case 'gateway_unavailable':
      return `Nothing was paid. ${message}`;
    default:
      return undefined;
  }
}
