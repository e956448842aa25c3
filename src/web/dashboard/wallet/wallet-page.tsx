import type { ComponentChildren } from 'preact';
import type { ClientAutoPayView } from '../../../modules/orders/auto-pay/auto-pay.service.js';
import {
  Button,
  ButtonLink,
  DownloadLink,
  FilterSelect,
  Form,
} from '../../../shared/ui/components/controls.js';
import { Facts, Tile, Tiles } from '../../../shared/ui/components/layout.js';
import {
  amountColumn,
  type ListColumn,
  ListCard,
  timeColumn,
  titleColumn,
} from '../../../shared/ui/components/lists.js';
import { ExactTime, Money, StateLabel } from '../../../shared/ui/components/values.js';
import { countOf, formatMoney, refreshSecondsAfter, formatMonth } from '../../../platform/formats.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import type { ClientTransfer } from '../../../modules/payments/bank-transfers.service.js';
import type { RecentPayment } from '../../../modules/payments/payment-history.repository.js';
import {
  describeMeans,
  describeReference,
  isUtr,
  withoutMeans,
} from '../../../modules/payments/rules/read-inputs.js';
import { isUnderway, type TransferStatus } from '../../../modules/payments/rules/payment-status.js';
import type { Minor } from '../../../platform/money/money.js';
import type { TimeZone } from '../../../platform/time/time.js';
import type { StatementTotals } from '../../../modules/wallet/passbook.repository.js';
import type { Funds } from '../../../modules/wallet/wallet.service.js';
import { PaymentState } from '../../shared/order-cards.js';
import { ENTRY_KINDS, PASSBOOK, type readPassbook } from '../../shared/passbook.js';
import { AUTO_PAY, checkoutPath, orderPath, paymentPath, TOP_UP, TRANSFERS, WALLET } from '../paths.js';
import { GiveUp } from '../paying/payment-pages.js';

interface Props {
  list: Awaited<ReturnType<typeof readPassbook>>;
  funds: Funds;
  /** The totals of the selected month, or of this month. */
  totals: StatementTotals;
  /** Seller and client of the statement of the selected month. */
  parties: [string, string][];
  payments: RecentPayment[];
  transfers: ClientTransfer[];
  autoPay: ClientAutoPayView;
  mayPay: boolean;
  currency: string;
  /** The zone of the statements. */
  timeZone: TimeZone;
  /** The person's other pages use another time zone. */
  isOtherZone: boolean;
}

