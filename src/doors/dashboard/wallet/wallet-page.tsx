import type { ComponentChildren } from 'preact';
import type { ClientAutoPayShown } from '../../../orders/auto-pay/auto-pay.service.js';
import { Button, ButtonLink, DownloadLink, FilterSelect } from '../../../pages/components/controls.js';
import { Empty, Facts } from '../../../pages/components/layout.js';
import { amounts, type Column, ListCard, Pager } from '../../../pages/components/lists.js';
import { ExactTime, Money, Named } from '../../../pages/components/values.js';
import { formatMoney, lookAgain, nameOfMonth } from '../../../pages/formats.js';
import type { Page } from '../../../pages/page.js';
import type { RecentPayment } from '../../../payments/client-payments.repository.js';
import type { Month } from '../../../platform/time/time.js';
import { isUnderway } from '../../../payments/rules/payment-status.js';
import { wordsFor } from '../../../payments/statements.service.js';
import type { ClientTransfer } from '../../../payments/bank-transfers.service.js';
import type { PassbookLine, PassbookPage, Statement } from '../../../wallet/passbook.repository.js';
import type { Funds } from '../../../wallet/wallet.service.js';
import type { PostingKind } from '../../../wallet/rules/posting.js';
import { AUTO_PAY, orderPath, paymentPath, TOP_UP, WALLET } from '../paths.js';
import { ComingIn, WalletTiles } from './wallet-cards.js';
import { type Chosen, statementPath, walletFilePath, walletPath } from './wallet-query.js';

interface Props {
  funds: Funds;
  /** For the chosen month, otherwise for this month. */
  statement: Statement;
  page: PassbookPage;
  /** The store's own ids of the orders on the page. */
  storeOrderIds: Map<string, string>;
  /** The months since the first use of the wallet, latest first. */
  months: Month[];
  payments: RecentPayment[];
  transfers: ClientTransfer[];
  autoPay: ClientAutoPayShown;
  mayPay: boolean;
  chosen: Chosen;
  before: number | undefined;
  currency: string;
}

export function walletPage(props: Props): Page {
  const { funds, currency, autoPay, mayPay, payments, transfers } = props;
  return {
    title: `${formatMoney(funds.balance, currency)} in your wallet`,
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
        <OnPaper {...props} />
        <PassbookCard {...props} />
      </>
    ),
  };
}

/** On paper: the period of the entries below, and the balances before and after them. */
const OnPaper = ({ page: { lines, older }, statement, chosen: { month, kind }, before, currency }: Props) => {
  const [newest, oldest] = [lines[0], lines.at(-1)];
  const isWhole = month !== undefined && before === undefined && older === undefined;
  if (!isWhole && (!newest || !oldest)) return null;
  const [opening, closing] =
    isWhole || !newest || !oldest
      ? [statement.opening, statement.closing]
      : [oldest.balanceAfter - oldest.amount, newest.balanceAfter];
  return (
    <div class="paper">
      <Facts
        of={{
          Passbook: isWhole ? (
            nameOfMonth(month)
          ) : (
            <>
              <ExactTime at={oldest!.at} /> to <ExactTime at={newest!.at} />
            </>
          ),
          Entries: kind && `Only: ${KINDS[kind]}`,
          'Opening balance': <Money minor={opening} currency={currency} />,
          'Closing balance': <Money minor={closing} currency={currency} />,
        }}
      />
    </div>
  );
};

const PassbookCard = ({ page, storeOrderIds, months, chosen, before, currency }: Props) => (
  <ListCard
    title="Passbook"
    caption="Passbook, newest first"
    actions={
      <>
        <Filter chosen={chosen} months={months} />
        <DownloadLink href={walletFilePath(chosen)}>CSV</DownloadLink>
        {chosen.month !== undefined && (
          <>
            <DownloadLink href={statementPath(chosen.month, 'pdf')}>Statement (PDF)</DownloadLink>
            <DownloadLink href={statementPath(chosen.month, 'csv')}>Statement (CSV)</DownloadLink>
          </>
        )}
      </>
    }
    columns={columnsIn(currency, storeOrderIds)}
    rows={page.lines}
    empty={<NoLines chosen={chosen} />}
    pager={
      <Pager
        newest={before === undefined ? undefined : walletPath(chosen)}
        older={page.older === undefined ? undefined : walletPath(chosen, page.older)}
      />
    }
  />
);

const Filter = ({ chosen, months }: Pick<Props, 'chosen' | 'months'>) => (
  <form class="choose-part" action={WALLET}>
    <FilterSelect
      name="kind"
      label="Kind of entry"
      all="All entries"
      options={Object.entries(KINDS).map(([value, text]) => ({ value, text }))}
      chosen={chosen.kind}
    />
    <FilterSelect
      name="month"
      label="Month"
      all="All months"
      options={months.map((month) => ({ value: month, text: nameOfMonth(month) }))}
      chosen={chosen.month}
    />
    <Button>Show</Button>
  </form>
);

const NoLines = ({ chosen: { kind, month } }: Pick<Props, 'chosen'>) =>
  kind || month ? (
    <Empty next={{ href: WALLET, text: 'Show all entries' }}>
      {`No entries match${month === undefined ? '' : ` in ${nameOfMonth(month)}`}.`}
    </Empty>
  ) : (
    <Empty>No entries yet. Top-ups, payments and refunds appear here.</Empty>
  );

function columnsIn(currency: string, storeOrderIds: Map<string, string>): Column<PassbookLine>[] {
  return [
    {
      heading: 'Entry',
      as: 'title',
      cell: (line) => <Named detail={referencesOf(line, storeOrderIds)}>{wordsFor(line)}</Named>,
    },
    { heading: 'When', cell: ({ at }) => <ExactTime at={at} /> },
    {
      heading: 'Amount',
      align: 'end',
      as: 'amount',
      cell: ({ amount }) => <Money minor={amount} currency={currency} signed />,
    },
    amounts('Balance', currency, ({ balanceAfter }) => balanceAfter),
  ];
}

const KINDS: Record<PostingKind, string> = {
  top_up: 'Paid in',
  order_payment: 'Orders paid',
  order_refund: 'Orders refunded',
  payout: 'Sent back',
  payout_failed: 'Could not be sent back',
  adjustment: 'Corrections',
};

/** An order with the store's own id, a payment, a transfer's number or a reason. */
function referencesOf(
  { orderNumber, paymentId, note }: PassbookLine,
  storeOrderIds: Map<string, string>,
): ComponentChildren {
  const storeOrderId = orderNumber === null ? undefined : storeOrderIds.get(orderNumber);
  return (
    <>
      {orderNumber !== null && <a href={orderPath(orderNumber)}>{orderNumber}</a>}
      {storeOrderId !== undefined && ` · ${storeOrderId}`}
      {paymentId !== null && <a href={paymentPath(paymentId)}>Payment {paymentId.slice(0, 8)}</a>}
      {(orderNumber !== null || paymentId !== null) && note !== null && ' · '}
      {note}
    </>
  );
}
