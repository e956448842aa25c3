import type { LAYOUT_NAMES } from '../../../shared/pdf/layouts.js';
import type {
  PackingListOrder,
  PackingListView,
} from '../../../modules/fulfilment/packing/packing.repository.js';
import type { PackingService } from '../../../modules/fulfilment/packing/packing.service.js';
import type {
  PastedShipment,
  PasteResult,
} from '../../../modules/fulfilment/parcels/pasted-parcels.service.js';
import type { RowFault } from '../../../shared/imports/import-kind.js';
import { OPTION_LABELS } from '../../../shared/imports/option-labels.js';
import type { DeskOrderRow } from '../../../modules/orders/records/order-record.js';
import type { DeskOrderPage } from '../../../modules/orders/records/order-desk.service.js';
import {
  Button,
  ButtonLink,
  Checks,
  DownloadLink,
  Field,
  FormCard,
  TextArea,
} from '../../../shared/ui/components/controls.js';
import { Card, Empty, Facts } from '../../../shared/ui/components/layout.js';
import {
  type ListColumn,
  countColumn,
  ListCard,
  timeColumn,
  titleColumn,
} from '../../../shared/ui/components/lists.js';
import {
  ExactTime,
  NameWithDetail,
  stateLabel,
  type States,
  RelativeTime,
} from '../../../shared/ui/components/values.js';
import { formatCount, countOf, formatNumber } from '../../../platform/formats.js';
import { type QueryOf, ListPage } from '../../../shared/ui/list-page.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import { fingerprintOf } from '../../../platform/http/representation.js';
import type { OnePage } from '../../../platform/lists/bounded-lists.js';
import { orderColumn, OrderState } from '../../shared/order-cards.js';
import { reviewPage } from '../action.js';
import { IMPORTS, orderPath, ORDERS, PACKING, packingPath, packPath, slipsPath } from '../paths.js';
import { authorWords, DoneBy } from '../words.js';
import { OLD_SLIPS_HINT, ScanForm } from './pick-pages.js';

export const SHIP_MANY = `${PACKING}/ship`;

export const PACKING_LISTS = new ListPage({
  path: PACKING,
  caption: 'Packing lists',
  filters: {},
  mark: { name: 'before', kind: 'number', of: ({ packing_list: list }: PackingListView) => list },
  columns: (): ListColumn<PackingListView>[] => [
    titleColumn('List', ({ packing_list: list, client }) => ({
      text: `List ${list}`,
      href: packingPath(list),
      detail: client === null ? null : `only ${client}`,
    })),
    {
      heading: 'Made',
      cell: ({ made_at, actor }) => (
        <NameWithDetail detail={authorWords(actor)}>
          <RelativeTime at={made_at} />
        </NameWithDetail>
      ),
    },
    countColumn('Orders', ({ orders }) => orders),
    countColumn('To ship', ({ to_ship }) => to_ship),
    countColumn('Shipped', ({ shipped }) => shipped),
    countColumn('Cancelled', ({ cancelled }) => cancelled),
    countColumn('Left the list', leftOf),
    { heading: 'State', as: 'state', cell: (list) => stateLabel(stateOf(list)) },
  ],
  empty: { none: 'No packing list was made yet.' },
});

/** Orders that are on no list or another one: shipped in part, or free after it was dropped. */
const leftOf = ({ orders, to_ship, shipped, cancelled }: PackingListView): number =>
  orders - to_ship - shipped - cancelled;

function stateOf({ dropped_at, to_ship }: PackingListView): States<string>[string] {
  if (dropped_at !== null) return { name: 'Dropped', kind: 'quiet' };
  return to_ship > 0 ? { name: 'To ship', kind: 'warn' } : { name: 'Done', kind: 'accent' };
}

interface ListsProps {
  waiting: Awaited<ReturnType<PackingService['waiting']>>;
  query: QueryOf<typeof PACKING_LISTS>;
  found: OnePage<PackingListView>;
  /** Keeps a form that is posted twice from making two lists. */
  key: string;
}

const back = { href: PACKING, text: 'Packing' };

