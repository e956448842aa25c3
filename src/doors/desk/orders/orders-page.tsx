import type { BoundedCount } from '../../../orders/view/client-overview.js';
import type { OrderFilter } from '../../../orders/view/order-filter.js';
import type { DeskOrderDue } from '../../../orders/desk/order-desk.service.js';
import type { OrderStatus } from '../../../orders/rules/order-transitions.js';
import { Empty } from '../../../pages/components/layout.js';
import {
  amounts,
  type Column,
  counts,
  FORWARD,
  ListCard,
  Pager,
  SearchForm,
  Tabs,
  titles,
} from '../../../pages/components/lists.js';
import { Named, StateLabel, When } from '../../../pages/components/values.js';
import { countOf, dayOf, formatNumber } from '../../../pages/formats.js';
import { textIn, wordIn } from '../../../pages/forms.js';
import { type Page, withQuery } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import type { Day, TimeZone } from '../../../platform/time/time.js';
import { OrderState } from '../../shared/order-cards.js';
import {
  dayIn,
  type DayPeriod,
  given,
  isReversed,
  momentsOf,
  PeriodFields,
  REVERSED,
} from '../../../pages/components/period-fields.js';
import { clientPath, ORDERS, orderPath, packingPath } from '../paths.js';

const LONGEST_SEARCH = 100;

/** The tabs of the list. Orders to ship begin with the oldest. */
const TABS: readonly { status?: OrderStatus; text: string; title: (count: string) => string }[] = [
  { status: 'pending', text: 'To ship', title: (count) => `Orders to ship · ${count}` },
  { status: 'shipped', text: 'Shipped', title: (count) => `Shipped orders · ${count}` },
  { status: 'awaiting_payment', text: 'Awaiting payment', title: (count) => `Unpaid orders · ${count}` },
  { status: 'delivered', text: 'Delivered', title: (count) => `Delivered orders · ${count}` },
  { status: 'cancelled', text: 'Cancelled', title: (count) => `Cancelled orders · ${count}` },
  { text: 'All', title: (count) => `All orders · ${count}` },
];

/** What packers see in the list. */
const FOR_PACKERS: readonly (OrderStatus | undefined)[] = ['pending', 'shipped'];

/** The filter in the page's address. */
export interface Chosen extends DayPeriod {
  /** Without it the list has all orders. */
  status?: OrderStatus;
  search?: string;
  /** The number of a client, its name, e-mail address or domain. */
  client?: string;
}

export interface OrdersQuery {
  chosen: Chosen;
  after: string | undefined;
}

/** Parts of the address that make no sense are ignored. Without a tab the list has the orders to ship. */
export function readOrdersQuery(query: FormFields): OrdersQuery {
  const asked = textIn(query, 'status');
  return {
    chosen: given({
      status:
        asked === 'all' ? undefined : (TABS.find(({ status }) => status === asked)?.status ?? 'pending'),
      search: wordIn(query, 'search', LONGEST_SEARCH),
      client: wordIn(query, 'client', LONGEST_SEARCH),
      from: dayIn(query, 'from'),
      to: dayIn(query, 'to'),
    }),
    after: textIn(query, 'after') || undefined,
  };
}

/** Packers see no unpaid orders and no finished ones. */
export function forPacker({ status, client: _, ...chosen }: Chosen): Chosen {
  return { ...chosen, status: FOR_PACKERS.includes(status) && status ? status : 'pending' };
}

export function filterOf({ client: _, from, to, ...words }: Chosen, timeZone: TimeZone): OrderFilter {
  return { ...words, ...momentsOf({ from, to }, timeZone) };
}

export function ordersPath({ status, ...chosen }: Chosen, after?: string): string {
  return withQuery(ORDERS, {
    status: status === 'pending' ? undefined : (status ?? 'all'),
    ...chosen,
    after,
  });
}

interface Props {
  orders: readonly DeskOrderDue[];
  older: string | undefined;
  counts: Record<OrderStatus, BoundedCount>;
  query: OrdersQuery;
  isStaff: boolean;
  currency: string;
  today: Day;
  /** Why the client of the filter is not found. */
  refusal: string | undefined;
}

export function ordersPage(props: Props): Page {
  const { orders, older, query, isStaff, currency, refusal } = props;
  const { chosen, after } = query;
  const title = titleOf(props);
  return {
    title,
    lead: chosen.status === 'pending' && 'The oldest order comes first.',
    skipTo: { href: '#orders', text: 'Skip to orders' },
    ...(refusal !== undefined && { refusal, status: 422 }),
    ...(isReversed(chosen) && REVERSED),
    content: (
      <>
        <Filter {...props} />
        <ListCard
          id="orders"
          caption={title}
          columns={
            isStaff
              ? [...columnsFor(isStaff, chosen.status), amounts('Total', currency, totalOf, 'amount')]
              : columnsFor(isStaff, chosen.status)
          }
          rows={orders}
          empty={<NoOrders {...props} />}
          pager={<Pager words={FORWARD} at={after} next={older} path={(from) => ordersPath(chosen, from)} />}
        />
      </>
    ),
  };
}

