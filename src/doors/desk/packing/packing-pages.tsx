import type { ImportReport } from '../../../imports/import-report.js';
import type { RowFault } from '../../../imports/import-kind.js';
import type { ListedForPacking, PackingListShown } from '../../../fulfilment/packing/packing.repository.js';
import type { PackingService } from '../../../fulfilment/packing/packing.service.js';
import {
  Button,
  ButtonLink,
  DownloadLink,
  Field,
  FormCard,
  TextArea,
} from '../../../pages/components/controls.js';
import { Card, Empty, Facts } from '../../../pages/components/layout.js';
import { type Column, counts, ListCard, Pager, times, titles } from '../../../pages/components/lists.js';
import { ExactTime, Named, StateLabel, When } from '../../../pages/components/values.js';
import { formatCount, countOf, formatNumber } from '../../../pages/formats.js';
import { type Page, withQuery } from '../../../pages/page.js';
import { fingerprintOf } from '../../../platform/http/representation.js';
import { OrderState } from '../../shared/order-cards.js';
import { authorWords } from '../author-words.js';
import { IMPORTS, orderPath, PACKING, packingPath } from '../paths.js';
import { reviewPage } from '../action.js';

export const SHIP_MANY = `${PACKING}/ship`;

interface ListsProps {
  waiting: Awaited<ReturnType<PackingService['waiting']>>;
  lists: readonly PackingListShown[];
  older: number | undefined;
  before: number | undefined;
  /** Keeps a form that is posted twice from making two lists. */
  key: string;
}

const back = { href: PACKING, text: 'Packing' };

export function packingPage({ waiting, lists, older, before, key }: ListsProps): Page {
  const { count } = waiting.orders;
  const orders = formatCount(waiting.orders);
  return {
    title:
      count === 0
        ? 'No orders wait for a packing list'
        : `${orders} paid ${count === 1 ? 'order waits' : 'orders wait'} for a packing list`,
    lead: waiting.oldest && (
      <>
        The oldest was paid <When at={waiting.oldest} />. A list takes the oldest orders first.
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
        <ListCard
          title="Packing lists"
          columns={LISTS}
          rows={lists}
          empty={<Empty>No packing list was made yet.</Empty>}
          pager={<Pager at={before} next={older} path={(from) => withQuery(PACKING, { before: from })} />}
        />
      </>
    ),
  };
}

const LISTS: Column<PackingListShown>[] = [
  titles('List', ({ packing_list: list, client }) => ({
    text: `List ${list}`,
    href: packingPath(list),
    detail: client === null ? null : `only ${client}`,
  })),
  {
    heading: 'Made',
    cell: ({ made_at, actor }) => (
      <Named detail={authorWords(actor)}>
        <When at={made_at} />
      </Named>
    ),
  },
  counts('Orders', ({ orders }) => orders),
  counts('To ship', ({ to_ship }) => to_ship),
  counts('Shipped', ({ shipped }) => shipped),
  counts('Cancelled', ({ cancelled }) => cancelled),
  { heading: 'State', as: 'state', cell: (list) => <ListState list={list} /> },
];

const ListState = ({ list: { dropped_at, to_ship } }: { list: PackingListShown }) => {
  if (dropped_at !== null) return <StateLabel kind="quiet">Dropped</StateLabel>;
  return to_ship > 0 ? (
    <StateLabel kind="warn">To ship</StateLabel>
  ) : (
    <StateLabel kind="accent">Done</StateLabel>
  );
};

interface ListProps {
  list: PackingListShown;
  orders: readonly ListedForPacking[];
}

