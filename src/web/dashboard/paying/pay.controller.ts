import { Get, Inject, Post } from '@nestjs/common';
import { ClientOrdersService } from '../../../modules/orders/records/client-orders.service.js';
import { countOf, formatMoney } from '../../../platform/formats.js';
import { textIn } from '../../../shared/ui/forms.js';
import { type Page, type SeeOther, seeOther, type Reply } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import {
  ClientPaymentsService,
  MAX_ORDERS_PER_PAYMENT,
} from '../../../modules/payments/client-payments.service.js';
import { PaymentGateway } from '../../../modules/payments/gateway/payment-gateway.js';
import { PaymentHistory } from '../../../modules/payments/payment-history.repository.js';
import type { ReviewedAmounts } from '../../../modules/payments/rules/plan-payment.js';
import { type ClientPerson, hasRole } from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { minorFromAmount } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { isStorableText } from '../../../platform/validation/texts.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
import { checkoutPath, nextPath, ORDERS, paymentPath, reviewPath } from '../paths.js';
import { checkoutPage, paymentPage } from './payment-pages.js';
import { reviewPage } from './review-page.js';

type PaymentPageRequest = ClientPageRequest<'paymentId'>;

@DashboardPages()
export class PayPagesController {
  constructor(
    private readonly payments: ClientPaymentsService,
    private readonly orders: ClientOrdersService,
    private readonly history: PaymentHistory,
    private readonly gateway: PaymentGateway,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('pay')
  async review(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Reply> {
    const selection = readSelection(fields);
    if (!selection.all) return this.reviewOf(me, selection);
    const unpaid = await this.orders.firstDue(me.clientId, MAX_ORDERS_PER_PAYMENT + 1);
    if (unpaid.length === 0)
      return seeOther(selection.back, { kind: 'info', text: 'No orders wait for payment.' });
    const orders = unpaid.slice(0, MAX_ORDERS_PER_PAYMENT).map(({ orderNumber }) => orderNumber);
    return this.reviewOf(me, { ...selection, orders }, unpaid.length > MAX_ORDERS_PER_PAYMENT);
  }

  /** A form without a total gets the review page first. */
  @PostForm('pay')
  async pay(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Reply> {
    const form = readPayForm(fields);
    const { orders, back, reviewed } = form;
    if (orders.length === 0) return seeOther(back, { kind: 'warn', text: 'Choose the orders to pay.' });
    if (!reviewed) return seeOther(reviewPath(orders, back));
    try {
      const payment = await this.payments.pay(me, orders, reviewed);
      if (payment) return seeOther(checkoutPath(payment.paymentId));
      const paid = countOf(new Set(orders).size, 'order is', 'orders are');
      const money = formatMoney(reviewed.total, this.settings.currency);
      return seeOther(back, `${paid} paid: ${money} from your wallet.`);
    } catch (error) {
      const refusal = describeRefusal(error, this.settings.currency);
      if (refusal === undefined) throw error;
      const page = await this.reviewOf(me, form);
      return { ...page, refusal: `Nothing was paid. ${refusal}`, status: 409, failure: error as DomainError };
    }
  }

  @Get('payments/:paymentId')
  async show(@ClientPageRequest() { me, paymentId }: PaymentPageRequest): Promise<Page> {
    const found = await this.history.find(me.clientId, paymentId);
    return paymentPage({ ...found, gateway: this.gateway, mayPay: hasRole(me, 'buyer') });
  }

  /** Sends the browser to the gateway. A payment that has ended shows its result instead. */
  @Get('payments/:paymentId/checkout')
  async checkout(@ClientPageRequest() { me, paymentId: id }: PaymentPageRequest): Promise<Reply> {
    const { payment } = await this.history.find(me.clientId, id);
    const { status, authorized, provider } = payment;
    if (status !== 'open' || authorized || provider !== this.gateway.name) return seeOther(paymentPath(id));
    return checkoutPage(payment, await this.payments.form(me, id), this.gateway.isTest);
  }

  @Post('payments/:paymentId/give-up')
  async giveUp(@ClientPageRequest() { me, paymentId: id }: PaymentPageRequest): Promise<SeeOther> {
    const { status } = await this.payments.giveUp(me, id);
    return seeOther(
      paymentPath(id),
      status === 'given_up'
        ? 'The payment is given up. You can now pay in another way.'
        : { kind: 'info', text: 'This payment can no longer be given up.' },
    );
  }

  private async reviewOf(
    person: ClientPerson,
    { orders, back }: PaymentSelection,
    hasMoreOrders = false,
  ): Promise<Page> {
    const review = await this.payments.review(person, orders);
    const { gateway, settings } = this;
    return reviewPage({ review, back, hasMoreOrders, gateway, currency: settings.currency });
  }
}

/** The selected orders, from a form or an address. */
interface PaymentSelection {
  orders: string[];
  /** All waiting orders instead. */
  all: boolean;
  /** The page to return to. */
  back: string;
}

interface PayForm extends PaymentSelection {
  /** The amounts on the page, in minor units. Undefined if the page had no total. */
  reviewed: ReviewedAmounts | undefined;
}

const MINOR = /^\d{1,15}$/;

function readPayForm(fields: FormFields): PayForm {
  const [total, balance] = [textIn(fields, 'total'), textIn(fields, 'balance')];
  const hasAmounts = MINOR.test(total) && MINOR.test(balance);
  return {
    ...readSelection(fields),
    reviewed: hasAmounts ? { total: Number(total), balance: Number(balance) } : undefined,
  };
}

/** Each box sends a field of its own; a link sends all numbers in one. */
function readSelection(fields: FormFields): PaymentSelection {
  const texts = [fields.order ?? []].flat().filter((text) => typeof text === 'string');
  return {
    orders: texts.flatMap((text) => text.split(' ')).filter((order) => order !== '' && isStorableText(order)),
    all: textIn(fields, 'group') === 'to_pay',
    back: nextPath(fields.back, ORDERS),
  };
}

/** The message for errors that redisplay the review page with current amounts. */
function describeRefusal(error: unknown, currency: string): string | undefined {
  if (!(error instanceof DomainError)) return undefined;
  const { code, message, facts } = error;
  const money = (name: string) => formatMoney(minorFromAmount(Number(facts[name])), currency);
  const paid = (total: string, charge: string) =>
    `${money(total)}, ${money(charge)} of it through the gateway`;
  switch (code) {
    case 'total_changed':
      return `The page showed ${paid('shown', 'shown_charge')}. The total is now ${paid('total', 'charge')}.`;
    case 'insufficient_balance':
      return `The total is ${money('needed')}, but the wallet now holds ${money('balance')}${
        facts.reserved === undefined ? '' : `, of which ${money('reserved')} is reserved for open payments`
      }.`;
    case 'payment_underway':
    case 'too_many_payments':
    case 'gateway_unavailable':
      return message;
    case 'illegal_transition':
      return 'An order on this page cannot be paid any more.';
    default:
      return undefined;
  }
}