const totalOf = ({ total }: DeskOrderDue) => minorFromNumeric(total);

const isNarrowed = ({ search, from, to }: Chosen) => (search ?? from ?? to) !== undefined;

/** A search or a period that fills several pages is not counted. */
function titleOf({ orders, older, counts: counted, query: { chosen, after } }: Props): string {
  const tab = TABS.find(({ status }) => status === chosen.status)!;
  const all = Object.values(counted);
  const count =
    chosen.status === undefined
      ? { count: all.reduce((sum, one) => sum + one.count, 0), orMore: all.some(({ orMore }) => orMore) }
      : counted[chosen.status];
  if (!isNarrowed(chosen)) return tab.title(told(count));
  const found = older === undefined && after === undefined ? formatNumber(orders.length) : 'search';
  return tab.title(found);
}

const told = ({ count, orMore }: BoundedCount) => `${formatNumber(count)}${orMore ? '+' : ''}`;

const Filter = ({ counts: counted, query: { chosen }, isStaff, today }: Props) => (
  <div class="stack filter">
    <Tabs
      label="Orders by status"
      tabs={TABS.filter(({ status }) => isStaff || FOR_PACKERS.includes(status)).map(({ status, text }) => ({
        href: ordersPath({ ...chosen, status }),
        text,
        current: status === chosen.status,
        count: isNarrowed(chosen) || status === undefined ? undefined : told(counted[status]),
      }))}
    />
    <SearchForm
      action={ORDERS}
      name="search"
      label="Number, the store’s id, customer, phone, city or tracking number"
      placeholder="Number, customer, phone or tracking"
      value={chosen.search}
      maxlength={LONGEST_SEARCH}
      hidden={chosen.status === 'pending' ? {} : { status: chosen.status ?? 'all' }}
    >
      {isStaff && (
        <label>
          Client
          <input type="text" name="client" value={chosen.client} maxlength={LONGEST_SEARCH} />
        </label>
      )}
      <PeriodFields period={chosen} today={today} pathOf={(period) => ordersPath({ ...chosen, ...period })} />
    </SearchForm>
  </div>
);

export function columnsFor(isStaff: boolean, status: OrderStatus | undefined): Column<DeskOrderDue>[] {
  return [
    {
      ...titles('Order', ({ orderNumber, storeOrderId }) => ({
        text: orderNumber,
        href: orderPath(orderNumber),
        detail: storeOrderId,
      })),
      nowrap: true,
    },
    {
      heading: 'Client',
      cell: ({ clientId, client }) => (isStaff ? <a href={clientPath(clientId)}>{client}</a> : client),
    },
    { heading: 'Customer', as: 'line', cell: (order) => `${order.customerName}, ${order.shippingCity}` },
    {
      heading: 'Placed',
      as: 'line',
      cell: ({ placedAt, paidAt }) => (
        <Named
          detail={
            paidAt && (
              <>
                paid <When at={paidAt} />
              </>
            )
          }
        >
          <When at={placedAt} />
        </Named>
      ),
    },
    ...(status === 'pending' ? [SHIP_BY] : []),
    { heading: 'Status', as: 'state', cell: (order) => <State order={order} /> },
    counts('Lines', ({ itemsCount }) => itemsCount),
  ];
}

const SHIP_BY: Column<DeskOrderDue> = {
  heading: 'Ship by',
  nowrap: true,
  cell: ({ shipBy }) =>
    shipBy && (
      <Named detail={shipBy.daysLate === 0 ? null : <Late days={shipBy.daysLate} />}>
        {dayOf(Date.parse(shipBy.day), 'UTC')}
      </Named>
    ),
};

export const Late = ({ days }: { days: number }) => (
  <StateLabel kind="bad">{countOf(days, 'day', 'days')} late</StateLabel>
);

const State = ({ order }: { order: DeskOrderDue }) => {
  const { status, packingList, shippedAt, courier, trackingNumber } = order;
  const isPartly = status === 'pending' && shippedAt !== null;
  return (
    <Named
      detail={
        status === 'pending' && packingList !== null ? (
          <a href={packingPath(packingList)}>packing list {packingList}</a>
        ) : status === 'shipped' ? (
          [courier, trackingNumber].filter(Boolean).join(' ')
        ) : isPartly ? (
          'left in part'
        ) : null
      }
    >
      <OrderState order={order} />
    </Named>
  );
};

const NoOrders = ({ query: { chosen, after }, refusal }: Props) => {
  if (isNarrowed(chosen) || after !== undefined || chosen.client !== undefined || refusal !== undefined)
    return (
      <Empty next={{ href: ordersPath({ status: chosen.status }), text: 'Clear the search' }}>
        No order matches. Search with at least three letters of a name, a phone number or a tracking number.
      </Empty>
    );
  return <Empty>{`${countOf(0, 'order', 'orders')} in this status now.`}</Empty>;
};
