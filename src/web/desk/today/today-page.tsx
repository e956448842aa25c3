import type { ComponentProps } from 'preact';
import type { ReturnRecord } from '../../../modules/fulfilment/returns/returns.repository.js';
import type {
  Refusals,
  StoreWithIssues,
} from '../../../modules/request-log/kept-requests/store-issues.repository.js';
import type { ImportRun } from '../../../shared/imports/import-run.entity.js';
import type { LateEInvoices } from '../../../modules/invoices/e-invoices.service.js';
import type { SellersService } from '../../../modules/invoices/sellers.service.js';
import type {
  AccountTotals,
  ParcelExceptionRow,
  OrdersToDo,
} from '../../../modules/orders/records/order-desk.repository.js';
import type { DeskOrderListItem } from '../../../modules/orders/records/order-desk.service.js';
import { EXCEPTION_WORDS } from '../../../modules/orders/rules/parcel-exception.js';
import { Card, Tile, Tiles } from '../../../shared/ui/components/layout.js';
import {
  type ListColumn,
  countColumn,
  ListCard,
  Table,
  titleColumn,
} from '../../../shared/ui/components/lists.js';
import { type SetupStep, StepsCard } from '../../../shared/ui/components/steps.js';
import {
  moneyRenderer,
  NameWithDetail,
  StateLabel,
  RelativeTime,
} from '../../../shared/ui/components/values.js';
import { countOf, formatCount, formatNumber } from '../../../platform/formats.js';
import type { Page } from '../../../shared/ui/page.js';
import type { PaymentCounts } from '../../../modules/payments/payment-desk.service.js';
import {
  type BoundedCount,
  countOfAll,
  type FirstRows,
  type OnePage,
} from '../../../platform/lists/bounded-lists.js';
import type { LowStock } from '../../../modules/stock/stock-holdings.repository.js';
import { type Minor, minorFromNumeric } from '../../../platform/money/money.js';
import type { DeskPerson } from '../../../platform/access/signed-in-person.js';
import { addDays, type Day } from '../../../platform/time/time.js';
import { DESK } from '../../account/account-paths.js';
import { orderColumn } from '../../shared/order-cards.js';
import { requestPath } from '../../shared/requests/requests-query.js';
import { lowColumns } from '../goods/goods-page.js';
import { columnsFor } from '../orders/orders-page.js';
import {
  clientPaths,
  E_INVOICES,
  E_WAY_BILLS,
  FAILURES,
  GOODS,
  COMPANY,
  importPath,
  LOW_STOCK,
  NEW_CLIENT,
  NEW_PLAN,
  MONEY,
  orderPath,
  ORDERS,
  PAYMENTS,
  productPath,
  REPORTS,
  returnPath,
  RETURNS,
  SELLER,
  TODAY,
  WALLETS,
} from '../paths.js';
import { columnsOf, NoRows, reportPath, SalesPlot } from '../reports/report-page.js';
import { refusalWords } from './refusal-words.js';

interface Props {
  me: DeskPerson;
  /** Only for an admin before the first order. */
  steps?: SetupProgress | undefined;
  orders: OrdersToDo;
  /** Shipped orders that were not delivered in time. */
  late: BoundedCount;
  /** Invoices that wait for their e-way bill. */
  eWayBills: number;
  /** The orders to ship that were paid first. */
  first: DeskOrderListItem[];
  /** Parcels that come back or are lost, until their goods are returned or refunded. */
  exceptions: ParcelExceptionRow[];
  /** Left out for people who may not see sales and problems. */
  staff?: StaffProps;
}

type UnbilledClient = Awaited<ReturnType<SellersService['listUnbillable']>>[number];

interface StaffProps {
  /** Clients whose parcels would be refused. None without tax. */
  unbilled: UnbilledClient[];
  /** Products for sale that no invoice can have. None without tax. */
  untaxed: number;
  /** Received returns without a decision about the refund. */
  toRefund: OnePage<ReturnRecord>;
  accounts: AccountTotals;
  yesterday: Day;
  /** Documents without an IRN. */
  eInvoices: LateEInvoices;
  payments: PaymentCounts;
  hasGateway: boolean;
  /** Refused orders of the last 24 hours. */
  refusals: OnePage<Refusals>;
  stores: StoreWithIssues[];
  low: FirstRows<LowStock>;
  /** Failed imports of the last 7 days. */
  imports: ImportRun[];
  /** Background work that failed in the last day, and mails of that day that were not sent. 0 for staff. */
  failures: BoundedCount;
  sales: Sales;
}