export function packingPage({ waiting, query, found, key }: ListsProps): Page {
  const { count } = waiting.orders;
  const orders = formatCount(waiting.orders);
  return {
    title:
      count === 0
        ? 'No orders wait for a packing list'
        : `${orders} paid ${count === 1 ? 'order waits' : 'orders wait'} for a packing list`,
    lead: waiting.oldest && (
      <>
        The oldest was paid <RelativeTime at={waiting.oldest} />. A list takes the oldest orders first.
      </>
    ),
    actions: <ButtonLink href={SHIP_MANY}>Ship many</ButtonLink>,
    content: (
      <>
        {count > 0 && (
          <FormCard title="New packing list" action={PACKING} hidden={{ key }}>
            <Field
              label="How many orders"
              hint={`Up to ${orders} now. An order is on one list only; a list can be dropped.`}
              name="orders"
              value={String(Math.min(count, 20))}
              inputmode="numeric"
              maxlength={6}
              required
            />
            <Button kind="primary">Make the list</Button>
          </FormCard>
        )}
        {PACKING_LISTS.card({ title: 'Packing lists', query, result: found, context: {} })}
      </>
    ),
  };
}

const SLIPS: Record<(typeof LAYOUT_NAMES)[number], string> = {
  page: 'Slips, one a page',
  half: 'Slips, two a page',
  label: 'Labels, 4 × 6 inches',
};

interface ListProps {
  list: PackingListView;
  orders: readonly PackingListOrder[];
  /** Only the orders that need these goods. */
  code?: string;
}

export function packingListPage({ list, orders, code = '' }: ListProps): Page {
  const { packing_list: number, to_ship, made_at, actor, dropped_at, cancelled } = list;
  const path = packingPath(number);
  const isUnknown = code !== '' && orders.length === 0;
  const old = orders.filter((one) => one.slip_is_old).length;
  return {
    title: `Packing list ${number}: ${to_ship > 0 ? countOf(to_ship, 'order', 'orders') : 'nothing'} to ship`,
    lead: (
      <>
        Made <DoneBy at={made_at} by={actor} />.
        {old > 0 &&
          ` ${countOf(old, 'slip is', 'slips are')} older than a change: print again what is marked.`}
        {cancelled > 0 && ` Do not pack the cancelled ${cancelled === 1 ? 'order' : 'orders'}.`}
        {dropped_at && (
          <>
            {' '}
            Dropped <ExactTime at={dropped_at} />.
          </>
        )}
      </>
    ),
    back,
    ...(isUnknown && { refusal: `No order of this list has or needs ${code}.`, status: 422 }),
    content: (
      <>
        {to_ship > 0 && (
          <Card title="Pack">
            <ScanForm list={number} value={code} />
            <p class="actions">
              <ButtonLink href={`${path}/goods`}>Goods by shelf</ButtonLink>
              <ButtonLink href={SHIP_MANY}>Ship many</ButtonLink>
              <DownloadLink href={`${path}/list.csv`}>List (CSV)</DownloadLink>
              {Object.entries(SLIPS).map(([layout, label]) => (
                <DownloadLink href={slipsPath(number, { layout })}>{label}</DownloadLink>
              ))}
            </p>
          </Card>
        )}
        <ListCard
          title={code === '' || isUnknown ? undefined : `Orders that need ${code}`}
          caption={`Orders of list ${number}`}
          columns={ordersOf(number)}
          rows={orders}
          empty={
            isUnknown ? (
              <Empty next={{ href: path, text: 'All orders of the list' }}>It is not on this list.</Empty>
            ) : (
              <Empty next={{ href: PACKING, text: 'Packing lists' }}>No order is on this list.</Empty>
            )
          }
        />
        {to_ship > 0 && dropped_at === null && (
          <p class="actions">
            <ButtonLink href={`${path}/drop`} kind="danger">
              Drop the list
            </ButtonLink>
          </p>
        )}
      </>
    ),
  };
}

