import { Button, Field, Form, FormCard } from '../../../pages/components/controls.js';
import { Card, Empty, Facts, Notice } from '../../../pages/components/layout.js';
import {
  amounts,
  type Column,
  ListCard,
  Pager,
  SearchForm,
  Tabs,
  times,
  titles,
} from '../../../pages/components/lists.js';
import { ExactTime, Money, StateLabel, type StateKind } from '../../../pages/components/values.js';
import { countOf, formatMoney } from '../../../pages/formats.js';
import { type Page, withQuery } from '../../../pages/page.js';
import type { TransferShown } from '../../../payments/bank-transfers.service.js';
import { TRANSFER_STATUSES, type TransferStatus } from '../../../payments/rules/payment-status.js';
import { type Minor, minorFromAmount } from '../../../platform/money/money.js';
import type { Funds } from '../../../wallet/wallet.service.js';
import { authorWords } from '../author-words.js';
import { clientPath, MONEY, transferPath } from '../paths.js';
import { type MoneyCounts, MoneyTabs } from './money-frame.js';

export interface TransfersQuery {
  status: TransferStatus | 'all';
  utr: string | undefined;
  before: number | undefined;
}

interface ListProps {
  transfers: readonly TransferShown[];
  older: number | undefined;
  waiting: { transfers: number; amount: Minor };
  chosen: TransfersQuery;
  counts: MoneyCounts;
  currency: string;
}

const STATES: Record<TransferStatus, { name: string; kind: StateKind }> = {
  announced: { name: 'To confirm', kind: 'warn' },
  confirmed: { name: 'Confirmed', kind: 'accent' },
  refused: { name: 'Refused', kind: 'bad' },
  withdrawn: { name: 'Withdrawn', kind: 'quiet' },
};

export function transfersPage({ transfers, older, waiting, chosen, counts, currency }: ListProps): Page {
  const { status, utr, before } = chosen;
  return {
    title:
      waiting.transfers === 0
        ? 'No transfer waits'
        : `${countOf(waiting.transfers, 'transfer waits', 'transfers wait')} to be confirmed`,
    lead:
      waiting.transfers === 0
        ? 'Clients report a bank transfer with its UTR. You confirm it when the money has arrived.'
        : `${formatMoney(waiting.amount, currency)} in all. Look for each UTR on your bank statement.`,
    content: (
      <>
        <MoneyTabs at={MONEY} counts={counts} />
        <div class="stack filter">
          <Tabs
            label="Transfers by state"
            tabs={([...TRANSFER_STATUSES, 'all'] as const).map((each) => ({
              href: withQuery(MONEY, { status: each === 'announced' ? undefined : each, utr }),
              text: each === 'all' ? 'All' : STATES[each].name,
              current: each === status,
            }))}
          />
          <SearchForm
            action={MONEY}
            name="utr"
            label="UTR"
            placeholder="UTR"
            value={utr}
            maxlength={40}
            hidden={status === 'announced' ? {} : { status }}
          />
        </div>
        <ListCard
          caption="Transfers, newest first"
          columns={columnsIn(currency)}
          rows={transfers}
          empty={<NoTransfers chosen={chosen} />}
          pager={
            <Pager
              at={before}
              next={older}
              path={(from) => withQuery(MONEY, { status, utr, before: from })}
            />
          }
        />
      </>
    ),
  };
}

const NoTransfers = ({ chosen: { status, utr } }: { chosen: TransfersQuery }) =>
  utr === undefined && status === 'announced' ? (
    <Empty>Nothing waits. New reports of clients appear here.</Empty>
  ) : (
    <Empty next={{ href: withQuery(MONEY, { status: 'all' }), text: 'Show all transfers' }}>
      No transfer matches.
    </Empty>
  );

function columnsIn(currency: string): Column<TransferShown>[] {
  return [
    titles('Client', ({ transfer_id: id, client, payer }) => ({
      text: client,
      href: transferPath(id),
      detail: payer === null ? null : `Account of ${payer}`,
    })),
    { heading: 'UTR', cell: ({ utr }) => <code>{utr}</code> },
    times('Reported', ({ announced_at: at }) => at),
    {
      heading: 'State',
      as: 'state',
      cell: ({ status, other_claims: others }) =>
        status === 'announced' && others.length > 0 ? (
          <StateLabel kind="bad">Claimed twice</StateLabel>
        ) : (
          <StateLabel kind={STATES[status].kind}>{STATES[status].name}</StateLabel>
        ),
    },
    amounts('Amount', currency, ({ amount }) => minorFromAmount(amount), 'amount'),
  ];
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
