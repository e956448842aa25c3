import { Get, Inject } from '@nestjs/common';
import {
  RequestFigures,
  type Figures,
} from '../../../modules/request-log/kept-requests/request-figures.repository.js';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { CompanyService } from '../../../modules/company/company.service.js';
import { ClientOrdersService } from '../../../modules/orders/records/client-orders.service.js';
import type { Page } from '../../../shared/ui/page.js';
import { PaymentHistory, type RecentPayment } from '../../../modules/payments/payment-history.repository.js';
import { isUnderway } from '../../../modules/payments/rules/payment-status.js';
import { hasRole, type ClientPerson } from '../../../platform/access/signed-in-person.js';
import { resolveAll } from '../../../platform/resolve-all.js';
import { Firm } from '../../../platform/settings/firm.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { addMonths, DAY_MS, monthAt, startOfMonth } from '../../../platform/time/time.js';
import { Passbook } from '../../../modules/wallet/passbook.repository.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
import { helpPage, SuspendedNotice } from './help-page.js';
import { type SpentInMonth, Trends } from './trends.js';
import type { ClientOrderRow } from '../../../modules/orders/records/order-record.js';
import type {
  FirstSteps,
  ClientOverview,
} from '../../../modules/orders/records/client-overview.repository.js';
import { Button, ButtonLink } from '../../../shared/ui/components/controls.js';
import { Empty, Notice, Tile, Tiles } from '../../../shared/ui/components/layout.js';
import { ListCard } from '../../../shared/ui/components/lists.js';
import { type SetupStep, StepsCard } from '../../../shared/ui/components/steps.js';
import { Money, RelativeTime } from '../../../shared/ui/components/values.js';
import {
  countOf,
  formatCount,
  formatMoney,
  formatNumber,
  refreshSecondsAfter,
} from '../../../platform/formats.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import {
  GUIDE,
  API_ACCESS,
  HELP,
  HOME,
  NEW_TOKEN,
  ORDERS,
  paymentPath,
  reviewAllPath,
  reviewPath,
  TOP_UP,
  WALLET,
} from '../paths.js';
import { CUSTOMER, ORDER, SHIPPED, TOTAL, ORDER_LIST_COLUMNS } from '../orders/orders-table.js';
import { PayForm, ReviewAll } from '../paying/review-page.js';

const MAX_ORDERS_PER_CARD = 6;

/** In the plots. */
const TREND_MONTHS = 12;
const TREND_PRODUCTS = 6;

@DashboardPages()
export class HomePageController {
  constructor(
    private readonly clients: ClientAdministrationService,
    private readonly orders: ClientOrdersService,
    private readonly requests: RequestFigures,
    private readonly payments: PaymentHistory,
    private readonly passbook: Passbook,
    private readonly company: CompanyService,
    private readonly firm: Firm,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@ClientPageRequest() { me }: ClientPageRequest): Promise<Page> {
    return homePage(await this.read(me));
  }

  async read(person: ClientPerson) {
    const { clientId } = person;
    const { months, products, payments, ...data } = await resolveAll({
      client: this.clients.find(clientId),
      overview: this.orders.overview(clientId),
      requests: this.requests.since(clientId, new Date(Date.now() - DAY_MS)),
      /** The orders that are due first, and the orders that were shipped last. */
      due: this.orders.firstDue(clientId, MAX_ORDERS_PER_CARD),
      shipped: this.orders.lastShipped(clientId, MAX_ORDERS_PER_CARD),
      payments: this.payments.recent(clientId),
      /** Orders that an arrived payment was meant for, and did not cover. */
      ordersNotCovered: this.payments.ordersNotCovered(clientId),
      firstSteps: this.orders.firstSteps(clientId),
      months: this.spentByMonth(clientId),
      products: this.orders.topProducts(clientId, TREND_PRODUCTS),
    });
    // Open payments for orders.
    const underway = payments.filter(({ status, orders }) => isUnderway(status) && orders > 0);
    const { currency, timeZone } = this.settings;
    const trends = { months, products, timeZone: person.timeZone === timeZone ? undefined : timeZone };
    return { ...data, person, mayPay: hasRole(person, 'buyer'), underway, trends, currency };
  }

  @Get('help')
  async help(): Promise<Page> {
    return helpPage({ contact: await this.company.contact(), firm: this.firm });
  }

