import { Get, Inject } from '@nestjs/common';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { StatementMailsService } from '../../../modules/notices/statement-mails.service.js';
import { ClientOrdersService } from '../../../modules/orders/records/client-orders.service.js';
import { formatMoney, formatMonth } from '../../../platform/formats.js';
import { redirectWithWarning, readTexts } from '../../../shared/ui/forms.js';
import { type Page, type Reply, withQuery } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { minorFromAmount, type Minor, numericFromMinor } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { addMonths, monthAt } from '../../../platform/time/time.js';
import { BankTransfersService, readPayout } from '../../../modules/payments/bank-transfers.service.js';
import { Passbook } from '../../../modules/wallet/passbook.repository.js';
import { readAdjustment, WalletService } from '../../../modules/wallet/wallet.service.js';
import { PASSBOOK, readPassbook } from '../../shared/passbook.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { clientPaths, MAIL_STATEMENTS, MONEY, NEW_TRANSFER, orderPath, paymentPath } from '../paths.js';
import { takeStep, reviewedForm } from '../action.js';
import { randomUUID } from 'node:crypto';
import { AmountField, Button, ButtonLink, Field, Form } from '../../../shared/ui/components/controls.js';
import { Notice } from '../../../shared/ui/components/layout.js';
import { moneyRenderer } from '../../../shared/ui/components/values.js';
import { may } from '../../../platform/access/signed-in-person.js';
import { BookCard } from '../money/books-pages.js';
import { RECORD } from '../money/transfers-pages.js';
import { fundsNow } from '../money/money-frame.js';
import { acceptedIn, referenceWarnings } from '../money/reference-warnings.js';
import { clientPage } from './client-page.js';

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
    const { passbook, orders } = this;
    const { currency, timeZone } = this.settings;
    const client = await this.clients.show(id);
    const { balance, reserved } = await this.wallets.funds(id);
    const { storeOrderIds, ...list } = await readPassbook(
      { passbook, orders },
      id,
      PASSBOOK.read(fields),
      timeZone,
    );
    const lastMonth = addMonths(monthAt(Date.now(), timeZone), -1);
    const mailing = this.settings.mail && (await this.mailings.preview(lastMonth, id));
    const { wallet, adjust, payOut } = clientPaths(id);
    const mayCorrect = may(me, 'correct wallets');
    const money = (minor: Minor) => formatMoney(minor, currency);
    return clientPage(client, wallet, may(me, 'manage people'), {
      title: `${money(balance)} in the wallet of ${client.name}`,
      lead: reserved > 0 && `${money(reserved)} of it is reserved for open payments.`,
      actions: (
        <>
          {mailing && mailing.toMail > 0 && (
            <Form action={MAIL_STATEMENTS} hidden={{ month: mailing.month, client: String(client.id) }} bare>
              <Button>Mail the statement of {formatMonth(mailing.month)}</Button>
            </Form>
          )}
          <ButtonLink href={withQuery(NEW_TRANSFER, { client: String(client.id) })}>{RECORD}</ButtonLink>
          {mayCorrect && <ButtonLink href={payOut}>Record a payout</ButtonLink>}
          {mayCorrect && <ButtonLink href={adjust}>Correct the wallet</ButtonLink>}
        </>
      ),
      content: (
        <>
          {!mayCorrect && <Notice kind="info">Only admins can record a payout or correct the wallet.</Notice>}
          {PASSBOOK.card({
            ...list,
            title: 'Passbook',
            path: wallet,
            context: { paths: { order: orderPath, payment: paymentPath }, storeOrderIds, currency },
          })}
          <BookCard title="Ledger" action={`${MONEY}/ledgers/${client.id}`}>
            Invoices, notes, receipts and payments, as in Tally. Without days: this financial year.
          </BookCard>
        </>
      ),
    });
  }

  @Get('pay-out')
  async askPayout(@DeskPageRequest() { id }: Pick<DeskPageRequest, 'id'>): Promise<Page> {
    const { name } = await this.clients.show(id);
    return reviewedForm({
      title: `Record a payout to ${name}`,
      lead: 'For money that you sent to the client’s bank. A gateway payment is refunded on its own page.',
      back: { href: clientPaths(id).wallet, text: 'Wallet' },
      fields: (
        <>
          <AmountField label="Amount" name="amount" currency={this.settings.currency} required />
          <Field
            label="UTR"
            name="reference"
            hint="The bank’s number for the transfer."
            maxlength={40}
            required
          />
          <Field label="Day on the bank statement" name="date" type="date" hint="Empty: today." />
          <Field
            label="Account that got it"
            name="bank"
            hint="The client reads it in the passbook."
            maxlength={100}
          />
        </>
      ),
    });
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
        const { amount, note } = readPayout(form, timeZone);
        const [client, funds] = await Promise.all([this.clients.show(id), this.wallets.funds(id)]);
        const sum = moneyRenderer(currency);
        const isEnough = funds.available >= amount;
        return {
          title: `Pay ${formatMoney(amount, currency)} out of the wallet of ${client.name}?`,
          lead: 'An entry stays for good. If the bank returns the money, record it as a new transfer.',
          sums: true,
          effects: {
            ...fundsNow(funds, currency),
            Payout: sum(-amount, true),
            'In the wallet afterwards': isEnough && sum(funds.balance - amount),
            Reference: note,
          },
          warnings: isEnough
            ? []
            : [`The wallet has only ${formatMoney(funds.available, currency)} to take out.`],
          button: isEnough && `Record ${formatMoney(amount, currency)}`,
        };
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
    const { name } = await this.clients.show(id);
    return reviewedForm({
      title: `Correct the wallet of ${name}`,
      lead: 'For mistakes and goodwill. Money that arrived belongs under Transfers, cheques and cash too.',
      back: { href: clientPaths(id).wallet, text: 'Wallet' },
      fields: (
        <>
          <AmountField
            label="Amount"
            name="amount"
            hint="With a minus to take money out, such as -12.50."
            currency={this.settings.currency}
            required
          />
          <Field
            label="Reason"
            name="reason"
            hint="The client reads it in the passbook."
            maxlength={200}
            required
          />
        </>
      ),
    });
  }

  /** Shows a review, then corrects the wallet. */
  @PostForm('adjust')
  adjust(@DeskPageRequest() { me, id, fields }: DeskPageRequest): Promise<Reply> {
    const { currency } = this.settings;
    const { wallet } = clientPaths(id);
    const typed = readAdjust(fields);
    return takeStep(fields, {
      back: { href: wallet, text: 'Wallet' },
      form: () => this.askAdjust({ id }),
      review: async () => {
        const { amount, reason } = readAdjustment(typed.amount, typed.reason);
        const [client, funds, last, reference] = await Promise.all([
          this.clients.show(id),
          this.wallets.funds(id),
          this.wallets.lastAdjustment(id),
          this.wallets.reviewReference(reason, amount),
        ]);
        const money = formatMoney(Math.abs(amount), currency);
        const what = amount > 0 ? `Add ${money} to the wallet` : `Take ${money} out of the wallet`;
        const isEnough = funds.available + amount >= 0;
        const sum = moneyRenderer(currency);
        return {
          title: `${what} of ${client.name}?`,
          lead: 'An entry stays for good. Only another correction can undo it.',
          sums: true,
          effects: {
            ...fundsNow(funds, currency),
            Correction: sum(amount, true),
            'In the wallet afterwards': isEnough && sum(funds.balance + amount),
            Reason: reason,
          },
          warnings: [
            ...(isEnough
              ? []
              : [`The wallet has only ${formatMoney(funds.available, currency)} to take out.`]),
            ...(amount > 0 ? referenceWarnings(reference) : []),
          ],
          reviewedFields: {
            key: randomUUID(),
            last: String(last),
            amount: numericFromMinor(amount),
            reason,
            shared: acceptedIn(reference),
          },
          button: isEnough && !(amount > 0 && reference.isRepeated) && what,
        };
      },
      run: () =>
        redirectWithWarning(wallet, ['conflict', 'insufficient_balance'], async () => {
          const form = { key: typed.key, last: Number(typed.last), acceptedUses: typed.shared.split(' ') };
          const { balance } = await this.wallets.adjust(id, typed.amount, typed.reason, me, form);
          return `The wallet now holds ${formatMoney(minorFromAmount(balance), currency)}.`;
        }),
    });
  }
}
