import type { Tally } from '../../../modules/orders/records/client-overview.repository.js';
import type { OrderInList } from '../../../modules/orders/records/client-orders.service.js';
import { writeOrderCursor } from '../../../modules/orders/records/order-cursor.js';
import { ORDER_SORTS, type OrderSort, SORTS } from '../../../modules/orders/records/order-filter.js';
import { SORTED_BY_TOTAL } from '../../../modules/orders/records/order-view.repository.js';
import { isPayable, ORDER_GROUPS, type OrderGroup } from '../../../modules/orders/rules/order-transitions.js';
import { ChosenButton, ChosenTotal, DownloadLink, Form } from '../../../shared/ui/components/controls.js';
import { Card, Empty } from '../../../shared/ui/components/layout.js';
import type { DayPeriod } from '../../../shared/ui/components/period-fields.js';
import { formatCount, formatNumber, lookAgain } from '../../../shared/ui/formats.js';
import { type AskedOf, ListPage } from '../../../shared/ui/list-page.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { type BoundedCount, type OnePage, sumOfCounts } from '../../../platform/lists/bounded-lists.js';
import type { Day } from '../../../platform/time/time.js';
import { GROUPS } from '../../shared/order-cards.js';
import { ReviewAll } from '../paying/review-page.js';
import { API_ACCESS, ORDERS, PAY, reviewAllPath } from '../paths.js';
import { choice, type OrderColumn, PLACED, TOTAL, USUAL } from './orders-table.js';

type Group = OrderGroup | 'all';

/** The filter in the address of the list. */
interface Chosen extends DayPeriod {
  group: Group;
  search: string | undefined;
  sort: OrderSort;
}

const TABS: readonly { value: Group; text: string }[] = [
  { value: 'all', text: 'All' },
  ...ORDER_GROUPS.map((value) => ({ value, text: GROUPS[value].name })),
];

const PAY_FORM = 'pay';

export const ORDER_LIST = new ListPage({
  path: ORDERS,
  id: 'orders',
  caption: 'Orders',
  filters: {
    group: { as: 'tabs', label: 'Orders by state', options: TABS },
    search: {
      as: 'search',
      label: 'Order number, your own id, or customer',
      placeholder: 'Number, your id or customer',
      longest: 100,
    },
    sort: { as: 'view', options: ORDER_SORTS.map((value) => ({ value })) },
  },
  hasDays: true,
  mark: { name: 'after', kind: 'text', of: ({ place }: OrderInList) => writeOrderCursor(place) },
  columns: ({ chosen, canPay }: { chosen: Chosen; canPay: boolean }) => [
    ...(canPay ? [choice(PAY_FORM)] : []),
    ...columnsFor(chosen),
  ],
  empty: {
    none: 'No orders yet.',
    noMatch: (chosen) =>
      isNarrowed(chosen)
        ? 'No order matches. Search with at least three letters of a name, a phone number or your own id.'
        : 'No orders are in this state now.',
    all: (chosen) =>
      isNarrowed(chosen)
        ? { text: 'Clear the search and the dates', chosen: { group: chosen.group } }
        : { text: 'Show all orders' },
  },
});

/** A search is sorted by date only: see `OrderViewRepository`. */
export function readOrdersQuery(fields: FormFields): AskedOf<typeof ORDER_LIST> {
  const { chosen, mark } = ORDER_LIST.read(fields);
  const { search, sort } = chosen;
  const byDate = search !== undefined && SORTS[sort].by === 'total';
  return { chosen: { ...chosen, sort: byDate ? 'newest' : sort }, mark };
}

interface Props {
  tally: Tally;
  asked: AskedOf<typeof ORDER_LIST>;
  found: OnePage<OrderInList>;
  mayPay: boolean;
  paymentWindowHours: number;
  currency: string;
  /** In the client's time zone. */
  today: Day;
}

export function ordersPage(props: Props): Page {
  const { tally, asked, found, mayPay, today } = props;
  const { chosen } = asked;
  const canPay = mayPay && found.rows.some(isPayable);
  const head = { title: titleOf(props), lead: <Lead {...props} /> };
  if (countIn(tally, 'all').count === 0 && !isNarrowed(chosen)) return { ...head, content: <NoOrders /> };
  return ORDER_LIST.page({
    ...head,
    skipTo: { href: '#orders', text: 'Skip to orders' },
    actions: found.rows.length > 0 && (
      <>
        <DownloadLink href={filePath(chosen)}>Export CSV</DownloadLink>
        <DownloadLink href={filePath(chosen, { lines: 'yes' })}>CSV with items</DownloadLink>
      </>
    ),
    // A refresh elsewhere would clear the checkboxes.
    refreshSeconds: chosen.group === 'processing' ? lookAgain(tally.processing.since) : undefined,
    counts: isNarrowed(chosen)
      ? undefined
      : Object.fromEntries(TABS.map(({ value }) => [value, formatCount(countIn(tally, value))])),
    asked,
    found,
    context: { chosen, canPay },
    bar: canPay && <PayBar {...props} />,
    today,
  });
}

