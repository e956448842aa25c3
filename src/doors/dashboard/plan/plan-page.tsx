import type { ComponentChildren } from 'preact';
import { isNear, type Standing } from '../../../orders/rules/unpaid-limits.js';
import { Card, Empty, Fact, Facts, Tile, Tiles } from '../../../pages/components/layout.js';
import { Notice } from '../../../pages/components/notice.js';
import { Table } from '../../../pages/components/table.js';
import { StateLabel, When } from '../../../pages/components/values.js';
import { formatMoney } from '../../../pages/format-money.js';
import type { Page } from '../../../pages/page.js';
import { dayOf } from '../../../pages/times.js';
import type { ClientPlan, ClientSubscription } from '../../../plans/client-plans.js';
import type { Settings } from '../../../platform/settings/settings.js';
import { countOf } from '../count-of.js';

interface Props {
  plan: ClientPlan;
  standing: Standing;
  limits: KnownLimits;
}

const DAY_MS = 86_400_000;

/** The page warns this long before the subscription ends. */
const SOON_MS = 30 * DAY_MS;

export function planPage({ plan, standing, limits }: Props): Page {
  const { active, toCome } = plan;
  return {
    ...headOf(plan),
    content: (
      <>
        {active && toCome.length === 0 && <EndsSoon active={active} />}
        {active && <PlanTiles active={active} standing={standing} currency={limits.currency} />}
        <Card title="What comes next" flush>
          <Next plan={plan} />
        </Card>
        <Card title="Limits">
          <Limits standing={standing} limits={limits} />
        </Card>
      </>
    ),
  };
}

const UNTIL_THEN =
  'Until then your store sees no products and places no orders: its calls are answered with 403.';

function headOf({ active, ended, toCome }: ClientPlan): Pick<Page, 'title' | 'lead'> {
  if (active)
    return {
      title: `Your plan is ${active.name}`,
      lead: `You have subscribed to it since ${dayOf(active.startsAt)}, until ${lastDayOf(active)}.`,
    };
  const next = toCome.length > 0 ? 'The next one has not begun.' : 'Ask the wholesaler for a new one.';
  if (ended)
    return {
      title: 'Your subscription has ended',
      lead: `It was to ${ended.name}, until ${lastDayOf(ended)}. ${next} ${UNTIL_THEN}`,
    };
  return { title: 'You have no subscription', lead: `${next} ${UNTIL_THEN}` };
}

const EndsSoon = ({ active: { endsAt } }: { active: ClientSubscription }) =>
  endsAt.getTime() - Date.now() > SOON_MS ? null : (
    <Notice kind="warn">
      Your subscription ends <When at={endsAt} />, and nothing comes after it: ask the wholesaler to renew it.
      Without one your store's calls are answered with 403.
    </Notice>
  );

interface TilesProps {
  active: ClientSubscription;
  standing: Standing;
  currency: string;
}

const PlanTiles = ({ active, standing, currency }: TilesProps) => (
  <Tiles>
    <Tile label="Discount" note="off the base prices">
      {percent(active.discountPercent)}
    </Tile>
    <Tile label="Fixed prices" note="for which the discount does not count">
      {countOf(active.fixedPrices, 'product', 'products')}
    </Tile>
    <Tile label="Subscribed until" note={`${countOf(daysLeft(active), 'day', 'days')} to go`}>
      {lastDayOf(active)}
    </Tile>
    <Tile
      label="Not paid yet"
      href="/dashboard/orders"
      note={countOf(standing.unpaid.orders, 'order', 'orders')}
    >
      {formatMoney(standing.unpaid.value, currency)}
    </Tile>
  </Tiles>
);

const Next = ({ plan: { active, toCome } }: Pick<Props, 'plan'>): ComponentChildren =>
  toCome.length === 0 ? (
    <Empty>
      {active
        ? 'Nothing is agreed for the time after. A new subscription, or another plan, is set up by the wholesaler.'
        : 'Nothing is agreed. A subscription is set up by the wholesaler.'}
    </Empty>
  ) : (
    <Table
      caption="Subscriptions to come"
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
  standing: Standing;
  limits: KnownLimits;
}

export const Limits = ({
  standing,
  limits: { currency, rateLimitPerMinute, paymentWindowHours },
}: LimitsProps) => (
  <Facts>
    <Fact term="Unpaid orders">
      <Used
        used={standing.unpaid.orders}
        limit={standing.limits.orders}
        tell={(orders) => orders.toLocaleString('en-IN')}
      />
    </Fact>
    <Fact term="Unpaid in all">
      <Used
        used={standing.unpaid.value}
        limit={standing.limits.value}
        tell={(minor) => formatMoney(minor, currency)}
      />
    </Fact>
    <Fact term="To be paid within">
      {countOf(paymentWindowHours, 'hour', 'hours')}. An order that is not is cancelled, and its stock goes
      back.
    </Fact>
    <Fact term="Your store's calls">
      {rateLimitPerMinute === 0
        ? 'As many as you like.'
        : `${countOf(rateLimitPerMinute, 'unit', 'units')} of work a minute, for all your tokens together. A stock check is one; long lists are more.`}
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
  if (limit === 0) return <>{tell(used)}, of as much as you like</>;
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