export type Sales = ComponentProps<typeof SalesPlot>;

/** What waits for the wholesaler. Each figure links to the page where the work is done. */
export function todayPage({ me, steps, orders, late, eWayBills, first, exceptions, staff }: Props): Page {
  return {
    title: titleOf(orders),
    lead: orders.oldestPaidAt && (
      <>
        The oldest was paid <RelativeTime at={orders.oldestPaidAt} />.
      </>
    ),
    content: (
      <>
        {steps && <StepsCard steps={setupSteps(steps)} />}
        {staff && <Morning {...staff} />}
        <Tiles>
          <Tile label="To ship" href={ORDERS} note={<Since at={orders.oldestPaidAt} what="paid" />}>
            {formatCount(orders.toShip)}
          </Tile>
          <Tile
            label="Open returns"
            href={RETURNS}
            note={<Since at={orders.oldestReturnAt} what="requested" />}
          >
            {formatCount(orders.toReceive)}
          </Tile>
          <Tile label="Not delivered in time" href={`${ORDERS}?status=late`} note="ask the courier">
            {formatCount(late)}
          </Tile>
          {staff && eWayBills > 0 && (
            <Tile label="E-way bills to make" href={E_WAY_BILLS} note="before the goods move">
              {formatNumber(eWayBills)}
            </Tile>
          )}
          {staff && <MoneyTiles {...staff} />}
        </Tiles>
        <ListCard
          title="To ship first"
          actions={<a href={ORDERS}>All orders to ship</a>}
          columns={columnsFor(me, 'pending')}
          rows={first}
        />
        <ListCard
          title="RTO and lost parcels"
          actions={<a href={`${ORDERS}?status=not_arriving`}>All that came back or are lost</a>}
          columns={EXCEPTION_COLUMNS}
          rows={exceptions}
        />
        {staff && <Problems {...staff} />}
        {staff && <SalesCard {...staff.sales} />}
      </>
    ),
  };
}

function titleOf({ toShip }: OrdersToDo): string {
  const { count, orMore } = toShip;
  if (count === 0) return 'No orders wait to be shipped';
  if (orMore) return `More than ${formatNumber(count)} orders wait to be shipped`;
  return `${countOf(count, 'order waits', 'orders wait')} to be shipped`;
}

const Since = ({ at, what }: { at: Date | null; what: string }) =>
  at === null ? (
    <>none waits</>
  ) : (
    <>
      the oldest {what} <RelativeTime at={at} />
    </>
  );

/** Without an order, a negative amount would look like a mistake. */
export const countSold = (orders: number, net: Minor) =>
  orders === 0 && net < 0 ? 'only refunds' : countOf(orders, 'order', 'orders');

/** The questions of the morning. Each figure is the one of the page that it leads to. */
const Morning = ({ sales, yesterday, accounts, toRefund }: StaffProps) => {
  const { currency, report } = sales;
  const money = moneyRenderer(currency);
  const soldOn = (day: Day) => {
    const { net = 0, orders = 0 } =
      report.rows.find((row) => row.key === day && row.currency === currency) ?? {};
    return { net, orders: countSold(orders, net) };
  };
  const [sold, before] = [soldOn(yesterday), soldOn(addDays(yesterday, -7))];
  const { rows, last } = toRefund;
  return (
    <Tiles>
      <Tile
        label="Sold yesterday"
        href={reportPath({ by: 'day', from: yesterday, to: yesterday, clientId: undefined })}
        note={
          report.missing ? (
            'still being added up'
          ) : (
            <>
              {sold.orders}; a week before {money(before.net)}, {before.orders}
            </>
          )
        }
      >
        {report.missing ? '…' : money(sold.net)}
      </Tile>
      <Tile
        label="To be paid"
        href={`${WALLETS}?only=unpaid`}
        note={countOf(accounts.unpaidOrders, 'unpaid order', 'unpaid orders')}
      >
        {money(minorFromNumeric(accounts.unpaidTotal))}
      </Tile>
      <Tile label="In the wallets" href={WALLETS} note="money of the clients">
        {money(minorFromNumeric(accounts.balance))}
      </Tile>
      <Tile
        label="Returns to refund"
        href={rows.length > 0 ? `#${TO_REFUND_ID}` : undefined}
        note={<Since at={rows[0]?.decided_at ?? null} what="came" />}
      >
        {formatCount({ count: rows.length, orMore: last !== undefined })}
      </Tile>
    </Tiles>
  );
};

