import { Get, Inject, Post, type StreamableFile } from '@nestjs/common';
import { AutoPayService } from '../../../modules/orders/auto-pay/auto-pay.service.js';
import { ClientOrdersService } from '../../../modules/orders/records/client-orders.service.js';
import { formatMoney } from '../../../shared/ui/formats.js';
import { orAgain, readTexts, textIn } from '../../../shared/ui/forms.js';
import { type Page, type SeeOther, seeOther, type Reply } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { BankTransfersService } from '../../../modules/payments/bank-transfers.service.js';
import { ClientPaymentsService } from '../../../modules/payments/client-payments.service.js';
import { PaymentGateway } from '../../../modules/payments/gateway/payment-gateway.js';
import { PaymentHistory } from '../../../modules/payments/payment-history.repository.js';
import { StatementsService } from '../../../modules/payments/statements.service.js';
import { ForAsker } from '../../../platform/access/access.decorators.js';
import { hasRole } from '../../../platform/access/signed-in-person.js';
import type { Asker } from '../../../platform/worker-threads/thread-owner.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt, type Month, monthAt, monthsBetween, periodOf } from '../../../platform/time/time.js';
import { PASSBOOK_COLUMNS, Passbook } from '../../../modules/wallet/passbook.repository.js';
import { WalletService } from '../../../modules/wallet/wallet.service.js';
import { csvFile, fileOf } from '../../shared/file-response.js';
import { filterOf, PASSBOOK } from '../../shared/passbook.js';
import { DashboardPages, Visit } from '../dashboard-pages.js';
import { checkoutPath, WALLET } from '../paths.js';
import { autoPayPage } from './auto-pay-page.js';
import { topUpPage } from './top-up-page.js';
import { walletPage } from './wallet-page.js';

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

  /** Months of the wallet match its statements, which the wholesaler sees too. */
  private get thisMonth(): Month {
    return monthAt(Date.now(), this.settings.timeZone);
  }

  @Get('wallet')
  async show(@Visit() { me, fields }: Visit): Promise<Page> {
    const { clientId } = me;
    const { timeZone } = this.settings;
    const asked = PASSBOOK.read(fields);
    const { chosen, mark } = asked;
    const { thisMonth } = this;
    const [funds, statement, found, since, payments, transfers, autoPay] = await Promise.all([
      this.wallet.funds(clientId),
      this.passbook.statement(clientId, periodOf(chosen.month ?? thisMonth, timeZone)),
      PASSBOOK.find((most) => this.passbook.newest(clientId, filterOf(chosen, timeZone), mark, most)),
      this.passbook.since(clientId),
      this.payments.recent(clientId),
      this.transfers.recent(clientId),
      this.autoPay.showToClient(me),
    ]);
    const ordersShown = found.rows.flatMap(({ orderNumber }) => orderNumber ?? []);
    return walletPage({
      storeOrderIds: await this.orders.storeOrderIds(clientId, ordersShown),
      funds,
      statement,
      found,
      months: monthsBetween(since ? monthAt(since, timeZone) : thisMonth, thisMonth),
      payments,
      transfers,
      autoPay,
      mayPay: hasRole(me, 'buyer'),
      asked,
      currency: this.settings.currency,
      timeZone,
      isOtherZone: me.timeZone !== timeZone,
    });
  }

  @Get('wallet.csv')
  file(@ForAsker() asker: Asker, @Visit() { me: { clientId }, fields }: Visit): Promise<StreamableFile> {
    const { timeZone } = this.settings;
    const { chosen } = PASSBOOK.read(fields);
    const rows = this.passbook.rows(clientId, filterOf(chosen, timeZone), timeZone, (numbers) =>
      this.orders.storeOrderIds(clientId, numbers),
    );
    return csvFile(asker, `passbook-${chosen.month ?? dayAt(Date.now(), timeZone)}`, PASSBOOK_COLUMNS, rows);
  }

  @Get('wallet/statement.csv')
  async statementAsCsv(@ForAsker() asker: Asker, @Visit() { me, fields }: Visit): Promise<StreamableFile> {
    const { month = this.thisMonth } = PASSBOOK.read(fields).chosen;
    const statement = await this.statements.ofMonth(me.clientId, month);
    const { columns, rows } = this.statements.sheetOf(statement);
    return csvFile(asker, `statement-${month}`, columns, rows);
  }

  @Get('wallet/statement.pdf')
  async statementAsPdf(@ForAsker() asker: Asker, @Visit() { me, fields }: Visit): Promise<StreamableFile> {
    const { month = this.thisMonth } = PASSBOOK.read(fields).chosen;
    const statement = await this.statements.ofMonth(me.clientId, month);
    return fileOf(
      asker,
      `statement-${month}.pdf`,
      'application/pdf',
      this.statements.pdfOf(statement, asker),
    );
  }

  @Get('wallet/top-up')
  async showTopUp(@Visit() { me }: Pick<Visit, 'me'>): Promise<Page> {
    const { gateway, settings } = this;
    const bankDetails = await this.transfers.details();
    const mayPay = hasRole(me, 'buyer');
    return topUpPage({ gateway, bankDetails, mayPay, currency: settings.currency });
  }

  @PostForm('wallet/top-up')
  topUp(@Visit() { me, fields }: Visit): Promise<Reply> {
    const topUp = async () => {
      const { paymentId } = await this.paying.topUp(me, textIn(fields, 'amount'));
      return seeOther(checkoutPath(paymentId));
    };
    return orAgain(topUp, () => this.showTopUp({ me }));
  }

  @PostForm('wallet/transfers')
  reportTransfer(@Visit() { me, fields }: Visit): Promise<Reply> {
    const report = async () => {
      const { amount } = await this.transfers.announceAs(me, readTexts('sent', 'utr', 'payer')(fields));
      const money = formatMoney(amount, this.settings.currency);
      const when = 'will be in your wallet when the wholesaler confirms the transfer.';
      return seeOther(WALLET, `Thank you. ${money} ${when}`);
    };
    return orAgain(report, () => this.showTopUp({ me }));
  }

  @Post('wallet/transfers/:id/withdraw')
  async withdrawTransfer(@Visit() { me, uuid }: Visit): Promise<SeeOther> {
    await this.transfers.withdraw(me, uuid);
    return seeOther(WALLET, 'The transfer is withdrawn. You can report its UTR again.');
  }

  @Get('wallet/auto-pay')
  async showAutoPay(@Visit() { me }: Pick<Visit, 'me'>): Promise<Page> {
    const autoPay = await this.autoPay.showToClient(me);
    return autoPayPage({ autoPay, mayDecide: hasRole(me, 'owner'), currency: this.settings.currency });
  }

  @PostForm('wallet/auto-pay')
  setAutoPay(@Visit() { me, fields }: Visit): Promise<Reply> {
    const wish = {
      ...readTexts('orderCap', 'dayCap', 'shown')(fields),
      enabled: textIn(fields, 'enabled') === 'yes',
    };
    const done = wish.enabled ? 'Auto-pay is on. New orders are paid from the wallet.' : 'Auto-pay is off.';
    const set = async () => {
      await this.autoPay.setByClient(me, wish);
      return seeOther(WALLET, done);
    };
    return orAgain(set, () => this.showAutoPay({ me }), 'conflict');
  }
}
