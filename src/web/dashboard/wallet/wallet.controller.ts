import { Get, Inject, Post, type StreamableFile } from '@nestjs/common';
import { AutoPayService } from '../../../modules/orders/auto-pay/auto-pay.service.js';
import { ClientOrdersService } from '../../../modules/orders/records/client-orders.service.js';
import { formatMoney } from '../../../platform/formats.js';
import { fileMonthIn, submitForm, readTexts, textIn } from '../../../shared/ui/forms.js';
import { type Page, type SeeOther, seeOther, type Reply } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { BankTransfersService } from '../../../modules/payments/bank-transfers.service.js';
import { ClientPaymentsService } from '../../../modules/payments/client-payments.service.js';
import { PaymentGateway } from '../../../modules/payments/gateway/payment-gateway.js';
import { PaymentHistory } from '../../../modules/payments/payment-history.repository.js';
import { formatParties } from '../../../modules/payments/statement-pdf.js';
import { StatementsService } from '../../../modules/payments/statements.service.js';
import { hasRole } from '../../../platform/access/signed-in-person.js';
import { resolveAll } from '../../../platform/resolve-all.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { dayAt, type Month, monthAt, periodOf } from '../../../platform/time/time.js';
import { PASSBOOK_COLUMNS, Passbook } from '../../../modules/wallet/passbook.repository.js';
import { WalletService } from '../../../modules/wallet/wallet.service.js';
import { fileResponse, PDF } from '../../../platform/http/file-response.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { passbookFilter, PASSBOOK, readPassbook } from '../../shared/passbook.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
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
    private readonly clientPayments: ClientPaymentsService,
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
  async show(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Page> {
    const { clientId } = me;
    const { timeZone } = this.settings;
    const { passbook, orders } = this;
    const query = PASSBOOK.read(fields);
    const { month } = query.selected;
    const data = await resolveAll({
      funds: this.wallet.funds(clientId),
      totals: passbook.statement(clientId, periodOf(month ?? this.thisMonth, timeZone)),
      list: readPassbook({ passbook, orders }, clientId, query, timeZone),
      payments: this.payments.recent(clientId),
      transfers: this.transfers.recent(clientId),
      autoPay: this.autoPay.showToClient(me),
    });
    return walletPage({
      ...data,
      parties: month ? formatParties(await this.statements.partiesOf(clientId, month)) : [],
      mayPay: hasRole(me, 'buyer'),
      currency: this.settings.currency,
      timeZone,
      isOtherZone: me.timeZone !== timeZone,
    });
  }

  @Get('wallet.csv')
  file(@ClientPageRequest() { owner, me: { clientId }, fields }: ClientPageRequest): Promise<StreamableFile> {
    const { timeZone } = this.settings;
    const { selected } = PASSBOOK.read(fields);
    const rows = this.passbook.rows(clientId, passbookFilter(selected, timeZone), timeZone, (numbers) =>
      this.orders.storeOrderIds(clientId, numbers),
    );
    return csvResponse(
      owner,
      `passbook-${selected.month ?? dayAt(Date.now(), timeZone)}`,
      PASSBOOK_COLUMNS,
      rows,
    );
  }

  @Get('wallet/statement.csv')
  async statementAsCsv(
    @ClientPageRequest() { owner, me, fields }: ClientPageRequest,
  ): Promise<StreamableFile> {
    const month = fileMonthIn(fields) ?? this.thisMonth;
    const statement = await this.statements.ofMonth(me.clientId, month);
    const { columns, rows } = this.statements.spreadsheetOf(statement);
    return csvResponse(owner, `statement-${month}`, columns, rows);
  }

  @Get('wallet/statement.pdf')
  async statementAsPdf(
    @ClientPageRequest() { owner, me, fields }: ClientPageRequest,
  ): Promise<StreamableFile> {
    const month = fileMonthIn(fields) ?? this.thisMonth;
    const statement = await this.statements.ofMonth(me.clientId, month);
    return fileResponse(owner, `statement-${month}.pdf`, PDF, this.statements.pdfOf(statement, owner));
  }

  @Get('wallet/top-up')
  async showTopUp(@ClientPageRequest() { me }: Pick<ClientPageRequest, 'me'>): Promise<Page> {
    const { gateway, settings } = this;
    const bankDetails = await this.transfers.details();
    const mayPay = hasRole(me, 'buyer');
    return topUpPage({ gateway, bankDetails, mayPay, currency: settings.currency });
  }

  @PostForm('wallet/top-up')
  topUp(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Reply> {
    const topUp = async () => {
      const { paymentId } = await this.clientPayments.topUp(me, textIn(fields, 'amount'));
      return seeOther(checkoutPath(paymentId));
    };
    return submitForm(topUp, () => this.showTopUp({ me }));
  }

  @PostForm('wallet/transfers')
  reportTransfer(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Reply> {
    const report = async () => {
      const { amount, tds, isKnown } = await this.transfers.announceAs(
        me,
        readTexts('sent', 'tds', 'utr', 'payer')(fields),
      );
      const money = formatMoney(amount + tds, this.settings.currency);
      const when = 'will be in your wallet when the wholesaler confirms the transfer.';
      const thanks = isKnown ? 'You reported this transfer before, so nothing was added.' : 'Thank you.';
      return seeOther(WALLET, `${thanks} ${money} ${when}`);
    };
    return submitForm(report, () => this.showTopUp({ me }));
  }

  @Post('wallet/transfers/:id/withdraw')
  async withdrawTransfer(@ClientPageRequest() { me, idText }: ClientPageRequest): Promise<SeeOther> {
    await this.transfers.withdraw(me, idText);
    return seeOther(WALLET, 'The transfer is withdrawn. You can report its UTR again.');
  }

  @Get('wallet/auto-pay')
  async showAutoPay(@ClientPageRequest() { me }: Pick<ClientPageRequest, 'me'>): Promise<Page> {
    const autoPay = await this.autoPay.showToClient(me);
    return autoPayPage({ autoPay, mayDecide: hasRole(me, 'owner'), currency: this.settings.currency });
  }

  @PostForm('wallet/auto-pay')
  setAutoPay(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Reply> {
    const settings = {
      ...readTexts('orderCap', 'dayCap')(fields),
      reviewedValues: textIn(fields, 'shown'),
      enabled: textIn(fields, 'enabled') === 'yes',
    };
    const notice = settings.enabled
      ? 'Auto-pay is on. New orders are paid from the wallet.'
      : 'Auto-pay is off.';
    const set = async () => {
      await this.autoPay.setByClient(me, settings);
      return seeOther(WALLET, notice);
    };
    return submitForm(set, () => this.showAutoPay({ me }));
  }
}
