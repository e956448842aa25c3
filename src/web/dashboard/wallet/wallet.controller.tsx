import { Get, Inject, Post, type StreamableFile } from '@nestjs/common';
import {
  AutoPayService,
  type ClientAutoPayView,
  formatAutoPayValues,
} from '../../../modules/orders/auto-pay/auto-pay.service.js';
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
import { checkoutPath, WALLET, AUTO_PAY, TOP_UP, TRANSFERS } from '../paths.js';
import { walletPage } from './wallet-page.js';
import { AmountField, Button, Choices, Form, CopyField } from '../../../shared/ui/components/controls.js';
import { Card, Facts, Notice, Empty } from '../../../shared/ui/components/layout.js';
import { ExactTime, Money } from '../../../shared/ui/components/values.js';
import { type Minor, numericFromMinor } from '../../../platform/money/money.js';
import type { ComponentChildren } from 'preact';
import { TestPayments } from '../../../modules/payments/payment-outcome-page.js';
import type { Detail } from '../../../platform/settings/details.js';
import { TransferFields } from '../../shared/transfer-fields.js';
import { Wholesaler } from '../home/help-page.js';

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
    return {
      title: 'Top up your wallet',
      lead: 'You pay orders from the wallet. Money that you do not spend stays there.',
      back: { href: WALLET, text: 'Wallet' },
      content: (
        <TopUpOptions
          gateway={this.gateway}
          bankDetails={await this.transfers.details()}
          mayPay={hasRole(me, 'buyer')}
          currency={this.settings.currency}
        />
      ),
    };
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
    const { currency } = this.settings;
    return {
      title: autoPay.enabledAt ? 'Auto-pay is on' : 'Auto-pay is off',
      lead: 'Auto-pay pays new orders from the wallet within seconds, so that they ship without delay.',
      back: { href: WALLET, text: 'Wallet' },
      content: (
        <div class="columns">
          <Card title="Current settings">
            <CurrentSettings autoPay={autoPay} currency={currency} />
          </Card>
          {hasRole(me, 'owner') ? (
            <Card title="Change settings">
              <SettingsForm autoPay={autoPay} currency={currency} />
            </Card>
          ) : (
            <Card title="Who can change this">
              <p>Only owners can turn auto-pay on or off, and set its limits.</p>
            </Card>
          )}
        </div>
      ),
    };
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

interface AutoPayProps {
  autoPay: ClientAutoPayView;
  currency: string;
}

const CurrentSettings = ({ autoPay, currency }: AutoPayProps) => {
  const { enabledAt, orderCap, dayCap, paidToday } = autoPay;
  return (
    <>
      <Facts
        of={{
          'Auto-pay': enabledAt ? (
            <>
              On since <ExactTime at={enabledAt} />
            </>
          ) : (
            'Off: orders wait for your payment'
          ),
          'Limit per order': <Cap cap={orderCap} currency={currency} />,
          'Limit per day': <Cap cap={dayCap} currency={currency} />,
          'Paid by auto-pay today': <Money minor={paidToday} currency={currency} />,
        }}
      />
      <p class="small">
        An order above a limit, or above the balance of the wallet, waits for your payment. Days begin at
        midnight.
      </p>
    </>
  );
};

const Cap = ({ cap, currency }: { cap: Minor | null; currency: string }) =>
  cap === null ? (
    <>No limit</>
  ) : (
    <>
      At most <Money minor={cap} currency={currency} />
    </>
  );

const SettingsForm = ({ autoPay, currency }: AutoPayProps) => (
  <Form action={AUTO_PAY} hidden={{ shown: formatAutoPayValues(autoPay) }}>
    {!autoPay.enabledAt && (
      <Notice kind="info">
        Auto-pay pays only orders placed after you turn it on. Pay earlier orders yourself.
      </Notice>
    )}
    <Choices
      label="New orders"
      name="enabled"
      value={autoPay.enabledAt ? 'yes' : 'no'}
      options={[
        { value: 'yes', text: 'are paid from the wallet at once' },
        { value: 'no', text: 'wait for your payment' },
      ]}
    />
    {(
      [
        ['Limit per order', 'orderCap'],
        ['Limit per day', 'dayCap'],
      ] as const
    ).map(([label, name]) => (
      <AmountField
        label={label}
        name={name}
        hint="Leave empty for no limit."
        value={autoPay[name] === null ? '' : numericFromMinor(autoPay[name])}
        currency={currency}
      />
    ))}
    <Button kind="primary">Save</Button>
  </Form>
);

interface TopUpProps {
  gateway: Pick<PaymentGateway, 'name' | 'isTest'>;
  bankDetails: readonly Detail[];
  mayPay: boolean;
  currency: string;
}

const TopUpOptions = ({ gateway, bankDetails, mayPay, currency }: TopUpProps) => {
  const hasGateway = gateway.name !== 'none';
  if (!mayPay) return <NoTopUp>Only buyers and owners can top up. Ask one of your owners.</NoTopUp>;
  if (!hasGateway && bankDetails.length === 0)
    return (
      <NoTopUp>
        <p>
          No payment gateway and no bank account is set up. Ask <Wholesaler /> how to pay.
        </p>
      </NoTopUp>
    );
  return (
    <div class="columns">
      {hasGateway && (
        <Card title="Through the payment gateway">
          {gateway.isTest && <TestPayments />}
          <p>By UPI, card or net banking. The money arrives when your bank confirms it.</p>
          <Form action={TOP_UP}>
            <AmountField label="Amount" name="amount" currency={currency} required />
            <Button kind="primary">Continue to the gateway</Button>
          </Form>
        </Card>
      )}
      {bankDetails.length > 0 && (
        <Card title="By bank transfer">
          <p>
            Send the money to this account. Then report the UTR, so that the wholesaler can match the
            transfer.
          </p>
          {bankDetails.map(({ label, value }, at) => (
            <CopyField id={`bank-${at}`} label={label} text={value} />
          ))}
          <Form action={TRANSFERS}>
            <TransferFields currency={currency} />
            <Button>Report the transfer</Button>
          </Form>
        </Card>
      )}
    </div>
  );
};

const NoTopUp = ({ children }: { children: ComponentChildren }) => (
  <Card>
    <Empty next={{ href: WALLET, text: 'Back to the wallet' }}>{children}</Empty>
  </Card>
);
