import type { ComponentChildren } from 'preact';
import { type ListColumn, titleColumn } from '../../shared/ui/components/lists.js';
import { ExactTime, moneyRenderer, ShortNumber } from '../../shared/ui/components/values.js';
import { formatMonth } from '../../platform/formats.js';
import { type QueryOf, ListPage } from '../../shared/ui/list-page.js';
import { describeEntry, noteOf } from '../../modules/payments/statement-pdf.js';
import type { ClientOrdersService } from '../../modules/orders/records/client-orders.service.js';
import { monthAt, monthsBetween, periodOf, type TimeZone } from '../../platform/time/time.js';
import type { Passbook, PassbookFilter, PassbookLine } from '../../modules/wallet/passbook.repository.js';
import { POSTING_KINDS, type PostingKind } from '../../modules/wallet/rules/posting.js';

/** The addresses on the dashboard or on the desk. */
interface PassbookPaths {
  order(orderNumber: string): string;
  payment(paymentId: string): string;
}

export const ENTRY_KINDS: Record<PostingKind, string> = {
  top_up: 'Paid in',
  order_payment: 'Orders paid',
  order_refund: 'Orders refunded',
  payout: 'Sent back',
  payout_failed: 'Could not be sent back',
  adjustment: 'Corrections',
};

interface Context {
  paths: PassbookPaths;
  /** The store's own ids of the orders on the page. */
  storeOrderIds: Map<string, string>;
  currency: string;
}

export const PASSBOOK = new ListPage({
  caption: 'Passbook, newest first',
  filters: {
    kind: {
      as: 'choice',
      label: 'Kind of entry',
      all: 'All entries',
      options: POSTING_KINDS.map((value) => ({ value, text: ENTRY_KINDS[value] })),
    },
    month: { as: 'month', label: 'Month', all: 'All months' },
  },
  mark: { name: 'before', kind: 'long', of: ({ entry }: PassbookLine) => entry },
  columns: ({ paths, storeOrderIds, currency }: Context): ListColumn<PassbookLine>[] => {
    const money = moneyRenderer(currency);
    return [
      titleColumn('Entry', (line) => ({
        text: describeEntry(line),
        detail: referencesOf(paths, line, storeOrderIds),
      })),
      { heading: 'When', cell: ({ at }) => <ExactTime at={at} /> },
      { heading: 'Amount', align: 'end', as: 'amount', cell: ({ amount }) => money(amount, true) },
      { heading: 'Balance', align: 'end', cell: ({ balanceAfter }) => money(balanceAfter) },
    ];
  },
  empty: {
    none: 'No entries yet. Top-ups, payments and refunds appear here.',
    noMatch: ({ month }) => `No entries match${month === undefined ? '' : ` in ${formatMonth(month)}`}.`,
    all: { text: 'Show all entries' },
  },
});

type PassbookQuery = QueryOf<typeof PASSBOOK>;

export function passbookFilter(
  { kind, month }: PassbookQuery['selected'],
  timeZone: TimeZone,
): PassbookFilter {
  return { ...(kind && { kind }), ...(month !== undefined && periodOf(month, timeZone)) };
}

/** What the address names of a client's passbook. */
export async function readPassbook(
  { passbook, orders }: { passbook: Passbook; orders: ClientOrdersService },
  clientId: number,
  query: PassbookQuery,
  timeZone: TimeZone,
) {
  const filter = passbookFilter(query.selected, timeZone);
  const [result, since] = await Promise.all([
    PASSBOOK.find((limit) => passbook.newest(clientId, filter, query.mark, limit)),
    passbook.since(clientId),
  ]);
  const thisMonth = monthAt(Date.now(), timeZone);
  const numbers = result.rows.flatMap(({ orderNumber }) => orderNumber ?? []);
  return {
    query,
    result,
    /** The months since the first use of the wallet, latest first. */
    months: monthsBetween(since ? monthAt(since, timeZone) : thisMonth, thisMonth),
    storeOrderIds: await orders.storeOrderIds(clientId, numbers),
  };
}

/** An order with the store's own id, a payment, a transfer's number or a reason. */
function referencesOf(
  paths: PassbookPaths,
  { orderNumber, paymentId, ...line }: PassbookLine,
  storeOrderIds: Map<string, string>,
): ComponentChildren {
  const note = noteOf(line);
  const storeOrderId = orderNumber === null ? undefined : storeOrderIds.get(orderNumber);
  return (
    <>
      {orderNumber !== null && (
        <a href={paths.order(orderNumber)}>
          <ShortNumber of={orderNumber} />
        </a>
      )}
      {storeOrderId !== undefined && ` · ${storeOrderId}`}
      {paymentId !== null && <a href={paths.payment(paymentId)}>Payment {paymentId.slice(0, 8)}</a>}
      {(orderNumber !== null || paymentId !== null) && note !== null && ' · '}
      {note}
    </>
  );
}
