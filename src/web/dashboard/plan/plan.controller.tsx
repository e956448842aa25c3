import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import {
  TAX_NAMES,
  CLIENT_FIELDS,
  type ClientValues,
  clientWords,
} from '../../../modules/clients/client-fields.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { ClientOrdersService } from '../../../modules/orders/records/client-orders.service.js';
import { submitForm, readTexts } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import {
  PlanService,
  type ClientPlan,
  type ClientSubscription,
} from '../../../modules/plans/plan.service.js';
import { PricesToCome, type PriceToCome } from '../../../modules/plans/prices-to-come.repository.js';
import { type ClientPerson, hasRole, requireRole } from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
import { PLAN, productPath } from '../paths.js';
import { isNearLimits } from '../../../modules/orders/rules/unpaid-limits.js';
import { ButtonLink, DownloadLink } from '../../../shared/ui/components/controls.js';
import { Card, Empty, Facts, Notice, Tile, Tiles } from '../../../shared/ui/components/layout.js';
import { ListCard } from '../../../shared/ui/components/lists.js';
import {
  DayOf,
  EndTime,
  ExactTime,
  NameWithDetail,
  StateLabel,
  RelativeTime,
} from '../../../shared/ui/components/values.js';
import { countOf, formatMoney, formatNumber } from '../../../platform/formats.js';
import { fieldFacts } from '../../../shared/ui/record.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { DAY_MS, plainTime, type TimeZone } from '../../../platform/time/time.js';
import { ClientRecord } from '../../shared/client-record.js';
import { Wholesaler } from '../home/help-page.js';

@DashboardPages('plan')
export class PlanPagesController {
  constructor(
    private readonly plans: PlanService,
    private readonly prices: PricesToCome,
    private readonly orders: ClientOrdersService,
    private readonly clients: ClientAdministrationService,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@ClientPageRequest() { me }: ClientPageRequest): Promise<Page> {
    return planPage(await this.read(me));
  }

  async read(me: ClientPerson) {
    const { clientId } = me;
    const plan = this.plans.activeView(clientId);
    const [unpaidTotals, futurePrices, billing] = await Promise.all([
      this.orders.account(clientId),
      plan ? this.prices.ofPlan(plan.id, MAX_VISIBLE_PRICES + 1) : [],
      this.sellers.isTaxOn().then((isOn) => (isOn ? this.clients.find(clientId) : undefined)),
    ]);
    return {
      plan: this.plans.of(clientId),
      /** The prices that change next, and one more if there are more than the page shows. */
      futurePrices,
      /** Follows the names of prices. */
      priceNote: await this.sellers.priceNote(),
      /** The client's data on invoices. Undefined while tax is off. */
      billing,
      /** The data that the client lacks for invoices. */
      lacked: billing && (await this.sellers.missingDataOf(billing)),
      canChangeBilling: hasRole(me, 'owner'),
      unpaidTotals,
      limits: this.settings,
    };
  }

  @Get('billing')
  async billingForm(@ClientPageRequest() { me }: ClientPageRequest): Promise<Page> {
    requireRole(me, 'owner');
    if (!(await this.sellers.isTaxOn())) throw new DomainError('route_not_found', 'There is no such page.');
    const client = await this.clients.find(me.clientId);
    return {
      title: 'Billing details',
      lead: 'Invoices show them, and the state decides which tax applies. Issued invoices stay as they are.',
      back: { href: PLAN, text: 'Plan' },
      content: (
        <ClientRecord
          client={client}
          fields={BILLING_FIELDS}
          names={TAX_NAMES}
          reviewed={TAX_NAMES}
          settings={this.settings}
        />
      ),
    };
  }

  @PostForm('billing')
  async setBilling(@ClientPageRequest() request: ClientPageRequest): Promise<Reply> {
    const page = await this.billingForm(request);
    const { shown: reviewedState, ...change } = readTexts(...TAX_NAMES, 'shown')(request.fields);
    const set = async () => {
      await this.clients.setOwn(request.me, change, reviewedState);
      return seeOther(PLAN, 'The billing details are saved. New invoices show them.');
    };
    return submitForm(set, () => page);
  }

  /** The prices that will change. */
  @Get('prices.csv')
  file(
    @ClientPageRequest() { owner, me: { clientId, timeZone } }: ClientPageRequest,
  ): Promise<StreamableFile> {
    const plan = this.plans.activeView(clientId);
    const { prices, sellers, settings } = this;
    async function* rows() {
      if (!plan) return;
      const unit = settings.currency + (await sellers.priceNote());
      for await (const price of prices.allOfPlan(plan.id)) yield priceRow(price, unit, timeZone);
    }
    return csvResponse(owner, 'prices-to-come', PRICE_COLUMNS, rows());
  }
}