const TO_REFUND_ID = 'to-refund';
const REFUSED_ID = 'refused';

const MoneyTiles = ({
  payments,
  hasGateway,
  untaxed,
  eInvoices: { late, overdue },
  failures,
}: StaffProps) => (
  <>
    {failures.count > 0 && (
      <Tile label="Failures in the background" href={FAILURES} note="work and mails of the last day">
        {formatCount(failures)}
      </Tile>
    )}
    <Tile label="Transfers to confirm" href={MONEY} note="to compare with your bank statement">
      {formatNumber(payments.transfers_announced)}
    </Tile>
    {(hasGateway || payments.needing_a_person > 0) && (
      <Tile label="Payments to check" href={PAYMENTS} note="not as they were asked for">
        {formatNumber(payments.needing_a_person)}
      </Tile>
    )}
    {untaxed > 0 && (
      <Tile
        label="Products without tax data"
        href={`${GOODS}?state=untaxed`}
        note="parcels with them cannot leave"
      >
        {formatNumber(untaxed)}
      </Tile>
    )}
    {late > 0 && (
      <Tile
        label="Documents without an IRN"
        href={E_INVOICES}
        note={`older than 3 days${overdue > 0 ? `; ${formatNumber(overdue)} older than 30 days` : ''}`}
      >
        {formatNumber(late)}
      </Tile>
    )}
  </>
);