export function walletPage(props: Props): Page {
  const { funds, currency, autoPay, mayPay, payments, timeZone, isOtherZone, parties } = props;
  const { storeOrderIds, ...list } = props.list;
  const { kind, month } = list.query.selected;
  return {
    title: `${formatMoney(funds.balance, currency)} in your wallet`,
    lead: [
      autoPay.enabledAt
        ? 'Auto-pay pays new orders from it, within your limits. Refunds come back to it.'
        : 'You pay your orders from it. Refunds come back to it.',
      ...(isOtherZone
        ? [`Times and months here are in the time zone ${timeZone}, as on your statements.`]
        : []),
      ...parties.map(([role, party]) => `${role}: ${party}.`),
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
    refreshSeconds: refreshSecondsAfter(payments.find(({ status }) => isUnderway(status))?.createdAt ?? null),
    content: (
      <>
        <WalletTiles {...props} />
        <IncomingCards {...props} />
        <PrintedSummary {...props} />
        <StatementForm {...props} />
        {PASSBOOK.card({
          ...list,
          title: 'Passbook',
          actions: <DownloadLink href={withQuery(`${WALLET}.csv`, { kind, month })}>CSV</DownloadLink>,
          path: WALLET,
          context: { paths: { order: orderPath, payment: paymentPath }, storeOrderIds, currency },
        })}
      </>
    ),
  };
}

/** For printing: the period of the entries below, and the balances before and after them. */
const PrintedSummary = ({ list, totals, currency }: Props) => {
  const { query, result } = list;
  const { rows: lines, last } = result;
  const { month, kind } = query.selected;
  const [newest, oldest] = [lines[0], lines.at(-1)];
  const isWhole = month !== undefined && query.mark === undefined && last === undefined;
  if (!isWhole && (!newest || !oldest)) return null;
  const [opening, closing] =
    isWhole || !newest || !oldest
      ? [totals.opening, totals.closing]
      : [oldest.balanceAfter - oldest.amount, newest.balanceAfter];
  return (
    <div class="paper">
      <Facts
        of={{
          Passbook: isWhole ? (
            formatMonth(month)
          ) : (
            <>
              <ExactTime at={oldest!.at} /> to <ExactTime at={newest!.at} />
            </>
          ),
          Entries: kind && `Only: ${ENTRY_KINDS[kind]}`,
          'Opening balance': <Money minor={opening} currency={currency} />,
          'Closing balance': <Money minor={closing} currency={currency} />,
        }}
      />
    </div>
  );
};

const StatementForm = ({ list: { months, query } }: Props) => (
  <form class="search" action={`${WALLET}/statement.pdf`}>
    <label>
      Statement of
      <FilterSelect
        name="month"
        label="Statement of"
        options={months.map((month) => ({ value: month, text: formatMonth(month) }))}
        selected={query.selected.month}
      />
    </label>
    <Button>PDF</Button>
    <Button action={`${WALLET}/statement.csv`}>CSV</Button>
  </form>
);

/** The current figures, or the figures of the selected month. */
const WalletTiles = (props: Props) => {
  const { funds, totals, list, currency } = props;
  const { selected } = list.query;
  const name = selected.month && formatMonth(selected.month);
  const month = name === undefined ? 'this month' : `in ${name}`;
  const note =
    funds.reserved > 0
      ? `${formatMoney(funds.reserved, currency)} reserved for open payments`
      : 'to pay orders from';
  const tile = (label: string, tileNote: string, minor: Minor) => (
    <Tile label={label} note={tileNote}>
      <Money minor={minor} currency={currency} />
    </Tile>
  );
  return (
    <Tiles>
      {name ? tile('Opening balance', name, totals.opening) : tile('In the wallet', note, funds.balance)}
      {tile(`Money in ${month}`, 'top-ups, refunds and corrections', totals.moneyIn)}
      {tile(`Money out ${month}`, 'orders, payouts and corrections', totals.moneyOut)}
      {name ? tile('Closing balance', name, totals.closing) : <OnItsWayTile {...props} />}
    </Tiles>
  );
};

type IncomingMoney = Pick<Props, 'payments' | 'transfers'>;

/** Money that the client has sent. Other payments may never bring any. */
const incomingMoney = ({ payments, transfers }: IncomingMoney) => ({
  payments: payments.filter(({ authorized }) => authorized),
  transfers: transfers.filter(({ status }) => status === 'announced'),
});

const OnItsWayTile = ({ currency, ...props }: IncomingMoney & Pick<Props, 'currency'>) => {
  const { payments, transfers } = incomingMoney(props);
  const incoming = [...payments, ...transfers];
  return (
    <Tile
      label="On its way"
      note={incoming.length === 0 ? 'nothing' : countOf(incoming.length, 'payment', 'payments')}
    >
      <Money minor={incoming.reduce((sum, { amount }) => sum + amount, 0)} currency={currency} />
    </Tile>
  );
};

/** Money that has not arrived, or failed to. */
interface IncomingRow {
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

const IncomingCards = ({ payments, transfers, mayPay, currency }: Props) => {
  const incoming = incomingMoney({ payments, transfers });
  const rowsOf = (some: IncomingMoney) => [
    ...some.payments.map((payment) => paymentRow(payment, mayPay)),
    ...some.transfers.map((transfer) => transferRow(transfer, mayPay)),
  ];
  const unfinished = {
    payments: payments.filter((payment) => !incoming.payments.includes(payment)),
    transfers: transfers.filter(({ status }) => status === 'refused'),
  };
  return (
    <>
      <ListCard title="On its way" columns={columnsIn(currency)} rows={rowsOf(incoming)} />
      <ListCard title="Not finished" columns={columnsIn(currency)} rows={rowsOf(unfinished)} />
    </>
  );
};

function paymentRow(payment: RecentPayment, mayPay: boolean): IncomingRow {
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

function transferRow(transfer: ClientTransfer, mayPay: boolean): IncomingRow {
  const { transferId, utr, status, announcedAt, amount, reason } = transfer;
  return {
    what: describeMeans(utr),
    reference: [isUtr(utr) ? describeReference(utr) : withoutMeans(utr), reason].filter(Boolean).join(' · '),
    since: announcedAt,
    state: TRANSFER_STATES[status],
    amount,
    action: status === 'announced' && mayPay && isUtr(utr) && <Withdraw transferId={transferId} />,
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

function columnsIn(currency: string): ListColumn<IncomingRow>[] {
  return [
    titleColumn('Entry', ({ what, reference }) => ({ text: what, detail: reference })),
    timeColumn('Since', ({ since }) => since),
    { heading: 'State', as: 'state', cell: ({ state }) => state },
    amountColumn('Amount', currency, ({ amount }) => amount, 'amount'),
    { heading: 'Action', align: 'end', as: 'line', cell: ({ action }) => action },
  ];
}
