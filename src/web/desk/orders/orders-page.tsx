import type { DeskOrderListItem } from '../../../modules/orders/records/order-desk.service.js';
import type { OrderStatus } from '../../../modules/orders/rules/order-transitions.js';
import { cursorOf, writeOrderCursor } from '../../../modules/orders/records/order-cursor.js';
import { RowCheckbox, SelectionButton, Form } from '../../../shared/ui/components/controls.js';
import { amountColumn, type ListColumn, countColumn } from '../../../shared/ui/components/lists.js';
import { NameWithDetail, StateLabel, RelativeTime } from '../../../shared/ui/components/values.js';
import { countOf, formatDay, formatCount, formatNumber } from '../../../platform/formats.js';
import { type QueryOf, ListPage } from '../../../shared/ui/list-page.js';
import { type BoundedCount, type OnePage, sumOfCounts } from '../../../platform/lists/bounded-lists.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { DESK_ROLES, may, type RoleHolder } from '../../../platform/access/signed-in-person.js';
import { orderColumn, OrderState } from '../../shared/order-cards.js';
import { SELECTED_ORDERS, clientPath, ORDERS, orderPath, packingPath } from '../paths.js';

const MAX_SEARCH_LENGTH = 100;

/** The tabs of the list. */
const TABS = [
  { value: 'pending', text: 'To ship', title: 'Orders to ship' },
  { value: 'partly', text: 'Partly shipped', title: 'Partly shipped orders' },
  { value: 'shipped', text: 'Shipped', title: 'Shipped orders' },
  { value: 'late', text: 'Not delivered in time', title: 'Orders not delivered in time' },
  { value: 'not_arriving', text: 'Came back or lost', title: 'Orders that came back or are lost' },
  { value: 'awaiting_payment', text: 'Awaiting payment', title: 'Unpaid orders' },
  { value: 'delivered', text: 'Delivered', title: 'Delivered orders' },
  { value: 'cancelled', text: 'Cancelled', title: 'Cancelled orders' },
  { value: 'all', text: 'All', title: 'All orders' },
] as const;

type Tab = (typeof TABS)[number];

interface Context {
  status: Tab['value'];
  currency: string;
  /** The sort order, and the link to the other one. */
  byTime: ListColumn<DeskOrderListItem>['sort'];
}

const USUAL_SORTS = { pending: 'paid', partly: 'paid', late: 'shipped' } as const;

/** Waiting orders begin with the one that waits longest, others with the newest, unless a person chooses. */
export const sortOf = ({ status, sort }: { status: Tab['value']; sort: 'usual' | 'newest' | 'oldest' }) =>
  sort !== 'usual'
    ? sort
    : status in USUAL_SORTS
      ? USUAL_SORTS[status as keyof typeof USUAL_SORTS]
      : 'newest';

const NO_ORDERS = '0 orders in this status now.';

const isNarrowed = ({ search, from, to }: { search?: string; from?: unknown; to?: unknown }) =>
  (search ?? from ?? to) !== undefined;

/** Without all orders: those that are paid and not finished. */
const tabsFor = (me: RoleHolder) => (may(me, 'see all orders') ? TABS : TABS.slice(0, 5));

const orderList = (me: RoleHolder) =>
  new ListPage({
    path: ORDERS,
    id: 'orders',
    caption: 'Orders',
    filters: {
      status: { as: 'tabs', label: 'Orders by status', options: tabsFor(me) },
      search: {
        as: 'search',
        label: 'Number, the store’s id, customer, phone, city or tracking number',
        placeholder: 'Number, customer, phone or tracking',
        maxLength: MAX_SEARCH_LENGTH,
      },
      client: {
        as: 'word',
        label: 'Client',
        maxLength: MAX_SEARCH_LENGTH,
        isHidden: !may(me, 'see clients'),
      },
      sort: { as: 'view', options: [{ value: 'usual' }, { value: 'newest' }, { value: 'oldest' }] },
    },
    hasDays: true,
    mark: {
      name: 'after',
      kind: 'text',
      of: (order: DeskOrderListItem) => writeOrderCursor(cursorOf(order.clientId, order)),
    },
    columns: ({ status, currency, byTime }: Context) => [
      ...(BULK_ACTIONS[status] ? [CHOICE] : []),
      ...columnsFor(me, status, byTime),
      ...(may(me, 'see amounts') ? [amountColumn('Total', currency, totalOf, 'amount')] : []),
    ],
    empty: {
      none: NO_ORDERS,
      noMatch: (selected) =>
        isNarrowed(selected)
          ? 'No order matches. Search with at least three letters of a name, or a number.'
          : NO_ORDERS,
      all: (selected) => ({ text: isNarrowed(selected) ? 'Clear the search' : 'Orders to ship' }),
    },
  });

const [packer, staff, admin] = DESK_ROLES.map((role) => orderList({ clientId: null, role }));
export const ORDER_LISTS = { packer: packer!, staff: staff!, admin: admin! };

const LEADS = {
  paid: 'The oldest payment comes first.',
  shipped: 'The oldest shipment comes first. Record what the courier reports.',
  oldest: 'The oldest order comes first.',
  newest: '',
};

