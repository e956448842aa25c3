import type { ComponentChildren } from 'preact';
import { Button, FilterSelect } from '../../pages/components/controls.js';
import { Empty } from '../../pages/components/layout.js';
import { amounts, type Column, ListCard, Pager, titles } from '../../pages/components/lists.js';
import { ExactTime, Money } from '../../pages/components/values.js';
import { nameOfMonth } from '../../pages/formats.js';
import { wordsFor } from '../../payments/statement-paper.js';
import type { Month } from '../../platform/time/time.js';
import type { PassbookLine, PassbookPage } from '../../wallet/passbook.repository.js';
import type { PostingKind } from '../../wallet/rules/posting.js';
import { type Chosen, passbookPath } from './passbook-query.js';

/** The addresses of one door. */
export interface PassbookPaths {
  wallet: string;
  order(orderNumber: string): string;
  payment(paymentId: string): string;
}

interface Props {
  paths: PassbookPaths;
  /** Links to files. */
  files?: ComponentChildren;
  page: PassbookPage;
  /** The store's own ids of the orders on the page. */
  storeOrderIds: Map<string, string>;
  /** The months since the first use of the wallet, latest first. */
  months: Month[];
  chosen: Chosen;
  before: number | undefined;
  currency: string;
}

export const PassbookCard = ({ paths, files, ...props }: Props) => {
  const { page, chosen, before } = props;
  return (
    <ListCard
      title="Passbook"
      caption="Passbook, newest first"
      actions={
        <>
          <Filter paths={paths} {...props} />
          {files}
        </>
      }
      columns={columnsIn(paths, props)}
      rows={page.lines}
      empty={<NoLines paths={paths} chosen={chosen} />}
      pager={
        <Pager at={before} next={page.older} path={(from) => passbookPath(paths.wallet, chosen, from)} />
      }
    />
  );
};

const Filter = ({ paths, chosen, months }: Pick<Props, 'paths' | 'chosen' | 'months'>) => (
  <form class="choose-part" action={paths.wallet}>
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

const NoLines = ({ paths, chosen: { kind, month } }: Pick<Props, 'paths' | 'chosen'>) =>
  kind || month ? (
    <Empty next={{ href: paths.wallet, text: 'Show all entries' }}>
      {`No entries match${month === undefined ? '' : ` in ${nameOfMonth(month)}`}.`}
    </Empty>
  ) : (
    <Empty>No entries yet. Top-ups, payments and refunds appear here.</Empty>
  );

function columnsIn(
  paths: PassbookPaths,
  { storeOrderIds, currency }: Pick<Props, 'storeOrderIds' | 'currency'>,
): Column<PassbookLine>[] {
  return [
    titles('Entry', (line) => ({ text: wordsFor(line), detail: referencesOf(paths, line, storeOrderIds) })),
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

export const KINDS: Record<PostingKind, string> = {
  top_up: 'Paid in',
  order_payment: 'Orders paid',
  order_refund: 'Orders refunded',
  payout: 'Sent back',
  payout_failed: 'Could not be sent back',
  adjustment: 'Corrections',
};

/** An order with the store's own id, a payment, a transfer's number or a reason. */
function referencesOf(
  paths: PassbookPaths,
  { orderNumber, paymentId, note }: PassbookLine,
  storeOrderIds: Map<string, string>,
): ComponentChildren {
  const storeOrderId = orderNumber === null ? undefined : storeOrderIds.get(orderNumber);
  return (
    <>
      {orderNumber !== null && <a href={paths.order(orderNumber)}>{orderNumber}</a>}
      {storeOrderId !== undefined && ` · ${storeOrderId}`}
      {paymentId !== null && <a href={paths.payment(paymentId)}>Payment {paymentId.slice(0, 8)}</a>}
      {(orderNumber !== null || paymentId !== null) && note !== null && ' · '}
      {note}
    </>
  );
}