const filePath = ({ sort: _, ...chosen }: Chosen, lines = {}) =>
  withQuery(`${ORDERS}.csv`, { ...chosen, ...lines });

/** The list shows only a part of its group. */
const isNarrowed = ({ search, from, to }: Pick<Chosen, 'search' | 'from' | 'to'>) =>
  (search ?? from ?? to) !== undefined;

/** "Cancelled · 2". A search or a period that fills several pages is not counted. */
function titleOf({ tally, asked: { chosen, mark }, found }: Props): string {
  const { group, search } = chosen;
  const name = group === 'all' ? 'All orders' : GROUPS[group].name;
  const isWhole = mark === undefined && found.last === undefined;
  const count = isNarrowed(chosen)
    ? isWhole && formatNumber(found.rows.length)
    : formatCount(countIn(tally, group));
  const searched = search === undefined ? name : `${name} with “${search}”`;
  return count === false ? searched : `${searched} · ${count}`;
}

const countIn = ({ groups }: Tally, group: Group): BoundedCount =>
  group === 'all' ? sumOfCounts(Object.values(groups)) : groups[group];

const LEADS: Record<Exclude<OrderGroup, 'to_pay'>, string> = {
  processing: 'Do not pay these orders again. They are paid when the gateway confirms the payment.',
  paid: 'The wholesaler ships these orders next.',
  shipped: 'These parcels are on their way. Each order has a link to track its parcel.',
  delivered: 'These parcels were delivered.',
  cancelled: 'The stock of these orders is released. What was paid is back in your wallet.',
};

const Lead = ({ tally, asked, paymentWindowHours }: Props) => {
  const { group, sort } = asked.chosen;
  return (
    <>
      {group === 'all' || group === 'to_pay'
        ? `Orders not paid within ${paymentWindowHours} hours are cancelled, and their stock is released.`
        : LEADS[group]}
      {SORTS[sort].by === 'total' &&
        countIn(tally, group).orMore &&
        ` Only the newest ${formatNumber(SORTED_BY_TOTAL)} orders are sorted by total. ` +
          'Choose dates to see others.'}
    </>
  );
};

/** A search is sorted by date only. */
function columnsFor(chosen: Chosen): OrderColumn[] {
  const sortable: [OrderColumn, OrderSort, OrderSort][] = [[PLACED, 'newest', 'oldest']];
  if (chosen.search === undefined) sortable.push([TOTAL, 'highest', 'lowest']);
  return USUAL.map((column) => {
    const [, falling, rising] = sortable.find(([sorted]) => sorted === column) ?? [];
    if (falling === undefined || rising === undefined) return column;
    const { sort } = chosen;
    const now = sort === falling ? 'descending' : sort === rising ? 'ascending' : undefined;
    const href = ORDER_LIST.path({ ...chosen, sort: sort === falling ? rising : falling });
    return { ...column, sort: { href, now } };
  });
}

/** With scripts the button shows the total and pays at once. Without scripts it leads to the review page. */
const PayBar = ({ tally: { toPay, funds }, found, asked, currency }: Props) => {
  const back = ORDER_LIST.path(asked.chosen, asked.mark);
  return (
    <>
      {toPay.orders > found.rows.filter(isPayable).length && (
        <a href={reviewAllPath(back)}>
          <ReviewAll toPay={toPay} currency={currency} />
        </a>
      )}
      <Form action={PAY} id={PAY_FORM} hidden={{ balance: String(funds.available), back }} bare>
        <ChosenTotal name="total" limit={funds.available} />
        <ChosenButton
          chosen="Pay {count} from wallet · {total}"
          none="Choose orders to pay"
          beyond={{ minor: funds.available, says: 'Review and pay {count} · {total}' }}
          currency={currency}
        >
          Review and pay the selected orders
        </ChosenButton>
      </Form>
    </>
  );
};

/** The page of a store that has never ordered. */
const NoOrders = () => (
  <Card>
    <Empty next={{ href: API_ACCESS, text: 'Connect your store' }}>
      Your store has not placed any orders yet. New orders appear here.
    </Empty>
  </Card>
);
