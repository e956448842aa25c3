import type { ComponentChildren } from 'preact';
import type { ClientAutoPayShown } from '../../../modules/orders/auto-pay/auto-pay.service.js';
import { Button, ButtonLink, DownloadLink, Form } from '../../../shared/ui/components/controls.js';
import { Facts, Tile, Tiles } from '../../../shared/ui/components/layout.js';
import { amounts, type Column, ListCard, times, titles } from '../../../shared/ui/components/lists.js';
import { ExactTime, Money, StateLabel } from '../../../shared/ui/components/values.js';
import { countOf, formatMoney, lookAgain, nameOfMonth } from '../../../shared/ui/formats.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import type { ClientTransfer } from '../../../modules/payments/bank-transfers.service.js';
import type { RecentPayment } from '../../../modules/payments/payment-history.repository.js';
import { isUnderway, type TransferStatus } from '../../../modules/payments/rules/payment-status.js';
import type { Minor } from '../../../platform/money/money.js';
import type { TimeZone } from '../../../platform/time/time.js';
import type { Statement } from '../../../modules/wallet/passbook.repository.js';
import type { Funds } from '../../../modules/wallet/wallet.service.js';
import { PaymentState } from '../../shared/order-cards.js';
import { KINDS, PassbookCard, type PassbookPaths, type PassbookShown } from '../../shared/passbook.js';
import { AUTO_PAY, checkoutPath, orderPath, paymentPath, TOP_UP, TRANSFERS, WALLET } from '../paths.js';
import { GiveUp } from '../paying/payment-pages.js';

interface Props extends PassbookShown {
  funds: Funds;
  /** The totals of the selected month, or of this month. */
  statement: Statement;
  payments: RecentPayment[];
  transfers: ClientTransfer[];
  autoPay: ClientAutoPayShown;
  mayPay: boolean;
  /** The zone of the statements. */
  timeZone: TimeZone;
  /** The person's other pages use another time zone. */
  isOtherZone: boolean;
}

export function walletPage(props: Props): Page {
  const { funds, currency, autoPay, mayPay, payments, timeZone, isOtherZone } = props;
  return {
    title: `${formatMoney(funds.balance, currency)} in your wallet`,
    lead: [
      autoPay.enabledAt
        ? 'Auto-pay pays new orders from it, within your limits. Refunds come back to it.'
        : 'You pay your orders from it. Refunds come back to it.',
      ...(isOtherZone
        ? [`Times and months here are in the time zone ${timeZone}, as on your statements.`]
        : []),
    ].join(' '),
    timeZone,
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
        <ComingIn {...props} />
        <OnPaper {...props} />
        <PassbookCard paths={PATHS} files={<Files {...props} />} {...props} />
      </>
    ),
  };
}

