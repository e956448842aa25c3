import type { ComponentChildren } from 'preact';
import { isNear, type Standing } from '../../../orders/rules/unpaid-limits.js';
import { Fact, Facts } from '../../../pages/components/layout.js';
import { StateLabel } from '../../../pages/components/values.js';
import { formatMoney } from '../../../pages/format-money.js';
import type { Settings } from '../../../platform/settings/settings.js';
import { countOf } from '../count-of.js';

/** As much of the settings as a client is told. */
export type KnownLimits = Pick<Settings, 'currency' | 'rateLimitPerMinute' | 'paymentWindowHours'>;

interface Props {
  standing: Standing;
  limits: KnownLimits;
}

export const Limits = ({ standing, limits: { currency, rateLimitPerMinute, paymentWindowHours } }: Props) => (
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
  /** 0 is none. */
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