const Problems = ({ toRefund, unbilled, refusals, stores, low, imports }: StaffProps) => {
  const without = [
    refusals.rows.length === 0 && 'No order was refused in the last 24 hours.',
    // A refused order is such a problem, although it alone lists no store.
    stores.length + refusals.rows.length === 0 && 'No store has a problem with its calls.',
    low.rows.length === 0 && 'No product is low.',
  ].filter(Boolean);
  return (
    <>
      <ListCard
        id={TO_REFUND_ID}
        title="Returns to refund"
        columns={TO_REFUND_COLUMNS}
        rows={toRefund.rows}
      />
      <ListCard
        title="Clients whose parcels cannot leave"
        columns={[
          titleColumn('Client', ({ id, name }: UnbilledClient) => ({
            text: name,
            href: clientPaths(id).tax,
          })),
          { heading: 'Its invoices need', cell: ({ missingData }) => missingData },
        ]}
        rows={unbilled}
      />
      <ListCard
        title="Imports that failed"
        columns={[
          titleColumn('File', ({ id, fileName }: ImportRun) => ({ text: fileName, href: importPath(id) })),
          { heading: 'Reason', cell: ({ fault }) => fault ?? 'The service stopped while it worked on it.' },
          { heading: 'When', as: 'state', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        ]}
        rows={imports}
      />
      <ListCard
        id={REFUSED_ID}
        title="Refused orders of the last 24 hours"
        actions={refusals.last && <a href={`${TODAY}?refusals=all#${REFUSED_ID}`}>All reasons</a>}
        columns={REFUSAL_COLUMNS}
        rows={refusals.rows}
      />
      <ListCard title="Stores with problems" columns={STORE_COLUMNS} rows={stores} />
      <ListCard
        title="Low stock"
        actions={<a href={LOW_STOCK}>All {formatCount(countOfAll(low))}</a>}
        columns={lowColumns(productPath)}
        rows={low.rows}
      />
      {without.length > 0 && <p class="small">{without.join(' ')}</p>}
    </>
  );
};

const SalesCard = (sales: Sales) => {
  const { rows, missing } = sales.report;
  if (rows.length === 0 && !missing) return null;
  return (
    <Card title="Sales of the last 30 days" actions={<a href={REPORTS}>Reports</a>}>
      {missing ? (
        <NoRows {...sales.report} />
      ) : (
        <>
          <SalesPlot {...sales} />
          <details>
            <summary>As a table</summary>
            <Table caption="Sales by day" columns={columnsOf(sales.query)} rows={rows} />
          </details>
        </>
      )}
    </Card>
  );
};

const EXCEPTION_COLUMNS: ListColumn<ParcelExceptionRow>[] = [
  orderColumn(({ orderNumber, storeOrderId }) => [orderNumber, storeOrderId], orderPath),
  { heading: 'Client', cell: ({ client }) => client },
  {
    heading: 'Parcel',
    cell: ({ parcel, courier, trackingNumber }) =>
      `${parcel}: ${[courier, trackingNumber].filter(Boolean).join(' ')}`,
  },
  { heading: 'Shipped', cell: ({ shippedAt }) => <RelativeTime at={shippedAt} /> },
  {
    heading: 'The courier reports',
    as: 'state',
    cell: ({ exception }) => (
      <StateLabel kind={exception === 'lost' ? 'bad' : 'warn'}>{EXCEPTION_WORDS[exception]}</StateLabel>
    ),
  },
];

const TO_REFUND_COLUMNS: ListColumn<ReturnRecord>[] = [
  titleColumn('Return', ({ number, order_number }) => ({
    text: number,
    href: returnPath(number),
    detail: order_number,
  })),
  { heading: 'Client', cell: ({ client }) => client },
  { heading: 'Came', as: 'state', cell: ({ decided_at: at }) => <RelativeTime at={at!} /> },
];

const REFUSAL_COLUMNS: ListColumn<Refusals>[] = [
  {
    heading: 'Reason',
    as: 'title',
    cell: ({ code, sku, fault }) => (
      <NameWithDetail detail={code === 'unknown_sku' ? sku : sku && <a href={productPath(sku)}>{sku}</a>}>
        {refusalWords(code, fault)}
      </NameWithDetail>
    ),
  },
  countColumn('Orders', ({ times }) => times),
  countColumn('Stores', ({ clients }) => clients),
  {
    heading: 'The last one',
    as: 'state',
    cell: ({ clientId, client, lastId }) => (
      <a href={requestPath({ list: clientPaths(clientId).requests }, lastId)}>{client}</a>
    ),
  },
];

const STORE_COLUMNS: ListColumn<StoreWithIssues>[] = [
  titleColumn('Store', ({ clientId, client }) => ({ text: client, href: clientPaths(clientId).requests })),
  {
    heading: 'What',
    as: 'state',
    cell: ({ calls }) =>
      calls === 0 ? (
        <StateLabel kind="warn">No calls for a day</StateLabel>
      ) : (
        <StateLabel kind="bad">Calls fail</StateLabel>
      ),
  },
  countColumn('Calls since yesterday', ({ calls }) => calls),
  countColumn('Refused', ({ refused }) => refused),
  countColumn('Failed on our side', ({ failed }) => failed),
  countColumn('Usual per day', ({ usual }) => usual),
];

/** From the first admin to the first order. */
const SETUP = {
  hasSeller: {
    text: 'Set your details as the seller on invoices. Without GST, start the service with TAX=none.',
    next: { href: SELLER, text: 'Set the seller' },
  },
  isReachable: {
    text: 'Set your contact and your bank account for clients.',
    next: { href: COMPANY, text: 'Set it' },
  },
  hasPlan: { text: 'Make a plan.', next: { href: NEW_PLAN, text: 'New plan' } },
  hasProduct: {
    text: 'Add your products, one by one or from a file.',
    next: { href: GOODS, text: 'Add products' },
  },
  hasColleague: {
    text: 'Invite the people who pack and who keep the books.',
    next: { href: `${DESK.people}/invite`, text: 'Invite a person' },
  },
  hasClient: { text: 'Add your first client.', next: { href: NEW_CLIENT, text: 'New client' } },
};

/** The steps that are done. Without tax there is no seller to set. */
export type SetupProgress = Record<Exclude<keyof typeof SETUP, 'hasSeller'>, boolean> & {
  hasSeller?: boolean;
};

const setupSteps = (progress: SetupProgress): SetupStep[] =>
  (Object.keys(SETUP) as (keyof typeof SETUP)[])
    .filter((name) => progress[name] !== undefined)
    .map((name) => ({ isDone: progress[name]!, ...SETUP[name] }));
