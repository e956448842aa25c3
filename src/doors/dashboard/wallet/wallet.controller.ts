import { Get, Inject, Param, Post, type StreamableFile } from '@nestjs/common';
import { type ClientPerson, hasRole } from '../../../platform/access/signed-in-person.js';
import { AutoPayService, type AutoPayWish } from '../../../orders/auto-pay/auto-pay.service.js';
import { ClientOrdersService } from '../../../orders/records/client-orders.service.js';
import { formatMoney } from '../../../pages/formats.js';
import { orAgain, textIn, Texts } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther, type Reply } from '../../../pages/page.js';
import { PaymentHistory } from '../../../payments/payment-history.repository.js';
import { ClientPaymentsService } from '../../../payments/client-payments.service.js';
import { PaymentGateway } from '../../../payments/gateway/payment-gateway.js';
import { StatementsService } from '../../../payments/statements.service.js';
import { BankTransfersService } from '../../../payments/bank-transfers.service.js';
import { ForAsker, Me } from '../../../platform/access/access.decorators.js';
import type { Asker } from '../../../platform/heavy-work/asker.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt, type Month, monthAt, monthsBetween, periodOf } from '../../../platform/time/time.js';
import { BodyReadBy, QueryReadBy } from '../../../platform/validation/read-by.decorators.js';
import { PASSBOOK_COLUMNS, Passbook } from '../../../wallet/passbook.repository.js';
import { WalletService } from '../../../wallet/wallet.service.js';
import { csvFile, fileOf } from '../../shared/file-answer.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { DashboardPages } from '../dashboard-pages.js';
import { checkoutPath, WALLET } from '../paths.js';
import { autoPayPage } from './auto-pay-page.js';
import { topUpPage } from './top-up-page.js';
import { walletPage } from './wallet-page.js';
import { filterOf, PASSBOOK, type PassbookAsked } from '../../shared/passbook.js';

