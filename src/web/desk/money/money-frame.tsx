import { Tabs } from '../../../shared/ui/components/lists.js';
import { moneyRenderer } from '../../../shared/ui/components/values.js';
import { formatNumber } from '../../../platform/formats.js';
import type { Minor } from '../../../platform/money/money.js';
import type { Funds } from '../../../modules/wallet/wallet.service.js';
import type { Effects } from '../action.js';
import { INVOICES, MONEY, MONTH_END, PAYMENTS, REFUNDS, WALLETS } from '../paths.js';

/** Work that waits, from the service that counts it for the metrics. */
export type MoneyCounts = Record<string, number>;

/** The parts of the money section, with the work that waits in each. */
export const MoneyTabs = ({ at, counts }: { at: string; counts: MoneyCounts }) => (
  <Tabs
    label="Money"
    at={at}
    tabs={[
      tab(MONEY, 'Transfers', counts.transfers_announced),
      tab(PAYMENTS, 'Payments', counts.needing_a_person),
      tab(REFUNDS, 'Refunds', counts.refunding),
      tab(WALLETS, 'Wallets'),
      tab(INVOICES, 'Invoices'),
      tab(MONTH_END, 'Month’s end'),
    ]}
  />
);

const tab = (href: string, text: string, count = 0) => ({
  href,
  text,
  count: count > 0 ? formatNumber(count) : undefined,
});

/** The wallet before the change, for a review. */
export const fundsNow = ({ balance, reserved }: Funds, currency: string): Effects => ({
  'In the wallet now': moneyRenderer(currency)(balance),
  'Reserved for open payments': reserved > 0 && moneyRenderer(currency)(reserved),
});

/** The wallet before and after it pays this amount. */
export const fundsToPay = (funds: Funds, amount: Minor, currency: string): Effects => ({
  ...fundsNow(funds, currency),
  'In the wallet afterwards':
    funds.available < amount ? 'not enough to pay' : moneyRenderer(currency)(funds.balance - amount),
});
