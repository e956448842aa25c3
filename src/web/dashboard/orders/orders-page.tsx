import type { OrderGroupCounts } from '../../../modules/orders/records/client-overview.repository.js';
import type { ClientOrderPageItem } from '../../../modules/orders/records/client-orders.service.js';
import { writeOrderCursor } from '../../../modules/orders/records/order-cursor.js';
import { ORDER_SORTS, type OrderSort, SORTS } from '../../../modules/orders/records/order-filter.js';
import { SORTED_BY_TOTAL } from '../../../modules/orders/records/order-view.repository.js';
import { isPayable, ORDER_GROUPS, type OrderGroup } from '../../../modules/orders/rules/order-transitions.js';
import {
  ButtonLink,
  SelectionButton,
  SelectedTotal,
  DownloadLink,
  Form,
} from '../../../shared/ui/components/controls.js';
import { Card, Empty } from '../../../shared/ui/components/layout.js';
import type { DayPeriod } from '../../../shared/ui/components/period-fields.js';
import { formatCount, formatNumber, refreshSecondsAfter } from '../../../platform/formats.js';
import { type QueryOf, ListPage } from '../../../shared/ui/list-page.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { type BoundedCount, type OnePage, sumOfCounts } from '../../../platform/lists/bounded-lists.js';
import type { Day } from '../../../platform/time/time.js';
import { GROUPS } from '../../shared/order-cards.js';
import { ReviewAll } from '../paying/review-page.js';
import { API_ACCESS, NEW_ORDER, ORDERS, PAY, reviewAllPath } from '../paths.js';
import { DOMAIN, selectColumn, type OrderColumn, PLACED, TOTAL, ORDER_LIST_COLUMNS } from './orders-table.js';

type Group = OrderGroup | 'all';

/** The filter in the address of the list. */
interface OrderListFilter extends DayPeriod {
  group: Group;
  search: string | undefined;
  domain: string | undefined;
  sort: OrderSort;
}

const TABS: readonly { value: Group; text: string }[] = [
  { value: 'all', text: 'All' },
  ...ORDER_GROUPS.map((value) => ({ value, text: GROUPS[value].name })),
];

const PAY_FORM = 'pay';

/** A client with one store chooses no domain. */
const orderList = (domains: readonly string[]) =>
  new ListPage({
    path: ORDERS,
    id: 'orders',
    caption: 'Orders',
    filters: {
      group: { as: 'tabs', label: 'Orders by state', options: TABS },
      search: {
        as: 'search',
        label: 'Order number, your own id, or customer',
        placeholder: 'Number, your id or customer',
        maxLength: 100,
      },
      domain: {
        as: 'choice',
        label: 'Domain',
        all: 'All domains',
        options: domains.map((value) => ({ value, text: value })),
      },
      sort: { as: 'view', options: ORDER_SORTS.map((value) => ({ value })) },
    },
    hasDays: true,
    mark: { name: 'after', kind: 'text', of: ({ cursor }: ClientOrderPageItem) => writeOrderCursor(cursor) },
    columns: ({ hasPayableOrders, ...context }: ListContext & { hasPayableOrders: boolean }) => [
      ...(hasPayableOrders ? [selectColumn(PAY_FORM)] : []),
      ...columnsFor(context, domains.length > 0),
    ],
    empty: {
      none: 'No orders yet.',
      noMatch: (selected) =>
        isNarrowed(selected)
          ? 'No order matches. Search with at least three letters of a name, a phone number or your own id.'
          : 'No orders are in this state now.',
      all: (selected) =>
        isNarrowed(selected)
          ? { text: 'Clear the search and the dates', selected: { group: selected.group } }
          : { text: 'Show all orders' },
    },
  });

/** A search is sorted by date only: see `OrderViewRepository`. */
export function readOrdersQuery(fields: FormFields, domains: readonly string[]): OrdersQuery {
  const list = orderList(domains.length > 1 ? domains : []);
  const { selected, mark } = list.read(fields);
  const { search, sort } = selected;
  const mustSortByDate = search !== undefined && SORTS[sort].by === 'total';
  return { list, selected: { ...selected, sort: mustSortByDate ? 'newest' : sort }, mark };
}

type OrderList = ReturnType<typeof orderList>;

type OrdersQuery = QueryOf<OrderList> & { list: OrderList };

interface Props {
  tally: OrderGroupCounts;
  query: OrdersQuery;
  result: OnePage<ClientOrderPageItem>;
  mayPay: boolean;
  paymentWindowHours: number;
  currency: string;
  /** In the client's time zone. */
  today: Day;
}

