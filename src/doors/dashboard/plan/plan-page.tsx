import type { ComponentChildren } from 'preact';
import { isNear, type UnpaidTotals } from '../../../orders/rules/unpaid-limits.js';
import { Card, Empty, Fact, Facts, Tile, Tiles } from '../../../pages/components/layout.js';
import { Notice } from '../../../pages/components/notice.js';
import { Table } from '../../../pages/components/table.js';
import { StateLabel, When } from '../../../pages/components/values.js';
import { formatMoney } from '../../../pages/format-money.js';
import type { Page } from '../../../pages/page.js';
import { dayOf } from '../../../pages/times.js';
import type { ClientPlan, ClientSubscription } from '../../../plans/plan.service.js';
import type { Settings } from '../../../platform/settings/settings.js';
import { countOf } from '../count-of.js';

interface Props {
  plan: ClientPlan;
  unpaidTotals: UnpaidTotals;
  limits: KnownLimits;
}

const DAY_MS = 86_400_000;

/** The page warns this long before the subscription ends. */
const SOON_MS = 30 * DAY_MS;

export function planPage({ plan, unpaidTotals, limits }: Props): Page {
  const { active, toCome } = plan;
  return {
    ...headOf(plan),
    content: (
      <>
        {active && toCome.length === 0 && <EndsSoon active={active} />}
        {active && <PlanTiles active={active} unpaidTotals={unpaidTotals} currency={limits.currency} />}
        <Card title="Next subscriptions" flush>
          <Next plan={plan} />
        </Card>
        <Card title="Limits">
          <Limits unpaidTotals={unpaidTotals} limits={limits} />
        </Card>
      </>
    ),
  };
}

const UNTIL_THEN = 'Until then your store cannot see products or place orders. Its calls get status 403.';

function headOf({ active, ended, toCome }: ClientPlan): Pick<Page, 'title' | 'lead'> {
  if (active)
    return {
      title: `Your plan is ${active.name}`,
      lead: `Your subscription runs from ${dayOf(active.startsAt)} until ${lastDayOf(active)}.`,
    };
  const next = toCome.length > 0 ? 'The next one has not started.' : 'Ask the wholesaler for a new one.';
  if (ended)
    return {
      title: 'Your subscription has ended',
      lead: `Your plan was ${ended.name}, until ${lastDayOf(ended)}. ${next} ${UNTIL_THEN}`,
    };
  return { title: 'You have no subscription', lead: `${next} ${UNTIL_THEN}` };
}

const EndsSoon = ({ active: { endsAt } }: { active: ClientSubscription }) =>
  endsAt.getTime() - Date.now() > SOON_MS ? null : (
    <Notice kind="warn">
      Your subscription ends <When at={endsAt} />. Ask the wholesaler to renew it. Without a subscription your
      store’s calls get status 403.
    </Notice>
  );

interface TilesProps {
  active: ClientSubscription;
  unpaidTotals: UnpaidTotals;
  currency: string;
}

const PlanTiles = ({ active, unpaidTotals, currency }: TilesProps) => (
  <Tiles>
    <Tile label="Discount" note="off the base prices">
      {percent(active.discountPercent)}
    </Tile>
    <Tile label="Fixed prices" note="without the discount">
      {countOf(active.fixedPrices, 'product', 'products')}
    </Tile>
    <Tile label="Subscribed until" note={`${countOf(daysLeft(active), 'day', 'days')} left`}>
      {lastDayOf(active)}
    </Tile>
    <Tile
      label="Not paid yet"
      href="/dashboard/orders"
      note={countOf(unpaidTotals.unpaid.orders, 'order', 'orders')}
    >
      {formatMoney(unpaidTotals.unpaid.value, currency)}
    </Tile>
  </Tiles>
);

const Next = ({ plan: { active, toCome } }: Pick<Props, 'plan'>): ComponentChildren =>
  toCome.length === 0 ? (
    <Empty>
      {active
        ? 'No further subscription is agreed. The wholesaler can set up another one, or change your plan.'
        : 'No subscription is agreed. Ask the wholesaler to set one up.'}
    </Empty>
  ) : (
    <Table
      caption="Future subscriptions"
      columns={[
        { heading: 'Plan', as: 'title', cell: ({ name }) => <strong>{name}</strong> },
        { heading: 'From', cell: ({ startsAt }) => dayOf(startsAt) },
        { heading: 'Until', cell: (subscription) => lastDayOf(subscription) },
        { heading: 'Discount', align: 'end', as: 'amount', cell: (next) => percent(next.discountPercent) },
      ]}
      rows={toCome}
    />
  );

/** Includes today. */
function daysLeft({ endsAt }: ClientSubscription): number {
  return Math.ceil((endsAt.getTime() - Date.now()) / DAY_MS);
}

/** The end is the first moment after the subscription. */
function lastDayOf({ endsAt }: ClientSubscription): string {
  return dayOf(endsAt.getTime() - 1);
}

function percent(value: number): string {
  return value === 0 ? 'None' : `${value.toLocaleString('en-IN')} %`;
}

/** The settings that a client may see. */
export type KnownLimits = Pick<Settings, 'currency' | 'rateLimitPerMinute' | 'paymentWindowHours'>;

interface LimitsProps {
  unpaidTotals: UnpaidTotals;
  limits: KnownLimits;
}

export const Limits = ({
  unpaidTotals,
  limits: { currency, rateLimitPerMinute, paymentWindowHours },
}: LimitsProps) => (
  <Facts>
    <Fact term="Unpaid orders">
      <Used
        used={unpaidTotals.unpaid.orders}
        limit={unpaidTotals.limits.orders}
        tell={(orders) => orders.toLocaleString('en-IN')}
      />
    </Fact>
    <Fact term="Unpaid total">
      <Used
        used={unpaidTotals.unpaid.value}
        limit={unpaidTotals.limits.value}
        tell={(minor) => formatMoney(minor, currency)}
      />
    </Fact>
    <Fact term="Pay within">
      {countOf(paymentWindowHours, 'hour', 'hours')}. After that an order is cancelled, and its stock is
      released.
    </Fact>
    <Fact term="Your store's calls">
      {rateLimitPerMinute === 0
        ? 'No limit.'
        : `${countOf(rateLimitPerMinute, 'unit', 'units')} per minute, shared by all your tokens. A stock check costs one unit; long lists cost more.`}
    </Fact>
  </Facts>
);

interface UsedProps {
  used: number;
  /** 0 means no limit. */
  limit: number;
  tell: (amount: number) => string;
}

const Used = ({ used, limit, tell }: UsedProps): ComponentChildren => {
  if (limit === 0) return <>{tell(used)}, no limit</>;
  return (
    <>
      {tell(used)} of at most {tell(limit)}{' '}
      {isNearTo(used, limit) && <StateLabel kind="warn">near the limit</StateLabel>}
    </>
  );
};

function isNearTo(used: number, limit: number): boolean {
  return isNear({ orders: used, value: 0 }, { orders: limit, value: 0 });
}
