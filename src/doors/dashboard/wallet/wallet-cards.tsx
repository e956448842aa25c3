import type { ComponentChildren } from 'preact';
import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Form } from '../../../pages/components/form.js';
import { Card, Tile, Tiles } from '../../../pages/components/layout.js';
import { type Column, Table } from '../../../pages/components/table.js';
import { Money, type StateKind, StateLabel, When } from '../../../pages/components/values.js';
import type { RecentPayment } from '../../../payments/client-payments.repository.js';
import { isUnderway, type TransferStatus } from '../../../payments/rules/payment-status.js';
import type { ClientTransfer } from '../../../payments/bank-transfers.service.js';
import type { Minor } from '../../../platform/money/money.js';
import type { Statement } from '../../../wallet/passbook.repository.js';
import { countOf } from '../count-of.js';
import { paymentPath } from '../paths.js';
import { nameOf } from './months.js';
import { type Chosen, TRANSFERS } from './wallet-query.js';

interface TilesProps {
  balance: Minor;
  statement: Statement;
  payments: readonly RecentPayment[];
  transfers: readonly ClientTransfer[];
  chosen: Chosen;
  currency: string;
}

/** The current figures, or those of the chosen month. */
export const WalletTiles = (props: TilesProps) => {
  const { statement, chosen, currency } = props;
  const month = chosen.month === undefined ? 'this month' : `in ${nameOf(chosen.month)}`;
  return (
    <Tiles>
      {chosen.month === undefined ? (
        <Tile label="In the wallet" note="to pay orders from">
          <Money minor={props.balance} currency={currency} />
        </Tile>
      ) : (
        <Tile label="Opening balance" note={nameOf(chosen.month)}>
          <Money minor={statement.opening} currency={currency} />
        </Tile>
      )}
      <Tile label={`Received ${month}`} note="top-ups and refunds">
        <Money minor={statement.moneyIn} currency={currency} />
      </Tile>
      <Tile label={`Spent ${month}`} note="orders and payouts">
        <Money minor={statement.moneyOut} currency={currency} />
      </Tile>
      {chosen.month === undefined ? (
        <OnItsWay {...props} />
      ) : (
        <Tile label="Closing balance" note={nameOf(chosen.month)}>
          <Money minor={statement.closing} currency={currency} />
        </Tile>
      )}
    </Tiles>
  );
};

const OnItsWay = ({ payments, transfers, currency }: TilesProps) => {
  const coming = [
    ...payments.filter(({ status }) => isUnderway(status)),
    ...transfers.filter(({ status }) => status === 'announced'),
  ];
  return (
    <Tile
      label="On its way"
      note={coming.length === 0 ? 'nothing' : countOf(coming.length, 'payment', 'payments')}
    >
      <Money minor={coming.reduce((sum, { amount }) => sum + amount, 0)} currency={currency} />
    </Tile>
  );
};

interface ComingInProps {
  payments: readonly RecentPayment[];
  transfers: readonly ClientTransfer[];
  mayPay: boolean;
  currency: string;
}

/** Money that has not arrived, or failed to. */
interface Coming {
  what: string;
  reference: string;
  since: Date;
  state: State;
  amount: Minor;
  action?: ComponentChildren;
}

type State = readonly [kind: StateKind, text: string];

const PAYMENT_STATES: Record<RecentPayment['status'], State> = {
  opening: ['info', 'Being prepared'],
  open: ['info', 'Being processed'],
  given_up: ['quiet', 'Given up'],
  failed: ['bad', 'Could not be opened'],
};

/** Confirmed transfers are in the passbook. Withdrawn transfers are not shown. */
const TRANSFER_STATES: Partial<Record<TransferStatus, State>> = {
  announced: ['info', 'Waiting for the wholesaler'],
  refused: ['bad', 'Refused'],
};

export const ComingIn = ({ payments, transfers, mayPay, currency }: ComingInProps) => {
  const coming = [
    ...payments.map((payment) => paymentRow(payment, mayPay)),
    ...transfers.flatMap((transfer) => transferRow(transfer, mayPay)),
  ];
  if (coming.length === 0) return null;
  return (
    <Card title="On its way" flush>
      <Table caption="Payments and transfers on their way" columns={columnsIn(currency)} rows={coming} />
    </Card>
  );
};

function paymentRow(payment: RecentPayment, mayPay: boolean): Coming {
  const { paymentId, status, orders, createdAt, amount } = payment;
  return {
    what: orders === 0 ? 'Top-up through the gateway' : `Payment of ${countOf(orders, 'order', 'orders')}`,
    reference: `Payment ${paymentId.slice(0, 8)}`,
    since: createdAt,
    state: PAYMENT_STATES[status],
    amount,
    action: status === 'open' && mayPay && <ButtonLink href={paymentPath(paymentId)}>Continue</ButtonLink>,
  };
}

function transferRow(transfer: ClientTransfer, mayPay: boolean): Coming[] {
  const { transferId, utr, status, announcedAt, amount, reason } = transfer;
  const state = TRANSFER_STATES[status];
  if (!state) return [];
  return [
    {
      what: 'Bank transfer',
      reference: reason === null ? `UTR ${utr}` : `UTR ${utr} · ${reason}`,
      since: announcedAt,
      state,
      amount,
      action: status === 'announced' && mayPay && <Withdraw transferId={transferId} />,
    },
  ];
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
    {
      heading: 'Entry',
      as: 'title',
      cell: ({ what, reference }) => (
        <>
          {what}
          <small>{reference}</small>
        </>
      ),
    },
    { heading: 'Since', cell: ({ since }) => <When at={since} /> },
    {
      heading: 'State',
      as: 'state',
      cell: ({ state: [kind, text] }) => <StateLabel kind={kind}>{text}</StateLabel>,
    },
    {
      heading: 'Amount',
      align: 'end',
      as: 'amount',
      cell: ({ amount }) => <Money minor={amount} currency={currency} />,
    },
    { heading: 'Action', align: 'end', as: 'line', cell: ({ action }) => action },
  ];
}
