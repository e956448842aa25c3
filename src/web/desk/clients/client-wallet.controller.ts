import { Get, Inject } from '@nestjs/common';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { StatementMailsService } from '../../../modules/notices/statement-mails.service.js';
import { ClientOrdersService } from '../../../modules/orders/records/client-orders.service.js';
import { formatMoney } from '../../../platform/formats.js';
import { redirectWithWarning, readTexts } from '../../../shared/ui/forms.js';
import type { Page, Reply } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { minorFromAmount } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { addMonths, monthAt, monthsBetween } from '../../../platform/time/time.js';
import { BankTransfersService, readPayout } from '../../../modules/payments/bank-transfers.service.js';
import { Passbook } from '../../../modules/wallet/passbook.repository.js';
import { readAdjustment, WalletService } from '../../../modules/wallet/wallet.service.js';
import { passbookFilter, PASSBOOK } from '../../shared/passbook.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { clientPaths } from '../paths.js';
import {
  adjustForm,
  adjustReview,
  clientWalletPage,
  payoutForm,
  payoutReview,
} from './client-wallet-pages.js';
import { takeStep } from '../action.js';

const readPayoutForm = readTexts('amount', 'reference', 'date', 'bank');
const readAdjust = readTexts('amount', 'reason', 'key', 'last', 'shared');

/** The wallet of one client. */
@DeskPages('clients/:id/wallet')
export class ClientWalletController {
  constructor(
    private readonly clients: ClientAdministrationService,
    private readonly wallets: WalletService,
    private readonly passbook: Passbook,
    private readonly orders: ClientOrdersService,
    private readonly transfers: BankTransfersService,
    private readonly mailings: StatementMailsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Page> {
    const { currency, timeZone } = this.settings;
    const query = PASSBOOK.read(fields);
    const client = await this.clients.show(id);
    const [funds, result, since] = await Promise.all([
      this.wallets.funds(id),
      PASSBOOK.find((limit) =>
        this.passbook.newest(id, passbookFilter(query.selected, timeZone), query.mark, limit),
      ),
      this.passbook.since(id),
    ]);
    const thisMonth = monthAt(Date.now(), timeZone);
    const numbers = result.rows.flatMap(({ orderNumber }) => orderNumber ?? []);
    const storeOrderIds = await this.orders.storeOrderIds(id, numbers);
    const months = monthsBetween(since ? monthAt(since, timeZone) : thisMonth, thisMonth);
    const mailing = this.settings.mail && (await this.mailings.preview(addMonths(thisMonth, -1), id));
    const passbook = { result, storeOrderIds, months, query, currency };
    return clientWalletPage({ client, funds, me, mailing, ...passbook });
  }

  @Get('pay-out')
  async askPayout(@DeskPageRequest() { id }: Pick<DeskPageRequest, 'id'>): Promise<Page> {
    return payoutForm(await this.clients.show(id), this.settings.currency);
  }

  /** Shows a review, then records the payout. Its reference makes a repeated form harmless. */
  @PostForm('pay-out')
  payOut(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    const { currency, timeZone } = this.settings;
    const { wallet } = clientPaths(id);
    const form = readPayoutForm(fields);
    return takeStep(fields, {
      back: { href: wallet, text: 'Wallet' },
      form: () => this.askPayout({ id }),
      review: async () => {
        const payout = readPayout(form, timeZone);
        const [client, funds] = await Promise.all([this.clients.show(id), this.wallets.funds(id)]);
        return payoutReview({ client, ...payout, funds, currency });
      },
      run: () =>
        redirectWithWarning(wallet, ['conflict', 'insufficient_balance'], async () => {
          const { balance } = await this.transfers.payOut(id, form, me);
          return `The wallet now holds ${formatMoney(minorFromAmount(balance), currency)}.`;
        }),
    });
  }

  @Get('adjust')
  async askAdjust(@DeskPageRequest() { id }: Pick<DeskPageRequest, 'id'>): Promise<Page> {
    return adjustForm(await this.clients.show(id), this.settings.currency);
  }

  /** Shows a review, then corrects the wallet. */
  @PostForm('adjust')
  adjust(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    const { currency } = this.settings;
    const { wallet } = clientPaths(id);
    const { amount, reason, key, last, shared } = readAdjust(fields);
    return takeStep(fields, {
      back: { href: wallet, text: 'Wallet' },
      form: () => this.askAdjust({ id }),
      review: async () => {
        const adjustment = readAdjustment(amount, reason);
        const [client, funds, lastAdjustment, reference] = await Promise.all([
          this.clients.show(id),
          this.wallets.funds(id),
          this.wallets.lastAdjustment(id),
          this.wallets.reviewReference(adjustment.reason, adjustment.amount),
        ]);
        return adjustReview({ client, ...adjustment, funds, last: lastAdjustment, reference, currency });
      },
      run: () =>
        redirectWithWarning(wallet, ['conflict', 'insufficient_balance'], async () => {
          const form = { key, last: Number(last), acceptedUses: shared.split(' ') };
          const { balance } = await this.wallets.adjust(id, amount, reason, me, form);
          return `The wallet now holds ${formatMoney(minorFromAmount(balance), currency)}.`;
        }),
    });
  }
}
