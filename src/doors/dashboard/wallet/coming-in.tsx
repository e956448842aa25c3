import type { ComponentChildren } from 'preact';
import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Card } from '../../../pages/components/layout.js';
import { Form } from '../../../pages/components/form.js';
import { Money, type StateKind, StateLabel, When } from '../../../pages/components/values.js';
import { type Column, Table } from '../../../pages/components/table.js';
import type { RecentPayment } from '../../../payments/recent-payments.js';
import type { ClientTransfer } from '../../../payments/transfers/client-transfers.js';
import type { TransferStatus } from '../../../payments/rules/transfer-status.js';
import type { Minor } from '../../../platform/money/money.js';
import { countOf } from '../count-of.js';
import { paymentPath } from '../paths.js';
import { TRANSFERS } from './wallet-query.js';

interface Props {
  payments: readonly RecentPayment[];
  transfers: readonly ClientTransfer[];
  mayPay: boolean;
  currency: string;
}

/** Money that is not in the wallet: not yet, or not after all. */
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

/** What was confirmed stands in the passbook, and of what was withdrawn nobody needs to hear again. */
const TRANSFER_STATES: Partial<Record<TransferStatus, State>> = {
  announced: ['info', 'Waits for the wholesaler'],
  refused: ['bad', 'Refused'],
};

export const ComingIn = ({ payments, transfers, mayPay, currency }: Props) => {
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
    action: status === 'open' && mayPay && <ButtonLink href={paymentPath(paymentId)}>Go on</ButtonLink>,
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
      heading: 'What',
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
    { heading: 'To do', align: 'end', as: 'line', cell: ({ action }) => action },
  ];
}
