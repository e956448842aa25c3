import { randomUUID } from 'node:crypto';
import { Get, Inject, Param, Post } from '@nestjs/common';
import { ClientAdministration } from '../../../auth/clients/client-administration.js';
import { type DeskPerson, hasRole } from '../../../auth/people/signed-in-person.js';
import { formatMoney } from '../../../pages/formats.js';
import { again, atField, readTexts, textIn, wordIn } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther, type Reply } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { PaymentDeskService } from '../../../payments/payment-desk.service.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { ErrorCode } from '../../../platform/errors/error-codes.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { onePage } from '../../../platform/lists/one-page.js';
import { minorFromNumeric, numericFromMinor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { BodyReadBy, QueryReadBy } from '../../../platform/validation/readers.js';
import { isUuid } from '../../../platform/validation/texts.js';
import { DeskPages, For } from '../desk-pages.js';
import { paymentPath } from '../paths.js';
import {
  paymentPage,
  paymentsPage,
  type PaymentsQuery,
  refundPage,
  refundReviewPage,
} from './payments-pages.js';

const PAGE_SIZE = 50;

const readNote = readTexts('note');
const readRefundQuery = readTexts('amount', 'review');
const readRefund = readTexts('amount', 'key');

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
  async show(@CurrentPerson() me: DeskPerson, @Param('id') id: string): Promise<Page> {
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
  giveUp(@CurrentPerson() me: DeskPerson, @Param('id') id: string): Promise<SeeOther> {
    return this.told(id, async () => {
      await this.payments.giveUp(id, me);
      return 'The payment is given up. Its orders can be paid in another way.';
    });
  }

  @PostForm(':id/resolve')
  async resolve(
    @CurrentPerson() me: DeskPerson,
    @Param('id') id: string,
    @BodyReadBy(readNote) { note }: ReturnType<typeof readNote>,
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

  /** First the amount, then what it does. */
  @Get(':id/refund')
  @For('admin')
  async askRefund(
    @Param('id') id: string,
    @QueryReadBy(readRefundQuery) { amount, review }: ReturnType<typeof readRefundQuery>,
  ): Promise<Page> {
    const { currency } = this.settings;
    const page = refundPage({ ...(await this.find(id)), amount, currency });
    if (review === '') return page;
    try {
      const preview = await this.payments.previewRefund(id, amount);
      const numeric = numericFromMinor(preview.amount);
      return refundReviewPage({ ...(await this.find(id)), preview, key: randomUUID(), numeric, currency });
    } catch (error) {
      return again(error, page, ...TOLD);
    }
  }

  @PostForm(':id/refund')
  @For('admin')
  refund(
    @CurrentPerson() me: DeskPerson,
    @Param('id') id: string,
    @BodyReadBy(readRefund) { amount, key }: ReturnType<typeof readRefund>,
  ): Promise<SeeOther> {
    return this.told(id, async () => {
      await this.payments.refund(id, amount, me, key);
      const money = formatMoney(minorFromNumeric(amount), this.settings.currency);
      return `${money} are on their way back.`;
    });
  }

  private async find(id: string) {
    const payment = await this.payments.show(id);
    const { name } = await this.clients.show(payment.client_id);
    return { payment, client: name };
  }

  /** A refusal is told on the page of the payment, which shows the state now. */
  private async told(id: string, work: () => Promise<string>): Promise<SeeOther> {
    try {
      return seeOther(paymentPath(id), await work());
    } catch (error) {
      if (!(error instanceof DomainError) || !TOLD.includes(error.code)) throw error;
      return seeOther(paymentPath(id), { kind: 'warn', text: error.message });
    }
  }
}

function readPaymentsQuery(query: FormFields): PaymentsQuery {
  const asked = textIn(query, 'view');
  const before = wordIn(query, 'before');
  return {
    view: asked === 'refunds' || asked === 'all' ? asked : 'concerning',
    before: before !== undefined && isUuid(before) ? before : undefined,
  };
}