/** An order that has not left leads to its packing. */
const ordersOf = (list: number): ListColumn<PackingListOrder>[] => [
  orderColumn(
    ({ order_number: number, store_order_id: id }) => [number, id],
    (number, { status }) => (status === 'pending' ? packPath(list, number) : orderPath(number)),
  ),
  { heading: 'Client', cell: ({ client }) => client },
  { heading: 'Customer', as: 'line', cell: ({ customer_name, city }) => `${customer_name}, ${city}` },
  timeColumn('Paid', ({ paid_at }) => paid_at),
  {
    heading: 'Status',
    as: 'state',
    cell: ({ status, goods_state: goodsState, shipped_at: shippedAt, slip_is_old: isOld }) =>
      isOld ? (
        stateLabel(OLD_SLIP)
      ) : (
        <OrderState order={{ status, goodsState, shippedAt, openPayment: null }} />
      ),
  },
  {
    heading: 'Slip',
    as: 'line',
    cell: ({ order_number: number, status }) =>
      status === 'pending' && (
        <a href={slipsPath(list, { order: number })} download>
          Slip<span class="unseen">{` of ${number}`}</span>
        </a>
      ),
  },
];

const OLD_SLIP = { name: 'Changed after its slip', kind: 'warn' } as const;

export function dropPage({ packing_list: number, to_ship, shipped, cancelled }: PackingListView): Page {
  return reviewPage(
    { back: { href: packingPath(number), text: `List ${number}` }, hasForm: false },
    {
      title: `Drop packing list ${number}?`,
      effects: {
        'Free for the next list': countOf(to_ship, 'order', 'orders'),
        'Stay on the list': `${shipped} shipped, ${cancelled} cancelled`,
        'Printed slips': 'must be thrown away',
      },
      button: 'Drop the list',
      isDanger: true,
    },
  );
}

export function deliverManyPage(orders: readonly DeskOrderPage[], refused: Record<string, string>): Page {
  const count = countOf(orders.length, 'delivery', 'deliveries');
  const named = orders.map(({ orderNumber, customerName, shippingCity }) => [
    orderNumber,
    `${customerName}, ${shippingCity}`,
  ]);
  const shipped = { href: withQuery(ORDERS, { status: 'shipped' }), text: 'Shipped orders' };
  return reviewPage(
    { back: shipped, hasForm: false },
    {
      title: orders.length > 0 ? `Record ${count}?` : 'No delivery can be recorded',
      effects: Object.fromEntries(named),
      warnings: Object.entries(refused).map(([number, why]) => `${number}: ${why}`),
      button: orders.length > 0 && `Record ${count}`,
    },
    { action: 'deliver', order: orders.map(({ orderNumber }) => orderNumber) },
  );
}

interface ShipManyProps {
  courier: string;
  /** The pasted lines. */
  orders: string;
  /** `SHARING` or empty. */
  sharing: string;
  /** Orders that were changed after their slips were printed are shipped too. */
  oldSlips: boolean;
  outcome?: PasteResult;
  /** The orders that were chosen in a list. */
  chosen?: readonly ChosenOrder[];
}

type ChosenOrder = Pick<
  DeskOrderRow,
  'orderNumber' | 'storeOrderId' | 'client' | 'customerName' | 'shippingCity'
>;

type ShipManyForm = Omit<ShipManyProps, 'outcome' | 'chosen'>;

const fingerprintOfTyped = ({ courier, orders, sharing, oldSlips }: ShipManyForm) =>
  fingerprintOf([courier, sharing, oldSlips, orders].join('\n'));

/** `checked` is the fingerprint of the checked lines. Changed lines are checked again. */
export const isChecked = ({ checked, ...typed }: ShipManyForm & { checked: string }) =>
  checked === fingerprintOfTyped(typed);

/** The value of the box. */
export const SHARING = 'accepted';

const SHARING_TEXT = 'Accept a tracking number of another order';

export const inPasteWords = (message: string) => message.replace('add --force', `choose “${SHARING_TEXT}”`);