interface HeadProps {
  query: QueryOf<typeof ORDER_LISTS.staff>;
  found: OnePage<DeskOrderListItem>;
  counts: Record<OrderStatus, BoundedCount>;
  /** Of other tabs. */
  others: Partial<Record<Tab['value'], BoundedCount>>;
}

/** The head of the list. A search or a period that fills several pages is not counted. */
export function ordersHead({ query, found, counts, others }: HeadProps) {
  const { status } = query.selected;
  const narrowed = isNarrowed(query.selected);
  const counted: HeadProps['others'] = { ...counts, ...others };
  const count = status === 'all' ? sumOfCounts(Object.values(counts)) : counted[status]!;
  const matching =
    found.last === undefined && query.mark === undefined ? formatNumber(found.rows.length) : 'search';
  const { title } = TABS.find(({ value }) => value === status)!;
  return {
    title: `${title} · ${narrowed ? matching : formatCount(count)}`,
    lead: LEADS[sortOf(query.selected)],
    skipTo: { href: '#orders', text: 'Skip to orders' },
    counts: narrowed
      ? undefined
      : Object.fromEntries(Object.entries(counted).map(([name, one]) => [name, formatCount(one)])),
  };
}

const totalOf = ({ total }: DeskOrderListItem) => minorFromNumeric(total);

const SELECTION_FORM = 'chosen-orders';

const SHIP = [
  { action: 'list', selectedText: 'New packing list of {count}', text: 'New packing list' },
  { action: 'ship', selectedText: 'Ship {count}', text: 'Ship' },
];
const DELIVER = { action: 'deliver', selectedText: 'Delivered: {count}', text: 'Delivered' };

/** Actions on several orders of a tab. */
const BULK_ACTIONS: Partial<
  Record<Tab['value'], readonly { action: string; selectedText: string; text: string }[]>
> = {
  pending: SHIP,
  partly: SHIP,
  shipped: [DELIVER],
  late: [DELIVER],
};

/** The buttons below the list. */
export const bulkActionBar = (status: Tab['value']) => {
  const actions = BULK_ACTIONS[status];
  return (
    actions && (
      <Form action={SELECTED_ORDERS} id={SELECTION_FORM} bare>
        <div class="actions">
          {actions.map(({ action, selectedText, text }, at) => (
            <SelectionButton
              name="action"
              value={action}
              selectedLabel={selectedText}
              emptyLabel={text}
              kind={at === actions.length - 1 ? 'primary' : 'plain'}
            >
              {`${text} (the chosen ones)`}
            </SelectionButton>
          ))}
        </div>
      </Form>
    )
  );
};

const CHOICE: ListColumn<DeskOrderListItem> = {
  heading: '',
  as: 'choice',
  cell: ({ orderNumber }) => (
    <RowCheckbox
      name="order"
      value={orderNumber}
      label={`Choose order ${orderNumber}`}
      form={SELECTION_FORM}
    />
  ),
};

export function columnsFor(
  me: RoleHolder,
  status: Tab['value'],
  byTime?: Context['byTime'],
): ListColumn<DeskOrderListItem>[] {
  return [
    orderColumn(({ orderNumber, storeOrderId }) => [orderNumber, storeOrderId], orderPath),
    {
      heading: 'Client',
      cell: ({ clientId, client, isSuspended }) => (
        <NameWithDetail detail={isSuspended ? <StateLabel kind="bad">Suspended</StateLabel> : null}>
          {may(me, 'see clients') ? <a href={clientPath(clientId)}>{client}</a> : client}
        </NameWithDetail>
      ),
    },
    { heading: 'Customer', as: 'line', cell: (order) => `${order.customerName}, ${order.shippingCity}` },
    {
      heading: 'Placed',
      as: 'line',
      ...(byTime && { sort: byTime }),
      cell: ({ placedAt, paidAt }) => (
        <NameWithDetail
          detail={
            paidAt && (
              <>
                paid <RelativeTime at={paidAt} />
              </>
            )
          }
        >
          <RelativeTime at={placedAt} />
        </NameWithDetail>
      ),
    },
    ...(status === 'pending' || status === 'partly' ? [SHIP_BY] : []),
    { heading: 'Status', as: 'state', cell: (order) => <State order={order} /> },
    countColumn('Lines', ({ itemsCount }) => itemsCount),
  ];
}

const SHIP_BY: ListColumn<DeskOrderListItem> = {
  heading: 'Ship by',
  nowrap: true,
  cell: ({ shipBy }) =>
    shipBy && (
      <NameWithDetail detail={shipBy.daysLate === 0 ? null : <Late days={shipBy.daysLate} />}>
        {formatDay(shipBy.day)}
      </NameWithDetail>
    ),
};

export const Late = ({ days }: { days: number }) => (
  <StateLabel kind="bad">{countOf(days, 'day', 'days')} late</StateLabel>
);

const State = ({ order }: { order: DeskOrderListItem }) => {
  const { status, packingList, courier, trackingNumber } = order;
  return (
    <NameWithDetail
      detail={
        status === 'pending' && packingList !== null ? (
          <a href={packingPath(packingList)}>packing list {packingList}</a>
        ) : status === 'shipped' ? (
          [courier, trackingNumber].filter(Boolean).join(' ')
        ) : null
      }
    >
      <OrderState order={order} />
    </NameWithDetail>
  );
};
