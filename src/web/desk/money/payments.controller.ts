import { Get, Inject, Post } from '@nestjs/common';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { formatMoney } from '../../../platform/formats.js';
import {
  errorAtField,
  submitForm,
  redirectWithWarning,
  readTexts,
  textIn,
} from '../../../shared/ui/forms.js';
import type { Page, Reply, SeeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { PaymentDeskService } from '../../../modules/payments/payment-desk.service.js';
import { may } from '../../../platform/access/signed-in-person.js';
import type { ErrorCode } from '../../../platform/errors/error-codes.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { paymentPath } from '../paths.js';
import { PAYMENT_LIST, paymentPage, paymentsHead, refundForm, refundReview } from './payments-pages.js';
import { takeStep } from '../action.js';

const readRefund = readTexts('amount', 'key', 'left');

/** Errors that the page of the payment shows as a message. */
const HANDLED_ERRORS: ErrorCode[] = [
  'conflict',
  'insufficient_balance',
  'gateway_refused',
  'gateway_unavailable',
];

/** Payments through the gateway. The service settles most of them; a person looks at the others. */
@DeskPages('money/payments')
export class PaymentsPagesController {
  constructor(
    private readonly payments: PaymentDeskService,
    private readonly clients: ClientAdministrationService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(@DeskPageRequest() { fields }: DeskPageRequest): Promise<Page> {
    const query = PAYMENT_LIST.read(fields);
    const { view } = query.selected;
    const filter = { concerning: view === 'concerning', refunding: view === 'refunds', before: query.mark };
    const [found, counts] = await Promise.all([
      PAYMENT_LIST.find((limit) => this.payments.newest(filter, limit)),
      this.payments.count(),
    ]);
    const context = { view, currency: this.settings.currency };
    return PAYMENT_LIST.page({ ...paymentsHead(view, counts), query, result: found, context });
  }

  @Get(':id')
  async show(@DeskPageRequest() { me, idText }: Omit<DeskPageRequest, 'fields'>): Promise<Page> {
    return paymentPage({ ...(await this.find(idText)), mayRefund: may(me, 'send money back') });
  }

  @Post(':id/settle')
  settle(@DeskPageRequest() { idText }: DeskPageRequest): Promise<SeeOther> {
    return this.runAndReport(idText, async () => {
      const { status } = await this.payments.settle(idText);
      return `The gateway has answered. The payment is ${status.replace('_', ' ')}.`;
    });
  }

  @Post(':id/give-up')
  giveUp(@DeskPageRequest() { me, idText }: DeskPageRequest): Promise<SeeOther> {
    return this.runAndReport(idText, async () => {
      await this.payments.giveUp(idText, me);
      return 'The payment is given up. Its orders can be paid in another way.';
    });
  }

  @PostForm(':id/resolve')
  resolve(@DeskPageRequest() request: DeskPageRequest): Promise<Reply> {
    const { me, idText, fields } = request;
    const run = async () => {
      await this.payments.resolve(idText, textIn(fields, 'note'), me).catch((error: unknown) => {
        throw errorAtField('note', error);
      });
      return 'The result is saved. This payment needs no person any more.';
    };
    return submitForm(
      () => this.runAndReport(idText, run),
      () => this.show(request),
    );
  }

  @Get(':id/refund')
  async askRefund(@DeskPageRequest() { idText }: Pick<DeskPageRequest, 'idText'>): Promise<Page> {
    return refundForm(await this.find(idText));
  }

  /** Shows a review, then sends the money back. */
  @PostForm(':id/refund')
  refund(@DeskPageRequest() { me, idText, fields }: DeskPageRequest): Promise<Reply> {
    const { amount, key, left } = readRefund(fields);
    return takeStep(fields, {
      back: { href: paymentPath(idText), text: 'Payment' },
      form: () => this.askRefund({ idText }),
      review: async () => {
        const preview = await this.payments.previewRefund(idText, amount);
        return refundReview({ ...(await this.find(idText)), preview });
      },
      run: () =>
        this.runAndReport(idText, async () => {
          await this.payments.refund(idText, amount, me, { key, left: Number(left) });
          const refunded = formatMoney(minorFromNumeric(amount), this.settings.currency);
          return `The refund of ${refunded} is on its way.`;
        }),
    });
  }

  private async find(id: string) {
    const payment = await this.payments.show(id);
    const { name: client } = await this.clients.show(payment.client_id);
    return { payment, client, currency: this.settings.currency };
  }

  /** Redirects to the page of the payment, with the result or the error as a notice. */
  private runAndReport(id: string, work: () => Promise<string>): Promise<SeeOther> {
    return redirectWithWarning(paymentPath(id), HANDLED_ERRORS, work);
  }
}
