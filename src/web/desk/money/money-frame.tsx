import { Tabs } from '../../../shared/ui/components/lists.js';
import { formatNumber } from '../../../platform/formats.js';
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
