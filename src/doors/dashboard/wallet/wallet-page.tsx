import type { ComponentChildren } from 'preact';
import type { ClientAutoPayShown } from '../../../orders/auto-pay/auto-pay.service.js';
import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Icon } from '../../../pages/components/icon.js';
import { Card, Empty } from '../../../pages/components/layout.js';
import { Pager } from '../../../pages/components/lists.js';
import { type Column, Table } from '../../../pages/components/table.js';
import { ExactTime, Money } from '../../../pages/components/values.js';
import { formatMoney } from '../../../pages/format-money.js';
import type { Page } from '../../../pages/page.js';
import { lookAgain } from '../../../pages/times.js';
import type { RecentPayment } from '../../../payments/client-payments.repository.js';
import { isUnderway } from '../../../payments/rules/payment-status.js';
import type { ClientTransfer } from '../../../payments/bank-transfers.service.js';
import type { Minor } from '../../../platform/money/money.js';
import type { PassbookLine, PassbookPage, Statement } from '../../../wallet/passbook.repository.js';
import type { PostingKind } from '../../../wallet/rules/posting.js';
import { orderPath, paymentPath } from '../paths.js';
import { monthsBetween, nameOf } from './months.js';
import { ComingIn, WalletTiles } from './wallet-cards.js';
import { AUTO_PAY, type Chosen, TOP_UP, WALLET, walletFilePath, walletPath } from './wallet-query.js';

interface Props {
  balance: Minor;
  /** For the chosen month, otherwise for this month. */
  statement: Statement;
  page: PassbookPage;
  /** The first use of the wallet. */
  since: Date;
  payments: RecentPayment[];
  transfers: ClientTransfer[];
  autoPay: ClientAutoPayShown;
  mayPay: boolean;
  chosen: Chosen;
  before: number | undefined;
  currency: string;
}

export function walletPage(props: Props): Page {
  const { balance, currency, autoPay, mayPay, payments, transfers } = props;
  return {
    title: `${formatMoney(balance, currency)} in your wallet`,
    lead: autoPay.enabledAt
      ? 'Auto-pay pays new orders from it, within your limits. Refunds come back to it.'
      : 'You pay your orders from it. Refunds come back to it.',
    actions: (
      <>
        <ButtonLink href={AUTO_PAY}>Auto-pay is {autoPay.enabledAt ? 'on' : 'off'}</ButtonLink>
        {mayPay && (
          <ButtonLink href={TOP_UP} kind="primary">
            Top up
          </ButtonLink>
        )}
      </>
    ),
    // Refreshes while money is on its way. The first payment is the newest.
    refreshSeconds: lookAgain(payments.find(({ status }) => isUnderway(status))?.createdAt ?? null),
    content: (
      <>
        <WalletTiles {...props} />
        <ComingIn payments={payments} transfers={transfers} mayPay={mayPay} currency={currency} />
        <PassbookCard {...props} />
      </>
    ),
  };
}

const PassbookCard = ({ page, since, chosen, before, currency }: Props) => (
  <Card
    title="Passbook"
    flush
    actions={
      <>
        <Choice chosen={chosen} since={since} />
        <ButtonLink href={walletFilePath(chosen)} download>
          <Icon name="download" />
          CSV
        </ButtonLink>
      </>
    }
  >
    {page.lines.length === 0 ? (
      <NoLines chosen={chosen} />
    ) : (
      <Table caption="Passbook, newest first" columns={columnsIn(currency)} rows={page.lines} />
    )}
    <Pager
      newest={before === undefined ? undefined : walletPath(chosen)}
      older={page.older === undefined ? undefined : walletPath(chosen, page.older)}
    />
  </Card>
);

const Choice = ({ chosen, since }: { chosen: Chosen; since: Date }) => (
  <form class="choose-part" action={WALLET}>
    <select name="kind" aria-label="Kind of entry">
      <option value="">All entries</option>
      {Object.entries(KINDS).map(([kind, text]) => (
        <option value={kind} selected={kind === chosen.kind}>
          {text}
        </option>
      ))}
    </select>
    <select name="month" aria-label="Month">
      <option value="">All months</option>
      {monthsBetween(since, new Date()).map((month) => (
        <option value={month} selected={month === chosen.month}>
          {nameOf(month)}
        </option>
      ))}
    </select>
    <Button>Show</Button>
  </form>
);

const NoLines = ({ chosen: { kind, month } }: { chosen: Chosen }) =>
  kind || month ? (
    <Empty action={<ButtonLink href={WALLET}>Show all entries</ButtonLink>}>
      No entries match{month === undefined ? '' : ` in ${nameOf(month)}`}.
    </Empty>
  ) : (
    <Empty>No entries yet. Top-ups, payments and refunds appear here.</Empty>
  );

function columnsIn(currency: string): Column<PassbookLine>[] {
  return [
    {
      heading: 'Entry',
      as: 'title',
      cell: (line) => (
        <>
          {wordsFor(line)}
          <small>{referencesOf(line)}</small>
        </>
      ),
    },
    { heading: 'When', cell: ({ at }) => <ExactTime at={at} /> },
    {
      heading: 'Amount',
      align: 'end',
      as: 'amount',
      cell: ({ amount }) => <Money minor={amount} currency={currency} signed />,
    },
    {
      heading: 'Balance',
      align: 'end',
      cell: ({ balanceAfter }) => <Money minor={balanceAfter} currency={currency} />,
    },
  ];
}

export const KINDS: Record<PostingKind, string> = {
  top_up: 'Paid in',
  order_payment: 'Orders paid',
  order_refund: 'Orders refunded',
  payout: 'Sent back',
  payout_failed: 'Could not be sent back',
  adjustment: 'Corrections',
};

const WORDS: Record<Exclude<PostingKind, 'top_up'>, string> = {
  order_payment: 'Order paid',
  order_refund: 'Order refunded',
  payout: 'Sent back to where it came from',
  payout_failed: 'Could not be sent back',
  adjustment: 'Corrected by the wholesaler',
};

export function wordsFor({ kind, against, orderNumber }: PassbookLine): string {
  if (kind !== 'top_up') return WORDS[kind];
  if (against === 'gateway') return 'Paid in through the gateway';
  return orderNumber === null ? 'Bank transfer' : 'Paid in for an order';
}

/** An order, a payment, a transfer's number or a reason. */
export function referencesOf({ orderNumber, paymentId, note }: PassbookLine): ComponentChildren {
  return (
    <>
      {orderNumber !== null && <a href={orderPath(orderNumber)}>{orderNumber}</a>}
      {paymentId !== null && <a href={paymentPath(paymentId)}>Payment {paymentId.slice(0, 8)}</a>}
      {(orderNumber !== null || paymentId !== null) && note !== null && ' · '}
      {note}
    </>
  );
}