export function ordersPage(props: Props): Page {
  const { tally, query, result, mayPay, today } = props;
  const { selected } = query;
  const hasPayableOrders = mayPay && result.rows.some(isPayable);
  const actions = mayPay && <ButtonLink href={NEW_ORDER}>New order</ButtonLink>;
  const head = { title: titleOf(props), lead: <Lead {...props} />, actions };
  if (countIn(tally, 'all').count === 0 && !isNarrowed(selected)) return { ...head, content: <NoOrders /> };
  return query.list.page({
    ...head,
    skipTo: { href: '#orders', text: 'Skip to orders' },
    actions:
      result.rows.length === 0 ? (
        actions
      ) : (
        <>
          <DownloadLink href={filePath(selected)}>Export CSV</DownloadLink>
          <DownloadLink href={filePath(selected, { lines: 'yes' })}>CSV with items</DownloadLink>
          {actions}
        </>
      ),
    // A refresh elsewhere would clear the checkboxes.
    refreshSeconds: selected.group === 'processing' ? refreshSecondsAfter(tally.processing.since) : undefined,
    counts: isNarrowed(selected)
      ? undefined
      : Object.fromEntries(TABS.map(({ value }) => [value, formatCount(countIn(tally, value))])),
    query,
    result,
    context: { selected, hasPayableOrders, pathOf: (changed) => query.list.path(changed) },
    bar: hasPayableOrders && <PayBar {...props} />,
    today,
  });
}

const filePath = ({ sort: _, ...selected }: OrderListFilter, lines = {}) =>
  withQuery(`${ORDERS}.csv`, { ...selected, ...lines });

/** The list shows only a part of its group. */
const isNarrowed = ({
  search,
  domain,
  from,
  to,
}: Pick<OrderListFilter, 'search' | 'domain' | 'from' | 'to'>) =>
  (search ?? domain ?? from ?? to) !== undefined;

/** "Cancelled · 2". A search or a period that fills several pages is not counted. */
function titleOf({ tally, query: { selected, mark }, result }: Props): string {
  const { group, search } = selected;
  const name = group === 'all' ? 'All orders' : GROUPS[group].name;
  const isWhole = mark === undefined && result.last === undefined;
  const count = isNarrowed(selected)
    ? isWhole && formatNumber(result.rows.length)
    : formatCount(countIn(tally, group));
  const searched = search === undefined ? name : `${name} with “${search}”`;
  return count === false ? searched : `${searched} · ${count}`;
}

const countIn = ({ groups }: OrderGroupCounts, group: Group): BoundedCount =>
  group === 'all' ? sumOfCounts(Object.values(groups)) : groups[group];

const LEADS: Record<Exclude<OrderGroup, 'to_pay'>, string> = {
  processing: 'Do not pay these orders again. They are paid when the gateway confirms the payment.',
  paid: 'The wholesaler ships these orders next.',
  shipped: 'These parcels are on their way. Each order has a link to track its parcel.',
  not_arriving: 'No parcel of these orders is on its way to the customer: RTO, lost, or returned.',
  delivered: 'These parcels were delivered.',
  cancelled: 'The stock of these orders is released. What was paid is back in your wallet.',
};

const Lead = ({ tally, query, paymentWindowHours }: Props) => {
  const { group, sort } = query.selected;
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

interface ListContext {
  selected: OrderListFilter;
  pathOf: (selected: OrderListFilter) => string;
}

/** A search is sorted by date only. */
function columnsFor({ selected, pathOf }: ListContext, hasDomains: boolean): OrderColumn[] {
  const sortable: [OrderColumn, OrderSort, OrderSort][] = [[PLACED, 'newest', 'oldest']];
  if (selected.search === undefined) sortable.push([TOTAL, 'highest', 'lowest']);
  const [order, ...others] = ORDER_LIST_COLUMNS;
  return [order!, ...(hasDomains ? [DOMAIN] : []), ...others].map((column) => {
    const [, falling, rising] = sortable.find(([sorted]) => sorted === column) ?? [];
    if (falling === undefined || rising === undefined) return column;
    const { sort } = selected;
    const now = sort === falling ? 'descending' : sort === rising ? 'ascending' : undefined;
    const href = pathOf({ ...selected, sort: sort === falling ? rising : falling });
    return { ...column, sort: { href, now } };
  });
}

/** With scripts the button shows the total and pays at once. Without scripts it leads to the review page. */
const PayBar = ({ tally: { toPay, funds }, result, query, currency }: Props) => {
  const back = query.list.path(query.selected, query.mark);
  return (
    <>
      {toPay.orders > result.rows.filter(isPayable).length && (
        <a href={reviewAllPath(back)}>
          <ReviewAll toPay={toPay} currency={currency} />
        </a>
      )}
      <Form action={PAY} id={PAY_FORM} hidden={{ balance: String(funds.available), back }} bare>
        <SelectedTotal name="total" limit={funds.available} />
        <SelectionButton
          selectedLabel="Pay {count} from wallet · {total}"
          emptyLabel="Choose orders to pay"
          aboveLimit={{ minor: funds.available, label: 'Review and pay {count} · {total}' }}
          currency={currency}
        >
          Review and pay the selected orders
        </SelectionButton>
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
