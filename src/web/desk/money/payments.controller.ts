import { Get, Inject, Post } from '@nestjs/common';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { formatMoney } from '../../../shared/ui/formats.js';
import { atField, orAgain, orWarn, readTexts, textIn } from '../../../shared/ui/forms.js';
import type { Page, Reply, SeeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { PaymentDeskService } from '../../../modules/payments/payment-desk.service.js';
import { hasRole } from '../../../platform/access/signed-in-person.js';
import type { ErrorCode } from '../../../platform/errors/error-codes.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { DeskPages, For, Visit } from '../desk-pages.js';
import { paymentPath, paymentRefundPath } from '../paths.js';
import { PAYMENT_LIST, paymentPage, paymentsHead, refundForm, refundReview } from './payments-pages.js';
import { takeStep } from '../action.js';

const readRefund = readTexts('amount', 'key', 'left');

/** Errors that the page of the payment shows as a message. */
const TOLD: ErrorCode[] = ['conflict', 'insufficient_balance', 'gateway_refused', 'gateway_unavailable'];

/** Payments through the gateway. The service settles most of them; a person looks at the others. */
@DeskPages('money/payments', 'staff')
export class PaymentsPagesController {
  constructor(
    private readonly payments: PaymentDeskService,
    private readonly clients: ClientAdministrationService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async list(@Visit() { fields }: Visit): Promise<Page> {
    const asked = PAYMENT_LIST.read(fields);
    const { view } = asked.chosen;
    const filter = { concerning: view === 'concerning', refunding: view === 'refunds', before: asked.mark };
    const [found, counts] = await Promise.all([
      PAYMENT_LIST.find((most) => this.payments.newest(filter, most)),
      this.payments.count(),
    ]);
    const context = { view, currency: this.settings.currency };
    return PAYMENT_LIST.page({ ...paymentsHead(view, counts), asked, found, context });
  }

  @Get(':id')
  async show(@Visit() { me, uuid }: Omit<Visit, 'fields'>): Promise<Page> {
    return paymentPage({ ...(await this.find(uuid)), mayRefund: hasRole(me, 'admin') });
  }

  @Post(':id/settle')
  settle(@Visit() { uuid }: Visit): Promise<SeeOther> {
    return this.told(uuid, async () => {
      const { status } = await this.payments.settle(uuid);
      return `The gateway has answered. The payment is ${status.replace('_', ' ')}.`;
    });
  }

  @Post(':id/give-up')
  giveUp(@Visit() { me, uuid }: Visit): Promise<SeeOther> {
    return this.told(uuid, async () => {
      await this.payments.giveUp(uuid, me);
      return 'The payment is given up. Its orders can be paid in another way.';
    });
  }

  @PostForm(':id/resolve')
  resolve(@Visit() visit: Visit): Promise<Reply> {
    const { me, uuid, fields } = visit;
    const run = async () => {
      await this.payments.resolve(uuid, textIn(fields, 'note'), me).catch((error: unknown) => {
        throw atField('note', error);
      });
      return 'The result is saved. This payment needs no person any more.';
    };
    return orAgain(
      () => this.told(uuid, run),
      () => this.show(visit),
    );
  }

  @Get(':id/refund')
  @For('admin')
  async askRefund(@Visit() { uuid }: Pick<Visit, 'uuid'>): Promise<Page> {
    return refundForm(await this.find(uuid));
  }

  /** Shows a review, then sends the money back. */
  @PostForm(':id/refund')
  @For('admin')
  refund(@Visit() { me, uuid, fields }: Visit): Promise<Reply> {
    const { amount, key, left } = readRefund(fields);
    return takeStep(fields, {
      path: paymentRefundPath(uuid),
      back: { href: paymentPath(uuid), text: 'Payment' },
      form: () => this.askRefund({ uuid }),
      review: async () => {
        const preview = await this.payments.previewRefund(uuid, amount);
        return refundReview({ ...(await this.find(uuid)), preview });
      },
      run: () =>
        this.told(uuid, async () => {
          await this.payments.refund(uuid, amount, me, { key, left: Number(left) });
          return `The refund of ${formatMoney(minorFromNumeric(amount), this.settings.currency)} is on its way.`;
        }),
      told: TOLD,
    });
  }

  private async find(id: string) {
    const payment = await this.payments.show(id);
    const { name: client } = await this.clients.show(payment.client_id);
    return { payment, client, currency: this.settings.currency };
  }

  /** Redirects to the page of the payment, with the result or the error as a notice. */
  private told(id: string, work: () => Promise<string>): Promise<SeeOther> {
    return orWarn(paymentPath(id), TOLD, work);
  }
}