export function shipManyPage({ outcome, chosen = [], ...typed }: ShipManyProps): Page {
  const { courier, orders, sharing, oldSlips } = typed;
  const canShip = outcome?.dryRun === true && outcome.updated > 0;
  return {
    title: titleOf(outcome),
    lead:
      'Each line has our number or the store’s id, and a tracking number. ' +
      'Ships all remaining units of each order.',
    back,
    actions: (
      <ButtonLink href={withQuery(IMPORTS, { kind: 'shipments' })}>Import a courier’s file</ButtonLink>
    ),
    isReview: true,
    ...(outcome && outcome.failedCount > 0 && { status: 422 }),
    content: (
      <>
        <ListCard title="The chosen orders" columns={CHOSEN} rows={chosen} />
        {outcome && <OutcomeCard outcome={outcome} />}
        <FormCard
          title={outcome ? 'The lines' : undefined}
          action={SHIP_MANY}
          hidden={{ checked: outcome ? fingerprintOfTyped(typed) : '' }}
        >
          <Field label="Courier" name="courier" value={courier} maxlength={100} required autocomplete="on" />
          <TextArea
            label="Orders and tracking numbers"
            hint="Such as: WO-20260131-7K3QZ-9M2XA 1234567890. At most about 400 lines."
            name="orders"
            value={orders}
            rows={12}
            required
            autofocus={outcome === undefined}
          />
          <Checks
            label="One parcel for several orders"
            name="sharing"
            options={[{ value: SHARING, text: SHARING_TEXT, hint: 'One parcel holds both orders' }]}
            values={sharing === '' ? [] : [sharing]}
          />
          <Checks
            label="Slips"
            name="old_slips"
            values={oldSlips ? ['yes'] : []}
            options={[{ value: 'yes', text: OPTION_LABELS.oldSlips, hint: OLD_SLIPS_HINT }]}
          />
          <div class="actions">
            <Button kind={canShip ? 'plain' : 'primary'} name="step" value="check">
              {outcome ? 'Check again' : 'Check the lines'}
            </Button>
            {canShip && (
              <Button kind="primary" name="step" value="ship">
                {`Ship ${parcels(outcome.updated)}`}
              </Button>
            )}
          </div>
        </FormCard>
      </>
    ),
  };
}

function titleOf(outcome: PasteResult | undefined): string {
  if (!outcome) return 'Ship many orders';
  const { dryRun, updated, failedCount } = outcome;
  const refused = failedCount > 0 ? `, ${formatNumber(failedCount)} refused` : '';
  return `${parcels(updated)} ${dryRun ? 'can be shipped' : 'shipped'}${refused}`;
}

const parcels = (count: number) => countOf(count, 'parcel', 'parcels');

const FAULTS: ListColumn<RowFault>[] = [
  titleColumn('Line', ({ line }) => ({ text: formatNumber(line) })),
  {
    heading: 'Reason',
    as: 'line',
    cell: ({ column, message }) => `${column.replaceAll('_', ' ')} ${message}`,
  },
];

const namedOrder = <Row,>(of: (row: Row) => ChosenOrder): ListColumn<Row>[] => [
  orderColumn<Row>((row) => [of(row).orderNumber, of(row).storeOrderId], orderPath),
  { heading: 'Client', cell: (row) => of(row).client },
  { heading: 'Customer', as: 'line', cell: (row) => `${of(row).customerName}, ${of(row).shippingCity}` },
];

const CHOSEN = namedOrder((order: ChosenOrder) => order);

const SHIPMENTS: ListColumn<PastedShipment>[] = [
  ...namedOrder(({ order }: PastedShipment) => order),
  { heading: 'Tracking number', cell: ({ tracking }) => tracking },
];

const OutcomeCard = ({ outcome }: { outcome: PasteResult }) => {
  const { dryRun, updated, unchanged, failedCount, faults, shipments } = outcome;
  return (
    <>
      <Card>
        <Facts
          of={{
            [dryRun ? 'Will be shipped' : 'Shipped']: parcels(updated),
            'Shipped before': unchanged > 0 && parcels(unchanged),
            Refused: failedCount > 0 && countOf(failedCount, 'line', 'lines'),
          }}
        />
        {dryRun && <p>Nothing is done yet.</p>}
      </Card>
      <ListCard title="Refused lines" columns={FAULTS} rows={faults} />
      <ListCard title="To be shipped" columns={SHIPMENTS} rows={shipments} />
    </>
  );
};
