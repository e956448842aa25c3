import type { DeskOrderDue } from '../../../modules/orders/records/order-desk.service.js';
import type { OrderStatus } from '../../../modules/orders/rules/order-transitions.js';
import { cursorOf, writeOrderCursor } from '../../../modules/orders/records/order-cursor.js';
import { ChooseRow, ChosenButton, Form } from '../../../shared/ui/components/controls.js';
import { amounts, type Column, counts, titles } from '../../../shared/ui/components/lists.js';
import { Named, StateLabel, When } from '../../../shared/ui/components/values.js';
import { countOf, dayOf, formatCount, formatNumber } from '../../../shared/ui/formats.js';
import { type AskedOf, ListPage } from '../../../shared/ui/list-page.js';
import { type BoundedCount, type OnePage, sumOfCounts } from '../../../platform/lists/bounded-lists.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { OrderState } from '../../shared/order-cards.js';
import { CHOSEN_ORDERS, clientPath, ORDERS, orderPath, packingPath } from '../paths.js';

const LONGEST_SEARCH = 100;

/** The tabs of the list. Orders to ship begin with the oldest. */
const TABS = [
  { value: 'pending', text: 'To ship', title: 'Orders to ship' },
  { value: 'shipped', text: 'Shipped', title: 'Shipped orders' },
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
  byTime: Column<DeskOrderDue>['sort'];
}

/** Orders to ship begin with the oldest, others with the newest, unless a person chooses. */
export const sortOf = ({ status, sort }: { status: Tab['value']; sort: 'usual' | 'newest' | 'oldest' }) =>
  sort === 'usual' ? (status === 'pending' ? 'oldest' : 'newest') : sort;

/** Packers see no unpaid orders and no finished ones. */
const orderList = (isStaff: boolean) =>
  new ListPage({
    path: ORDERS,
    id: 'orders',
    caption: 'Orders',
    filters: {
      status: { as: 'tabs', label: 'Orders by status', options: isStaff ? TABS : TABS.slice(0, 2) },
      search: {
        as: 'search',
        label: 'Number, the store’s id, customer, phone, city or tracking number',
        placeholder: 'Number, customer, phone or tracking',
        longest: LONGEST_SEARCH,
      },
      client: { as: 'word', label: 'Client', longest: LONGEST_SEARCH, isHidden: !isStaff },
      sort: { as: 'view', options: [{ value: 'usual' }, { value: 'newest' }, { value: 'oldest' }] },
    },
    hasDays: true,
    mark: {
      name: 'after',
      kind: 'text',
      of: (order: DeskOrderDue) => writeOrderCursor(cursorOf(order.clientId, order)),
    },
    columns: ({ status, currency, byTime }: Context) => [
      ...(DEEDS[status] ? [CHOICE] : []),
      ...columnsFor(isStaff, status, byTime),
      ...(isStaff ? [amounts('Total', currency, totalOf, 'amount')] : []),
    ],
    empty: {
      none: '0 orders in this status now.',
      noMatch: 'No order matches. Search with at least three letters of a name, or a number.',
      all: { text: 'Clear the search' },
    },
  });

export const ORDER_LISTS = { staff: orderList(true), packer: orderList(false) };

interface HeadProps {
  asked: AskedOf<typeof ORDER_LISTS.staff>;
  found: OnePage<DeskOrderDue>;
  counts: Record<OrderStatus, BoundedCount>;
}

/** The head of the list. A search or a period that fills several pages is not counted. */
export function ordersHead({ asked, found, counts: counted }: HeadProps) {
  const { status, search, from, to } = asked.chosen;
  const isNarrowed = (search ?? from ?? to) !== undefined;
  const count = status === 'all' ? sumOfCounts(Object.values(counted)) : counted[status];
  const matching =
    found.last === undefined && asked.mark === undefined ? formatNumber(found.rows.length) : 'search';
  const { title } = TABS.find(({ value }) => value === status)!;
  return {
    title: `${title} · ${isNarrowed ? matching : formatCount(count)}`,
    lead: sortOf(asked.chosen) === 'oldest' && 'The oldest order comes first.',
    skipTo: { href: '#orders', text: 'Skip to orders' },
    counts: isNarrowed
      ? undefined
      : Object.fromEntries(Object.entries(counted).map(([name, one]) => [name, formatCount(one)])),
  };
}

const totalOf = ({ total }: DeskOrderDue) => minorFromNumeric(total);

const CHOSEN_FORM = 'chosen-orders';

/** Actions on several orders of a tab. */
const DEEDS: Partial<Record<Tab['value'], readonly { deed: string; chosen: string; text: string }[]>> = {
  pending: [
    { deed: 'list', chosen: 'New packing list of {count}', text: 'New packing list' },
    { deed: 'ship', chosen: 'Ship {count}', text: 'Ship' },
  ],
  shipped: [{ deed: 'deliver', chosen: 'Delivered: {count}', text: 'Delivered' }],
};

/** The buttons below the list. */
export const chosenBar = (status: Tab['value']) => {
  const deeds = DEEDS[status];
  return (
    deeds && (
      <Form action={CHOSEN_ORDERS} id={CHOSEN_FORM} bare>
        <div class="actions">
          {deeds.map(({ deed, chosen, text }, at) => (
            <ChosenButton
              name="deed"
              value={deed}
              chosen={chosen}
              none={text}
              kind={at === deeds.length - 1 ? 'primary' : 'plain'}
            >
              {`${text} (the chosen ones)`}
            </ChosenButton>
          ))}
        </div>
      </Form>
    )
  );
};

const CHOICE: Column<DeskOrderDue> = {
  heading: '',
  as: 'choice',
  cell: ({ orderNumber }) => (
    <ChooseRow name="order" value={orderNumber} label={`Choose order ${orderNumber}`} form={CHOSEN_FORM} />
  ),
};

export function columnsFor(
  isStaff: boolean,
  status: Tab['value'],
  byTime?: Context['byTime'],
): Column<DeskOrderDue>[] {
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
      ...(byTime && { sort: byTime }),
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
