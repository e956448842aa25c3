import { Button, Field, Form, FormCard } from '../../../pages/components/controls.js';
import { Card, Facts, Notice } from '../../../pages/components/layout.js';
import { amounts, type Column, times, titles } from '../../../pages/components/lists.js';
import { ExactTime, Money, StateLabel, type StateKind } from '../../../pages/components/values.js';
import { countOf, formatMoney } from '../../../pages/formats.js';
import { ListPage } from '../../../pages/list-page.js';
import type { Page } from '../../../pages/page.js';
import type { TransferShown } from '../../../payments/transfer-list.repository.js';
import { TRANSFER_STATUSES, type TransferStatus } from '../../../payments/rules/payment-status.js';
import { type Minor, minorFromAmount } from '../../../platform/money/money.js';
import type { Funds } from '../../../wallet/wallet.service.js';
import { authorWords } from '../author-words.js';
import { clientPath, MONEY, transferPath } from '../paths.js';

const STATES: Record<TransferStatus, { name: string; kind: StateKind }> = {
  announced: { name: 'To confirm', kind: 'warn' },
  confirmed: { name: 'Confirmed', kind: 'accent' },
  refused: { name: 'Refused', kind: 'bad' },
  withdrawn: { name: 'Withdrawn', kind: 'quiet' },
};

export const TRANSFERS = new ListPage({
  path: MONEY,
  caption: 'Transfers, newest first',
  filters: {
    status: {
      as: 'tabs',
      label: 'Transfers by state',
      options: [
        ...TRANSFER_STATUSES.map((value) => ({ value, text: STATES[value].name })),
        { value: 'all', text: 'All' },
      ],
    },
    utr: { as: 'search', label: 'UTR', longest: 40 },
  },
  mark: { name: 'before', kind: 'number', of: ({ transfer_id: id }: TransferShown) => id },
  columns: (currency: string): Column<TransferShown>[] => [
    titles('Client', ({ transfer_id: id, client, payer }) => ({
      text: client,
      href: transferPath(id),
      detail: payer === null ? null : `Account of ${payer}`,
    })),
    { heading: 'UTR', cell: ({ utr }) => <code>{utr}</code> },
    times('Reported', ({ announced_at: at }) => at),
    { heading: 'State', as: 'state', cell: (transfer) => <State transfer={transfer} /> },
    amounts('Amount', currency, ({ amount }) => minorFromAmount(amount), 'amount'),
  ],
  empty: {
    none: 'Nothing waits. New reports of clients appear here.',
    noMatch: 'No transfer matches.',
    all: { text: 'Show all transfers', chosen: { status: 'all' } },
  },
});

const State = ({ transfer: { status, other_claims: others } }: { transfer: TransferShown }) =>
  status === 'announced' && others.length > 0 ? (
    <StateLabel kind="bad">Claimed twice</StateLabel>
  ) : (
    <StateLabel kind={STATES[status].kind}>{STATES[status].name}</StateLabel>
  );

/** The head of the list: the work that waits. */
export function transfersHead({ transfers, amount }: { transfers: number; amount: Minor }, currency: string) {
  if (transfers === 0)
    return {
      title: 'No transfer waits',
      lead: 'Clients report a bank transfer with its UTR. You confirm it when the money has arrived.',
    };
  return {
    title: `${countOf(transfers, 'transfer waits', 'transfers wait')} to be confirmed`,
    lead: `${formatMoney(amount, currency)} in all. Look for each UTR on your bank statement.`,
  };
}

interface TransferProps {
  transfer: TransferShown;
  funds: Funds;
  currency: string;
}

/** One transfer. While it waits, the page says what a decision will do. */
export function transferPage(props: TransferProps): Page {
  const { transfer, currency } = props;
  const { status, client, amount, other_claims: others } = transfer;
  const money = formatMoney(minorFromAmount(amount), currency);
  return {
    title: `${money} from ${client}: ${STATES[status].name.toLowerCase()}`,
    lead:
      status === 'announced'
        ? 'Compare the UTR, the amount and the payer with your bank statement.'
        : undefined,
    back: { href: MONEY, text: 'Transfers' },
    content: (
      <>
        {status === 'announced' && others.length > 0 && <Disputed others={others} />}
        <Card title="What the client reports">
          <TransferFacts {...props} />
        </Card>
        {status === 'announced' && (
          <div class="columns">
            <Card title="The money has arrived">
              <Confirm {...props} />
            </Card>
            <FormCard
              title="The money has not arrived"
              action={`${transferPath(transfer.transfer_id)}/refuse`}
            >
              <p>No money moves. The client reads the reason and can report the transfer again.</p>
              <Field label="Reason" name="reason" maxlength={200} required />
              <Button kind="danger">Refuse</Button>
            </FormCard>
          </div>
        )}
      </>
    ),
  };
}

const Disputed = ({ others }: { others: readonly number[] }) => (
  <Notice kind="bad">
    Another client claims this UTR too:{' '}
    {others.map((id, at) => (
      <>
        {at > 0 && ', '}
        <a href={transferPath(id)}>transfer {id}</a>
      </>
    ))}
    . Ask your bank who sent it, and refuse the wrong report first.
  </Notice>
);

const TransferFacts = ({ transfer, currency }: TransferProps) => (
  <Facts
    of={{
      Client: <a href={clientPath(transfer.client_id)}>{transfer.client}</a>,
      'Account holder, as reported': transfer.payer ?? 'Not named: the client itself',
      'Payer on your statement': transfer.received_from,
      UTR: <code>{transfer.utr}</code>,
      Amount: <Money minor={minorFromAmount(transfer.amount)} currency={currency} />,
      Reported: (
        <>
          <ExactTime at={transfer.announced_at} /> {authorWords(transfer.announced_by)}
        </>
      ),
      [STATES[transfer.status].name]: transfer.decided_at !== null && (
        <>
          <ExactTime at={transfer.decided_at} /> {authorWords(transfer.decided_by!)}
        </>
      ),
      Reason: transfer.reason,
    }}
  />
);

const Confirm = ({ transfer, funds, currency }: TransferProps) => {
  const amount = minorFromAmount(transfer.amount);
  return (
    <Form action={`${transferPath(transfer.transfer_id)}/confirm`}>
      <Facts
        sums
        of={{
          'In the wallet now': <Money minor={funds.balance} currency={currency} />,
          'This transfer': <Money minor={amount} currency={currency} signed />,
          'In the wallet afterwards': <Money minor={funds.balance + amount} currency={currency} />,
        }}
      />
      <Field
        label="Payer on your bank statement"
        name="payer"
        hint={`Reported: ${transfer.payer ?? transfer.client}. Do not confirm a payment of a stranger.`}
        maxlength={200}
        required
      />
      <Button kind="primary">Confirm {formatMoney(amount, currency)}</Button>
    </Form>
  );
};
