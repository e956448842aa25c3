import { Get, Inject, Param, Post } from '@nestjs/common';
import { ClientAdministration } from '../../../clients/client-administration.service.js';
import { type DeskPerson, hasRole } from '../../../platform/access/signed-in-person.js';
import { formatMoney } from '../../../pages/formats.js';
import { again, atField, oneOf, orWarn, readTexts, SentFields, Texts, wordIn } from '../../../pages/forms.js';
import type { Page, Reply, SeeOther } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { PaymentDeskService } from '../../../payments/payment-desk.service.js';
import { Me } from '../../../platform/access/access.decorators.js';
import type { ErrorCode } from '../../../platform/errors/error-codes.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { onePage } from '../../../platform/lists/one-page.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import { isUuid } from '../../../platform/validation/texts.js';
import { DeskPages, For } from '../desk-pages.js';
import { paymentPath, paymentRefundPath } from '../paths.js';
import { takeStep } from '../review.js';
import { paymentPage, paymentsPage, type PaymentsQuery, refundPage, refundReview } from './payments-pages.js';

const PAGE_SIZE = 50;

const readRefund = readTexts('amount', 'key', 'left');

/** What the page of the payment tells in words. */
const TOLD: ErrorCode[] = ['conflict', 'insufficient_balance', 'gateway_refused', 'gateway_unavailable'];

/** Payments through the gateway. The service settles most of them; a person looks at the others. */
@DeskPages('money/payments', 'staff')
export class PaymentsPagesController {
  constructor(
    private readonly payments: PaymentDeskService,
    private readonly clients: ClientAdministration,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(@QueryReadBy(readPaymentsQuery) chosen: PaymentsQuery): Promise<Page> {
    const { view, before } = chosen;
    const filter = { concerning: view === 'concerning', refunding: view === 'refunds', before };
    const [found, counts] = await Promise.all([
      this.payments.newest(filter, PAGE_SIZE + 1),
      this.payments.count(),
    ]);
    const { rows: payments, last } = onePage(found, PAGE_SIZE);
    const { currency } = this.settings;
    return paymentsPage({ payments, older: last?.payment_id, chosen, counts, currency });
  }

  @Get(':id')
  async show(@Me() me: DeskPerson, @Param('id') id: string): Promise<Page> {
    const { payment, client } = await this.find(id);
    return paymentPage({
      payment,
      client,
      mayRefund: hasRole(me, 'admin'),
      currency: this.settings.currency,
    });
  }

  @Post(':id/settle')
  settle(@Param('id') id: string): Promise<SeeOther> {
    return this.told(id, async () => {
      const { status } = await this.payments.settle(id);
      return `The gateway has answered. The payment is ${status.replace('_', ' ')}.`;
    });
  }

  @Post(':id/give-up')
  giveUp(@Me() me: DeskPerson, @Param('id') id: string): Promise<SeeOther> {
    return this.told(id, async () => {
      await this.payments.giveUp(id, me);
      return 'The payment is given up. Its orders can be paid in another way.';
    });
  }

  @PostForm(':id/resolve')
  async resolve(
    @Me() me: DeskPerson,
    @Param('id') id: string,
    @Texts('note') { note }: Texts<'note'>,
  ): Promise<Reply> {
    try {
      return await this.told(id, async () => {
        await this.payments.resolve(id, note, me);
        return 'The result is saved. This payment needs no person any more.';
      });
    } catch (error) {
      return again(atField('note', error), await this.show(me, id));
    }
  }

  @Get(':id/refund')
  @For('admin')
  async askRefund(@Param('id') id: string): Promise<Page> {
    return refundPage({ ...(await this.find(id)), currency: this.settings.currency });
  }

  /** First shows what the refund does, then does it. */
  @PostForm(':id/refund')
  @For('admin')
  refund(@Me() me: DeskPerson, @Param('id') id: string, @SentFields() fields: FormFields): Promise<Reply> {
    const { currency } = this.settings;
    const { amount, key, left } = readRefund(fields);
    return takeStep(fields, {
      path: paymentRefundPath(id),
      back: { href: paymentPath(id), text: 'Payment' },
      form: () => this.askRefund(id),
      review: async () => {
        const preview = await this.payments.previewRefund(id, amount);
        return refundReview({ ...(await this.find(id)), preview, currency });
      },
      run: () =>
        this.told(id, async () => {
          await this.payments.refund(id, amount, me, { key, left: Number(left) });
          return `${formatMoney(minorFromNumeric(amount), currency)} are on their way back.`;
        }),
      told: TOLD,
    });
  }

  private async find(id: string) {
    const payment = await this.payments.show(id);
    const { name } = await this.clients.show(payment.client_id);
    return { payment, client: name };
  }

  /** A refusal is told on the page of the payment, which shows the state now. */
  private told(id: string, work: () => Promise<string>): Promise<SeeOther> {
    return orWarn(paymentPath(id), TOLD, work);
  }
}

function readPaymentsQuery(query: FormFields): PaymentsQuery {
  const before = wordIn(query, 'before');
  return {
    view: oneOf(query, 'view', ['refunds', 'all']) ?? 'concerning',
    before: before !== undefined && isUuid(before) ? before : undefined,
  };
}