@DashboardPages()
export class WalletPagesController {
  constructor(
    private readonly wallet: WalletService,
    private readonly orders: ClientOrdersService,
    private readonly passbook: Passbook,
    private readonly payments: PaymentHistory,
    private readonly paying: ClientPaymentsService,
    private readonly gateway: PaymentGateway,
    private readonly transfers: BankTransfersService,
    private readonly autoPay: AutoPayService,
    private readonly statements: StatementsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  private get thisMonth(): Month {
    return monthAt(Date.now(), this.settings.timeZone);
  }

  @Get('wallet')
  async show(@Me() person: ClientPerson, @QueryReadBy(PASSBOOK.read) asked: PassbookAsked): Promise<Page> {
    const { clientId, timeZone } = person;
    const { chosen, mark } = asked;
    const thisMonth = monthAt(Date.now(), timeZone);
    const [funds, statement, page, since, payments, transfers, autoPay] = await Promise.all([
      this.wallet.funds(clientId),
      this.passbook.statement(clientId, periodOf(chosen.month ?? thisMonth, timeZone)),
      this.passbook.page(clientId, filterOf(chosen, timeZone), mark),
      this.passbook.since(clientId),
      this.payments.recent(clientId),
      this.transfers.recent(clientId),
      this.autoPay.showToClient(person),
    ]);
    const ordersShown = page.lines.flatMap(({ orderNumber }) => orderNumber ?? []);
    return walletPage({
      storeOrderIds: await this.orders.storeOrderIds(clientId, ordersShown),
      funds,
      statement,
      page,
      months: monthsBetween(since ? monthAt(since, timeZone) : thisMonth, thisMonth),
      payments,
      transfers,
      autoPay,
      mayPay: hasRole(person, 'buyer'),
      asked,
      currency: this.settings.currency,
    });
  }

  @Get('wallet.csv')
  file(
    @Me() { clientId, timeZone }: ClientPerson,
    @QueryReadBy(PASSBOOK.read) { chosen }: PassbookAsked,
  ): Promise<StreamableFile> {
    const rows = this.passbook.rows(clientId, filterOf(chosen, timeZone), timeZone, (numbers) =>
      this.orders.storeOrderIds(clientId, numbers),
    );
    return csvFile(`passbook-${chosen.month ?? dayAt(Date.now(), timeZone)}`, PASSBOOK_COLUMNS, rows);
  }

  @Get('wallet/statement.csv')
  async statementAsCsv(
    @Me() { clientId }: ClientPerson,
    @QueryReadBy(PASSBOOK.read) { chosen }: PassbookAsked,
  ): Promise<StreamableFile> {
    const { month = this.thisMonth } = chosen;
    const statement = await this.statements.ofMonth(clientId, month);
    const { columns, rows } = this.statements.sheetOf(statement);
    return csvFile(`statement-${month}`, columns, rows);
  }

  @Get('wallet/statement.pdf')
  async statementAsPdf(
    @Me() { clientId }: ClientPerson,
    @ForAsker() asker: Asker,
    @QueryReadBy(PASSBOOK.read) { chosen }: PassbookAsked,
  ): Promise<StreamableFile> {
    const { month = this.thisMonth } = chosen;
    const statement = await this.statements.ofMonth(clientId, month);
    return fileOf(`statement-${month}.pdf`, 'application/pdf', this.statements.pdfOf(statement, asker));
  }

  @Get('wallet/top-up')
  async showTopUp(@Me() person: ClientPerson): Promise<Page> {
    const { gateway, settings } = this;
    const bankDetails = await this.transfers.details();
    const mayPay = hasRole(person, 'buyer');
    return topUpPage({ gateway, bankDetails, mayPay, currency: settings.currency });
  }

  @PostForm('wallet/top-up')
  topUp(@Me() person: ClientPerson, @Texts('amount') { amount }: Texts<'amount'>): Promise<Reply> {
    return orAgain(
      async () => seeOther(checkoutPath((await this.paying.topUp(person, amount)).paymentId)),
      () => this.showTopUp(person),
    );
  }

  @PostForm('wallet/transfers')
  reportTransfer(
    @Me() person: ClientPerson,
    @Texts('sent', 'utr', 'payer') form: Texts<'sent' | 'utr' | 'payer'>,
  ): Promise<Reply> {
    return orAgain(
      async () => {
        const { amount } = await this.transfers.announceAs(person, form);
        const money = formatMoney(amount, this.settings.currency);
        const when = 'will be in your wallet when the wholesaler confirms the transfer.';
        return seeOther(WALLET, `Thank you. ${money} ${when}`);
      },
      () => this.showTopUp(person),
    );
  }

  @Post('wallet/transfers/:id/withdraw')
  async withdrawTransfer(@Me() person: ClientPerson, @Param('id') id: string): Promise<SeeOther> {
    await this.transfers.withdraw(person, id);
    return seeOther(WALLET, 'The transfer is withdrawn. You can report its UTR again.');
  }

  @Get('wallet/auto-pay')
  async showAutoPay(@Me() person: ClientPerson): Promise<Page> {
    const autoPay = await this.autoPay.showToClient(person);
    return autoPayPage({ autoPay, mayDecide: hasRole(person, 'owner'), currency: this.settings.currency });
  }

  @PostForm('wallet/auto-pay')
  async setAutoPay(
    @Me() person: ClientPerson,
    @BodyReadBy(readAutoPayForm) wish: AutoPayWish,
  ): Promise<Reply> {
    const done = wish.enabled ? 'Auto-pay is on. New orders are paid from the wallet.' : 'Auto-pay is off.';
    const set = async () => {
      await this.autoPay.setByClient(person, wish);
      return seeOther(WALLET, done);
    };
    return orAgain(set, () => this.showAutoPay(person), 'conflict');
  }
}

function readAutoPayForm(fields: FormFields): AutoPayWish {
  return {
    enabled: textIn(fields, 'enabled') === 'yes',
    orderCap: textIn(fields, 'orderCap'),
    dayCap: textIn(fields, 'dayCap'),
    shown: textIn(fields, 'shown'),
  };
}
