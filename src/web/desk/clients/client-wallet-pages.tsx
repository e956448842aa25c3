import { randomUUID } from 'node:crypto';
import { AmountField, Button, ButtonLink, Field, Form } from '../../../shared/ui/components/controls.js';
import { Notice } from '../../../shared/ui/components/layout.js';
import { moneyRenderer } from '../../../shared/ui/components/values.js';
import { formatMoney, formatMonth } from '../../../platform/formats.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import { type Minor, numericFromMinor } from '../../../platform/money/money.js';
import type { StatementMailing } from '../../../modules/notices/statement-mailing.js';
import type { Funds, ReferenceReview } from '../../../modules/wallet/wallet.service.js';
import { type DeskPerson, may } from '../../../platform/access/signed-in-person.js';
import { PassbookCard, type PassbookProps } from '../../shared/passbook.js';
import { type Effects, type Review, reviewedForm } from '../action.js';
import { BookCard } from '../money/books-pages.js';
import { RECORD } from '../money/transfers-pages.js';
import { acceptedIn, referenceWarnings } from '../money/reference-warnings.js';
import { clientPaths, MAIL_STATEMENTS, MONEY, NEW_TRANSFER, orderPath, paymentPath } from '../paths.js';
import { type ClientIdAndName, clientPage } from './client-page.js';

interface WalletProps extends PassbookProps {
  client: ClientIdAndName;
  funds: Funds;
  me: DeskPerson;
  /** The mail of its statement of the last month. Undefined if the service sends no mail. */
  mailing: StatementMailing | undefined;
}

export function clientWalletPage({ client, funds, me, mailing, ...passbook }: WalletProps): Page {
  const { wallet, adjust, payOut } = clientPaths(client.id);
  const { balance, reserved } = funds;
  const mayCorrect = may(me, 'correct wallets');
  const money = (minor: Minor) => formatMoney(minor, passbook.currency);
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
        <PassbookCard paths={{ wallet, order: orderPath, payment: paymentPath }} {...passbook} />
        <BookCard title="Ledger" action={`${MONEY}/ledgers/${client.id}`}>
          Invoices, notes, receipts and payments, as in Tally. Without days: this financial year.
        </BookCard>
      </>
    ),
  });
}

/** The form of a correction. Its review is the next page. */
export const adjustForm = ({ id, name }: ClientIdAndName, currency: string): Page =>
  reviewedForm({
    title: `Correct the wallet of ${name}`,
    lead: 'For mistakes and goodwill. Money that arrived belongs under Transfers, cheques and cash too.',
    back: { href: clientPaths(id).wallet, text: 'Wallet' },
    fields: (
      <>
        <AmountField
          label="Amount"
          name="amount"
          hint="With a minus to take money out, such as -12.50."
          currency={currency}
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

export const payoutForm = ({ id, name }: ClientIdAndName, currency: string): Page =>
  reviewedForm({
    title: `Record a payout to ${name}`,
    lead: 'For money that you sent to the client’s bank. A gateway payment is refunded on its own page.',
    back: { href: clientPaths(id).wallet, text: 'Wallet' },
    fields: (
      <>
        <AmountField label="Amount" name="amount" currency={currency} required />
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

interface Payout {
  client: ClientIdAndName;
  amount: Minor;
  note: string;
  funds: Funds;
  currency: string;
}

export function payoutReview({ client, amount, note, funds, currency }: Payout): Review {
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
    warnings: isEnough ? [] : [`The wallet has only ${formatMoney(funds.available, currency)} to take out.`],
    button: isEnough && `Record ${formatMoney(amount, currency)}`,
  };
}

interface Correction {
  client: ClientIdAndName;
  amount: Minor;
  reason: string;
  funds: Funds;
  /** The number of the last correction. */
  last: number;
  /** Other uses of the reference in its reason. */
  reference: ReferenceReview;
  currency: string;
}

export function adjustReview({
  client,
  amount,
  reason,
  funds,
  last,
  reference,
  currency,
}: Correction): Review {
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
      ...(isEnough ? [] : [`The wallet has only ${formatMoney(funds.available, currency)} to take out.`]),
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
}

/** The wallet before the change, for a review. */
export const fundsNow = ({ balance, reserved }: Funds, currency: string): Effects => ({
  'In the wallet now': moneyRenderer(currency)(balance),
  'Reserved for open payments': reserved > 0 && moneyRenderer(currency)(reserved),
});

/** The wallet before and after it pays this amount. */
export const fundsToPay = (funds: Funds, amount: Minor, currency: string): Effects => ({
  ...fundsNow(funds, currency),
  'In the wallet afterwards':
    funds.available < amount ? 'not enough to pay' : moneyRenderer(currency)(funds.balance - amount),
});