/** For printing: the period of the entries below, and the balances before and after them. */
const OnPaper = ({ found: { rows: lines, last }, statement, asked, currency }: Props) => {
  const { month, kind } = asked.chosen;
  const [newest, oldest] = [lines[0], lines.at(-1)];
  const isWhole = month !== undefined && asked.mark === undefined && last === undefined;
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

const PATHS: PassbookPaths = { wallet: WALLET, order: orderPath, payment: paymentPath };

const Files = ({ asked }: Props) => {
  const { kind, month } = asked.chosen;
  return (
    <>
      <DownloadLink href={withQuery(`${WALLET}.csv`, { kind, month })}>CSV</DownloadLink>
      {month !== undefined && (
        <>
          <DownloadLink href={withQuery(`${WALLET}/statement.pdf`, { month })}>Statement (PDF)</DownloadLink>
          <DownloadLink href={withQuery(`${WALLET}/statement.csv`, { month })}>Statement (CSV)</DownloadLink>
        </>
      )}
    </>
  );
};

/** The current figures, or the figures of the selected month. */
const WalletTiles = (props: Props) => {
  const { funds, statement, asked, currency } = props;
  const { chosen } = asked;
  const name = chosen.month && nameOfMonth(chosen.month);
  const month = name === undefined ? 'this month' : `in ${name}`;
  const spare =
    funds.reserved > 0
      ? `${formatMoney(funds.reserved, currency)} reserved for open payments`
      : 'to pay orders from';
  const tile = (label: string, note: string, minor: Minor) => (
    <Tile label={label} note={note}>
      <Money minor={minor} currency={currency} />
    </Tile>
  );
  return (
    <Tiles>
      {name ? tile('Opening balance', name, statement.opening) : tile('In the wallet', spare, funds.balance)}
      {tile(`Received ${month}`, 'top-ups and refunds', statement.moneyIn)}
      {tile(`Spent ${month}`, 'orders and payouts', statement.moneyOut)}
      {name ? tile('Closing balance', name, statement.closing) : <OnItsWay {...props} />}
    </Tiles>
  );
};

type Sent = Pick<Props, 'payments' | 'transfers'>;

/** Money that the client has sent. Other payments may never bring any. */
const onItsWay = ({ payments, transfers }: Sent) => ({
  payments: payments.filter(({ authorized }) => authorized),
  transfers: transfers.filter(({ status }) => status === 'announced'),
});

const OnItsWay = ({ currency, ...props }: Sent & Pick<Props, 'currency'>) => {
  const { payments, transfers } = onItsWay(props);
  const coming = [...payments, ...transfers];
  return (
    <Tile
      label="On its way"
      note={coming.length === 0 ? 'nothing' : countOf(coming.length, 'payment', 'payments')}
    >
      <Money minor={coming.reduce((sum, { amount }) => sum + amount, 0)} currency={currency} />
    </Tile>
  );
};

/** Money that has not arrived, or failed to. */
interface Coming {
  what: string;
  reference: ComponentChildren;
  since: Date;
  state: ComponentChildren;
  amount: Minor;
  action?: ComponentChildren;
}

/** Confirmed transfers are in the passbook. Withdrawn transfers are not shown. */
const TRANSFER_STATES: Partial<Record<TransferStatus, ComponentChildren>> = {
  announced: <StateLabel kind="info">Waiting for the wholesaler</StateLabel>,
  refused: <StateLabel kind="bad">Refused</StateLabel>,
};

const ComingIn = ({ payments, transfers, mayPay, currency }: Props) => {
  const coming = onItsWay({ payments, transfers });
  const rowsOf = (some: Sent) => [
    ...some.payments.map((payment) => paymentRow(payment, mayPay)),
    ...some.transfers.map((transfer) => transferRow(transfer, mayPay)),
  ];
  const unfinished = {
    payments: payments.filter((payment) => !coming.payments.includes(payment)),
    transfers: transfers.filter(({ status }) => status === 'refused'),
  };
  return (
    <>
      <Rows title="On its way" rows={rowsOf(coming)} currency={currency} />
      <Rows title="Not finished" rows={rowsOf(unfinished)} currency={currency} />
    </>
  );
};

const Rows = ({ title, rows, currency }: { title: string; rows: readonly Coming[]; currency: string }) =>
  rows.length > 0 && <ListCard title={title} columns={columnsIn(currency)} rows={rows} />;

function paymentRow(payment: RecentPayment, mayPay: boolean): Coming {
  const { paymentId, status, authorized, orders, createdAt, amount } = payment;
  return {
    what: orders === 0 ? 'Top-up through the gateway' : `Payment of ${countOf(orders, 'order', 'orders')}`,
    reference: <a href={paymentPath(paymentId)}>Payment {paymentId.slice(0, 8)}</a>,
    since: createdAt,
    state: <PaymentState payment={payment} />,
    amount,
    action: status === 'open' && !authorized && mayPay && (
      <div class="actions">
        <GiveUp paymentId={paymentId} />
        <ButtonLink href={checkoutPath(paymentId)}>Continue</ButtonLink>
      </div>
    ),
  };
}

function transferRow(transfer: ClientTransfer, mayPay: boolean): Coming {
  const { transferId, utr, status, announcedAt, amount, reason } = transfer;
  return {
    what: 'Bank transfer',
    reference: reason === null ? `UTR ${utr}` : `UTR ${utr} · ${reason}`,
    since: announcedAt,
    state: TRANSFER_STATES[status],
    amount,
    action: status === 'announced' && mayPay && <Withdraw transferId={transferId} />,
  };
}

const Withdraw = ({ transferId }: { transferId: number }) => (
  <Form
    action={`${TRANSFERS}/${transferId}/withdraw`}
    confirm="Withdraw this transfer? The wholesaler will not look for it."
    bare
  >
    <Button>Withdraw</Button>
  </Form>
);

function columnsIn(currency: string): Column<Coming>[] {
  return [
    titles('Entry', ({ what, reference }) => ({ text: what, detail: reference })),
    times('Since', ({ since }) => since),
    { heading: 'State', as: 'state', cell: ({ state }) => state },
    amounts('Amount', currency, ({ amount }) => amount, 'amount'),
    { heading: 'Action', align: 'end', as: 'line', cell: ({ action }) => action },
  ];
}