type Props = Awaited<ReturnType<PlanPagesController['read']>>;

const MAX_VISIBLE_PRICES = 100;

/** The page warns this long before the subscription ends. */
const RENEWAL_NOTICE_MS = 30 * DAY_MS;

function planPage(props: Props): Page {
  const { plan, futurePrices, billing, limits, priceNote } = props;
  const { active, toCome } = plan;
  return {
    ...headOf(plan),
    content: (
      <>
        {active && toCome.length === 0 && <EndsSoon active={active} />}
        {active && <PlanTiles active={active} {...props} />}
        {futurePrices.length > 0 && (
          <ChangingPrices prices={futurePrices} currency={limits.currency} priceNote={priceNote} />
        )}
        <NextSubscriptions {...props} />
        <Card title="Limits">
          <Limits {...props} />
        </Card>
        {billing && <BillingCard {...props} client={billing} />}
      </>
    ),
  };
}

const UNTIL_THEN = 'Until then your store cannot see products or place orders. Its calls get status 403.';

function headOf({ active, ended, toCome }: ClientPlan): Pick<Page, 'title' | 'lead'> {
  if (active)
    return {
      title: `Your plan is ${active.name}`,
      lead: (
        <>
          Your subscription runs from <DayOf at={active.startsAt} /> until <LastDayOf {...active} />.
        </>
      ),
    };
  const next =
    toCome.length > 0 ? (
      'The next one has not started.'
    ) : (
      <>
        Ask <Wholesaler /> for a new one.
      </>
    );
  if (ended)
    return {
      title: 'Your subscription has ended',
      lead: (
        <>
          Your plan was {ended.name}, until <LastDayOf {...ended} />. {next} {UNTIL_THEN}
        </>
      ),
    };
  return {
    title: 'You have no subscription',
    lead: (
      <>
        {next} {UNTIL_THEN}
      </>
    ),
  };
}

const EndsSoon = ({ active: { endsAt } }: { active: ClientSubscription }) =>
  endsAt.getTime() - Date.now() > RENEWAL_NOTICE_MS ? null : (
    <Notice kind="warn">
      Your subscription ends <RelativeTime at={endsAt} />. Ask <Wholesaler /> to renew it. Without a
      subscription your store’s calls get status 403.
    </Notice>
  );

const PlanTiles = ({ active, unpaidTotals, limits }: Props & { active: ClientSubscription }) => (
  <Tiles>
    <Tile label="Discount" note="off the base prices">
      {percent(active.discountPercent)}
    </Tile>
    <Tile label="Fixed prices" note="without the discount">
      {countOf(active.fixedPrices, 'product', 'products')}
    </Tile>
    <Tile label="Subscribed until" note={`${countOf(daysLeft(active), 'day', 'days')} left`}>
      <LastDayOf {...active} />
    </Tile>
    <Tile
      label="Not paid yet"
      href="/dashboard/orders"
      note={countOf(unpaidTotals.unpaid.orders, 'order', 'orders')}
    >
      {formatMoney(unpaidTotals.unpaid.value, limits.currency)}
    </Tile>
  </Tiles>
);

const NextSubscriptions = ({ plan: { active, toCome } }: Props) => (
  <ListCard
    title="Next subscriptions"
    columns={[
      { heading: 'Plan', as: 'title', cell: ({ name }) => <strong>{name}</strong> },
      { heading: 'From', cell: ({ startsAt }) => <DayOf at={startsAt} /> },
      { heading: 'Until', cell: (subscription) => <LastDayOf {...subscription} /> },
      { heading: 'Discount', align: 'end', as: 'amount', cell: (next) => percent(next.discountPercent) },
    ]}
    rows={toCome}
    empty={
      <Empty>
        <p>
          No {active && 'further '}subscription is agreed. To set one up{active && ', or to change your plan'}
          , ask <Wholesaler />.
        </p>
      </Empty>
    }
  />
);

const formatPrice = ({ sku }: PriceToCome, value: string, currency: string) =>
  sku === null ? percent(Number(value)) : formatMoney(minorFromNumeric(value), currency);

type PricesProps = Pick<Props, 'priceNote'> & { prices: readonly PriceToCome[]; currency: string };

