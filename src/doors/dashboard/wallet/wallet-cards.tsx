import type { ComponentChildren } from 'preact';
import { Button, ButtonLink, Form } from '../../../pages/components/controls.js';
import { Tile, Tiles } from '../../../pages/components/layout.js';
import { amounts, type Column, ListCard, times } from '../../../pages/components/lists.js';
import { Money, Named, StateLabel } from '../../../pages/components/values.js';
import { countOf, formatMoney } from '../../../pages/formats.js';
import type { RecentPayment } from '../../../payments/client-payments.repository.js';
import { isUnderway, type TransferStatus } from '../../../payments/rules/payment-status.js';
import type { ClientTransfer } from '../../../payments/bank-transfers.service.js';
import type { Minor } from '../../../platform/money/money.js';
import type { Funds } from '../../../wallet/wallet.service.js';
import type { Statement } from '../../../wallet/passbook.repository.js';
import { PaymentState } from '../paying/payment-pages.js';
import { paymentPath, TRANSFERS } from '../paths.js';
import { type Chosen, nameOf } from './wallet-query.js';

interface ComingProps {
  payments: readonly RecentPayment[];
  transfers: readonly ClientTransfer[];
  mayPay: boolean;
  currency: string;
}

interface TilesProps extends ComingProps {
  funds: Funds;
  statement: Statement;
  chosen: Chosen;
}

/** The current figures, or those of the chosen month. */
export const WalletTiles = (props: TilesProps) => {
  const { funds, statement, chosen, currency } = props;
  const name = chosen.month && nameOf(chosen.month);
  const month = name === undefined ? 'this month' : `in ${name}`;
  const tile = (label: string, note: string, minor: Minor) => (
    <Tile label={label} note={note}>
      <Money minor={minor} currency={currency} />
    </Tile>
  );
  return (
    <Tiles>
      {name
        ? tile('Opening balance', name, statement.opening)
        : tile('In the wallet', spareOf(funds, currency), funds.balance)}
      {tile(`Received ${month}`, 'top-ups and refunds', statement.moneyIn)}
      {tile(`Spent ${month}`, 'orders and payouts', statement.moneyOut)}
      {name ? tile('Closing balance', name, statement.closing) : <OnItsWay {...props} />}
    </Tiles>
  );
};

function spareOf({ reserved }: Funds, currency: string): string {
  return reserved > 0
    ? `${formatMoney(reserved, currency)} reserved for open payments`
    : 'to pay orders from';
}

const OnItsWay = ({ payments, transfers, currency }: ComingProps) => {
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

/** Money that has not arrived, or failed to. */
interface Coming {
  what: string;
  reference: string;
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

export const ComingIn = ({ payments, transfers, mayPay, currency }: ComingProps) => {
  const coming = [
    ...payments.map((payment) => paymentRow(payment, mayPay)),
    ...transfers
      .filter(({ status }) => status in TRANSFER_STATES)
      .map((transfer) => transferRow(transfer, mayPay)),
  ];
  return coming.length === 0 ? null : (
    <ListCard
      title="On its way"
      caption="Payments and transfers on their way"
      columns={columnsIn(currency)}
      rows={coming}
    />
  );
};

function paymentRow(payment: RecentPayment, mayPay: boolean): Coming {
  const { paymentId, status, orders, createdAt, amount } = payment;
  return {
    what: orders === 0 ? 'Top-up through the gateway' : `Payment of ${countOf(orders, 'order', 'orders')}`,
    reference: `Payment ${paymentId.slice(0, 8)}`,
    since: createdAt,
    state: <PaymentState status={status} />,
    amount,
    action: status === 'open' && mayPay && <ButtonLink href={paymentPath(paymentId)}>Continue</ButtonLink>,
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
    {
      heading: 'Entry',
      as: 'title',
      cell: ({ what, reference }) => <Named detail={reference}>{what}</Named>,
    },
    times('Since', ({ since }) => since),
    { heading: 'State', as: 'state', cell: ({ state }) => state },
    amounts('Amount', currency, ({ amount }) => amount, 'amount'),
    { heading: 'Action', align: 'end', as: 'line', cell: ({ action }) => action },
  ];
}