  /** The last twelve months including this one, in the time zone of the statements. */
  private async spentByMonth(clientId: number): Promise<SpentInMonth[]> {
    const { timeZone } = this.settings;
    const last = monthAt(Date.now(), timeZone);
    const months = Array.from({ length: TREND_MONTHS }, (_, n) => addMonths(last, n - TREND_MONTHS + 1));
    const times = [...months, addMonths(last, 1)].map((month) => startOfMonth(month, timeZone));
    const spent = await this.passbook.spentBetween(clientId, times);
    return months.map((month, at) => ({ month, spent: spent[at]! }));
  }
}

type Props = Awaited<ReturnType<HomePageController['read']>>;

/** Open payments that are shown. The wallet shows all. */
const MAX_PAYMENTS = 3;

const TO_PAY = `${ORDERS}?group=to_pay`;

function homePage(props: Props): Page {
  const { overview, due, shipped, underway, ordersNotCovered, mayPay, currency } = props;
  return {
    title: titleOf(overview),
    lead: <Lead {...props} />,
    actions: mayPay && due.length > 0 && <PayAll {...props} />,
    refreshSeconds: refreshSecondsAfter(overview.processing.since),
    content: (
      <>
        <SuspendedNotice client={props.client} />
        <StepsCard
          steps={stepsFor(props.firstSteps, props.person)}
          actions={<ButtonLink href={HELP}>Help</ButtonLink>}
        />
        {underway.slice(0, MAX_PAYMENTS).map((payment) => (
          <OpenPaymentNotice payment={payment} currency={currency} />
        ))}
        {underway.length > MAX_PAYMENTS && (
          <Notice kind="info">
            More payments are open. <a href={WALLET}>See all in your wallet</a>
          </Notice>
        )}
        {ordersNotCovered.length > 0 && (
          // Money was spent in another way, or refused, between the start of a payment and its end.
          <Notice kind="warn">
            A payment arrived, but the wallet did not cover all of its orders.{' '}
            <a href={reviewOf(ordersNotCovered)}>See what is missing</a>
          </Notice>
        )}
        <OverviewTiles {...props} />
        <ListCard
          title="Due first"
          actions={<ButtonLink href={TO_PAY}>See all</ButtonLink>}
          columns={ORDER_LIST_COLUMNS}
          rows={due}
        />
        <ListCard
          title="On the way"
          actions={shipped.length > 0 && <ButtonLink href={`${ORDERS}?group=shipped`}>See all</ButtonLink>}
          columns={[ORDER, CUSTOMER, SHIPPED, TOTAL]}
          rows={shipped}
          empty={<NothingOnTheWay {...props} />}
        />
        <Trends {...props.trends} currency={currency} />
      </>
    ),
  };
}

const Lead = ({ overview: { toPay } }: Props) =>
  toPay.firstDueAt === null ? (
    <>New orders from your store appear here.</>
  ) : (
    <>
      Orders ship after payment. The first one is due <RelativeTime at={toPay.firstDueAt} /> and is cancelled
      if it is not paid by then.
    </>
  );

const reviewOf = (orders: readonly Pick<ClientOrderRow, 'orderNumber'>[]) =>
  reviewPath(
    orders.map(({ orderNumber }) => orderNumber),
    HOME,
  );

/** One click pays only orders that this page shows. More orders are reviewed first. */
const PayAll = ({ overview: { toPay, funds }, due, currency }: Props) => {
  const total = due.reduce((sum, order) => sum + minorFromNumeric(order.total), 0);
  const money = formatMoney(total, currency);
  if (due.length < toPay.orders)
    return (
      <ButtonLink href={reviewAllPath(HOME)} kind="primary">
        <ReviewAll toPay={toPay} currency={currency} />
      </ButtonLink>
    );
  if (funds.available < total)
    return (
      <ButtonLink href={reviewOf(due)} kind="primary">
        Review and pay · {money}
      </ButtonLink>
    );
  return (
    <PayForm orders={due} total={total} balance={funds.available} back={HOME} bare>
      <Button kind="primary">
        Pay {due.length === 1 ? 'it' : `all ${due.length}`} from wallet · {money}
      </Button>
    </PayForm>
  );
};

const OpenPaymentNotice = ({ payment, currency }: { payment: RecentPayment; currency: string }) => {
  const { paymentId, amount, fromWallet, orders, authorized } = payment;
  const reserved =
    fromWallet > 0 && ` ${formatMoney(fromWallet, currency)} of the wallet is reserved for it.`;
  return (
    <Notice kind="info">
      A payment of {formatMoney(amount, currency)} for {countOf(orders, 'order', 'orders')}{' '}
      {authorized ? 'is on its way: do not pay again.' : 'is not finished.'}
      {reserved}{' '}
      <a href={paymentPath(paymentId)}>{authorized ? 'See the payment' : 'Continue or give it up'}</a>
    </Notice>
  );
};