export function packingListPage({ list, orders }: ListProps): Page {
  const { packing_list: number, to_ship, made_at, actor, dropped_at, cancelled } = list;
  const path = packingPath(number);
  return {
    title: `Packing list ${number}: ${to_ship > 0 ? countOf(to_ship, 'order', 'orders') : 'nothing'} to ship`,
    lead: (
      <>
        Made <ExactTime at={made_at} /> {authorWords(actor)}.
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
    actions: to_ship > 0 && (
      <>
        {dropped_at === null && (
          <ButtonLink href={`${path}/drop`} kind="danger">
            Drop the list
          </ButtonLink>
        )}
        <DownloadLink href={`${path}/list.csv`}>List (CSV)</DownloadLink>
        <DownloadLink href={`${path}/slips.pdf`}>Slips (PDF)</DownloadLink>
        <ButtonLink href={SHIP_MANY}>Ship many</ButtonLink>
      </>
    ),
    content: (
      <ListCard
        caption={`Orders of list ${number}`}
        columns={ORDERS}
        rows={orders}
        empty={<Empty next={{ href: PACKING, text: 'Packing lists' }}>No order is on this list.</Empty>}
      />
    ),
  };
}

const ORDERS: Column<ListedForPacking>[] = [
  {
    ...titles('Order', ({ order_number: number, store_order_id: id }) => ({
      text: number,
      href: orderPath(number),
      detail: id,
    })),
    nowrap: true,
  },
  { heading: 'Client', cell: ({ client }) => client },
  { heading: 'Customer', as: 'line', cell: ({ customer_name, city }) => `${customer_name}, ${city}` },
  times('Paid', ({ paid_at }) => paid_at),
  {
    heading: 'Status',
    as: 'state',
    cell: ({ status }) => <OrderState order={{ status, openPayment: null }} />,
  },
];

export function dropPage({ packing_list: number, to_ship, shipped, cancelled }: PackingListShown): Page {
  const path = packingPath(number);
  return reviewPage(
    { path: `${path}/drop`, back: { href: path, text: `List ${number}` }, hasForm: false },
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

/** What a paste did, or would do. */
export interface Outcome extends Pick<ImportReport, 'dryRun' | 'updated' | 'unchanged' | 'failedCount'> {
  faults: readonly RowFault[];
}

interface ShipManyProps {
  /** Staff may import the file of a courier. */
  isStaff: boolean;
  courier: string;
  /** The pasted lines. */
  orders: string;
  outcome?: Outcome;
}

/** More refused lines are only counted. */
export const MOST_FAULTS = 200;

/** Names what was checked. Other lines are checked before they are shipped. */
export const isChecked = ({ courier, orders, checked }: Record<'courier' | 'orders' | 'checked', string>) =>
  checked === fingerprintOf(`${courier}\n${orders}`);

export function shipManyPage({ courier, orders, outcome, isStaff }: ShipManyProps): Page {
  const canShip = outcome?.dryRun === true && outcome.updated > 0;
  return {
    title: titleOf(outcome),
    lead:
      'Each line has our number or the store’s id, and a tracking number. ' +
      'Ships all remaining units of each order.',
    back,
    actions: isStaff && <ButtonLink href={IMPORTS}>Import a courier’s file</ButtonLink>,
    ...(outcome && outcome.failedCount > 0 && { status: 422 }),
    content: (
      <>
        {outcome && <OutcomeCard outcome={outcome} />}
        <FormCard
          title={outcome ? 'The lines' : undefined}
          action={SHIP_MANY}
          hidden={{ checked: outcome ? fingerprintOf(`${courier}\n${orders}`) : '' }}
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
          <div class="actions">
            <Button kind={canShip ? 'plain' : 'primary'} name="step" value="check">
              {outcome ? 'Check again' : 'Check the lines'}
            </Button>
            {canShip && (
              <Button kind="primary" name="step" value="ship">
                {`Ship ${countOf(outcome.updated, 'parcel', 'parcels')}`}
              </Button>
            )}
          </div>
        </FormCard>
      </>
    ),
  };
}

function titleOf(outcome: Outcome | undefined): string {
  if (!outcome) return 'Ship many orders';
  const { dryRun, updated, failedCount } = outcome;
  const refused = failedCount > 0 ? `, ${formatNumber(failedCount)} refused` : '';
  return dryRun
    ? `${countOf(updated, 'parcel', 'parcels')} can be shipped${refused}`
    : `${countOf(updated, 'parcel', 'parcels')} shipped${refused}`;
}

const FAULTS: Column<RowFault>[] = [
  { heading: 'Line', as: 'title', cell: ({ line }) => formatNumber(line) },
  {
    heading: 'Reason',
    as: 'line',
    cell: ({ column, message }) => `${column.replaceAll('_', ' ')} ${message}`,
  },
];

const OutcomeCard = ({ outcome }: { outcome: Outcome }) => {
  const { dryRun, updated, unchanged, failedCount, faults } = outcome;
  return (
    <>
      <Card>
        <Facts
          of={{
            [dryRun ? 'Will be shipped' : 'Shipped']: countOf(updated, 'parcel', 'parcels'),
            'Shipped before': unchanged > 0 && countOf(unchanged, 'parcel', 'parcels'),
            Refused: failedCount > 0 && countOf(failedCount, 'line', 'lines'),
          }}
        />
        {dryRun && <p>Nothing is done yet.</p>}
      </Card>
      {faults.length > 0 && <ListCard title="Refused lines" columns={FAULTS} rows={faults} />}
    </>
  );
};