const ChangingPrices = ({ prices, currency, priceNote }: PricesProps) => (
  <ListCard
    id="prices"
    title={
      prices.length > MAX_VISIBLE_PRICES
        ? `The first ${MAX_VISIBLE_PRICES} prices that will change${priceNote}`
        : `Prices that will change${priceNote}`
    }
    actions={<DownloadLink href={`${PLAN}/prices.csv`}>Export CSV</DownloadLink>}
    columns={[
      {
        heading: 'Product',
        as: 'title',
        cell: ({ sku, name }) =>
          sku === null ? (
            <NameWithDetail detail="off the base prices">Your discount</NameWithDetail>
          ) : (
            <NameWithDetail detail={sku}>
              <a href={productPath(sku)}>{name}</a>
            </NameWithDetail>
          ),
      },
      { heading: 'Now', align: 'end', cell: (price) => formatPrice(price, price.old, currency) },
      {
        heading: 'Then',
        align: 'end',
        as: 'amount',
        cell: (price) => formatPrice(price, price.new, currency),
      },
      { heading: 'From', cell: ({ from }) => <ExactTime at={from} /> },
      { heading: 'Until', cell: ({ to }) => (to === null ? 'Stays' : <EndTime at={to} />) },
    ]}
    rows={prices.slice(0, MAX_VISIBLE_PRICES)}
  />
);

const PRICE_COLUMNS = ['SKU', 'Product', 'Now', 'Then', 'From', 'Until', 'Unit'] as const;

/** Missing values are empty cells. */
function priceRow(price: PriceToCome, unit: string, timeZone: TimeZone) {
  const { sku, name, from, to } = price;
  return {
    SKU: sku ?? '',
    Product: name ?? 'Your discount',
    Now: price.old,
    Then: price.new,
    From: plainTime(from, timeZone),
    Until: to === null ? '' : plainTime(to, timeZone),
    Unit: sku === null ? '%' : unit,
  };
}

/** Includes today. */
function daysLeft({ endsAt }: ClientSubscription): number {
  return Math.ceil((endsAt.getTime() - Date.now()) / DAY_MS);
}

/** The end is the first moment after the subscription. */
const LastDayOf = ({ endsAt }: Pick<ClientSubscription, 'endsAt'>) => <DayOf at={endsAt.getTime() - 1} />;

function percent(value: number): string {
  return value === 0 ? 'None' : `${formatNumber(value)} %`;
}

const Limits = ({ unpaidTotals: { unpaid, limits: maximum }, limits }: Props) => {
  const { currency, rateLimitPerMinute, paymentWindowHours } = limits;
  const money = (minor: number) => formatMoney(minor, currency);
  const hours = countOf(paymentWindowHours, 'hour', 'hours');
  const units = countOf(rateLimitPerMinute, 'unit', 'units');
  return (
    <Facts
      of={{
        'Unpaid orders': <UsageOfLimit used={unpaid.orders} limit={maximum.orders} format={formatNumber} />,
        'Unpaid total': <UsageOfLimit used={unpaid.value} limit={maximum.value} format={money} />,
        'Pay within': `${hours}. After that an order is cancelled, and its stock is released.`,
        'Your store’s calls':
          rateLimitPerMinute === 0
            ? 'No limit.'
            : `${units} per minute for all your tokens. A stock check costs one unit, a long list more.`,
      }}
    />
  );
};

interface UsageProps {
  used: number;
  /** 0 means no limit. */
  limit: number;
  format: (amount: number) => string;
}

const UsageOfLimit = ({ used, limit, format }: UsageProps) => {
  if (limit === 0) return <>{format(used)}, no limit</>;
  return (
    <>
      {format(used)} of at most {format(limit)}{' '}
      {isNearLimits({ orders: used, value: 0 }, { orders: limit, value: 0 }) && (
        <StateLabel kind="warn">near the limit</StateLabel>
      )}
    </>
  );
};

/** The client's data on invoices. All roles see it; owners change it. */
const BillingCard = ({ client, lacked, canChangeBilling, limits }: Props & { client: ClientValues }) => (
  <Card
    title="Billing details"
    actions={canChangeBilling && <ButtonLink href={`${PLAN}/billing`}>Change the billing details</ButtonLink>}
  >
    <Facts of={fieldFacts(CLIENT_FIELDS, TAX_NAMES, clientWords(client, limits))} />
    <p class="small">
      {lacked !== undefined && `The wholesaler cannot ship your orders without your ${lacked}. `}
      {canChangeBilling ? 'New invoices show these details.' : 'Only owners can change these details.'}
    </p>
  </Card>
);

/** The browser may fill in the person's own address. */
const BILLING_FIELDS = {
  ...CLIENT_FIELDS,
  billingAddress: { ...CLIENT_FIELDS.billingAddress, autocomplete: 'street-address' },
};