const NothingOnTheWay = ({ overview: { toPay } }: Props) =>
  toPay.orders > 0 ? (
    <Empty>No parcels are on the way. Track your paid orders here when they ship.</Empty>
  ) : (
    <Empty next={{ href: API_ACCESS, text: 'Connect your store' }}>
      No parcels are on the way. Your store places orders with its token.
    </Empty>
  );

function stepsFor(steps: FirstSteps, person: ClientPerson): SetupStep[] {
  return [
    {
      isDone: steps.hasToken,
      text: 'Create a token for your store.',
      next: hasRole(person, 'owner') && { href: NEW_TOKEN, text: 'Create a token' },
    },
    {
      isDone: steps.hasCalled,
      text: 'Let your store call the API with it. Its first call shows up in a minute.',
      next: { href: GUIDE, text: 'Read the guide' },
    },
    {
      isDone: steps.hasMoney,
      text: 'Top up your wallet.',
      next: hasRole(person, 'buyer') && { href: TOP_UP, text: 'Top up' },
    },
    { isDone: steps.hasOrdered, text: 'Place the first order from your store.' },
    {
      isDone: steps.hasPaid,
      text: 'Pay the order, so that it ships.',
      next: hasRole(person, 'buyer') && { href: `${ORDERS}?group=to_pay`, text: 'See unpaid orders' },
    },
  ];
}

/** The client's state in four figures, on the home page. */
const OverviewTiles = ({ overview, requests, currency }: Props) => (
  <Tiles>
    <Tile label="To pay now" href="/dashboard/orders?group=to_pay" note={<ToPay overview={overview} />}>
      <Money minor={overview.toPay.total} currency={currency} />
    </Tile>
    <Tile label="Wallet" href="/dashboard/wallet" note={walletNote(overview, currency)}>
      <Money minor={overview.funds.balance} currency={currency} />
    </Tile>
    <Tile label="On the way" href="/dashboard/orders?group=shipped" note={shippedNote(overview)}>
      {formatCount(overview.onTheWay)}
    </Tile>
    <Tile label="Your store’s calls" href="/dashboard/requests" note={callsNote(requests)}>
      {shareOf(requests)}
    </Tile>
  </Tiles>
);

const ToPay = ({ overview: { toPay, processing } }: Pick<Props, 'overview'>) => {
  if (toPay.firstDueAt === null)
    return <>{processing.orders === 0 ? 'nothing to pay' : `${orders(processing.orders)} being paid`}</>;
  return (
    <>
      {orders(toPay.orders)}, first due <RelativeTime at={toPay.firstDueAt} />
    </>
  );
};

const orders = (count: number) => countOf(count, 'order', 'orders');

function walletNote({ toPay, funds: { reserved, available } }: ClientOverview, currency: string): string {
  if (reserved > 0) return `${formatMoney(reserved, currency)} reserved for open payments`;
  if (toPay.orders === 0) return 'ready for your next orders';
  const them = toPay.orders === 1 ? 'it' : 'all of them';
  if (available >= toPay.total) return `enough for ${them}`;
  return available > 0 ? `not enough for ${them}` : 'empty';
}

function shippedNote({ shipped, delivered }: ClientOverview): string {
  if (delivered.count > 0) return `${formatCount(delivered)} delivered since yesterday`;
  return shipped.count > 0
    ? `${formatCount(shipped)} shipped since yesterday`
    : 'none shipped since yesterday';
}

function callsNote({ succeeded, refused: refusedCalls, failed }: Figures): string {
  if (succeeded + refusedCalls + failed === 0) return 'none since yesterday';
  if (failed > 0) return `${countOf(failed, 'failure', 'failures')} on our side since yesterday`;
  return refusedCalls === 0
    ? 'all succeeded since yesterday'
    : `${formatNumber(refusedCalls)} refused since yesterday`;
}

/** Rounded down: with one refused call it must not show 100 %. */
function shareOf({ succeeded, refused: refusedCalls, failed }: Figures): string {
  const all = succeeded + refusedCalls + failed;
  return all === 0 ? '–' : `${formatNumber(Math.floor((succeeded / all) * 1_000) / 10)} %`;
}

/** The title of the home page. */
function titleOf({ toPay, processing }: ClientOverview): string {
  if (toPay.orders > 0) return `${countOf(toPay.orders, 'order waits', 'orders wait')} for payment`;
  if (processing.orders > 0) return `${countOf(processing.orders, 'order is', 'orders are')} being paid`;
  return 'No orders wait for payment';
}
