import type { TopProduct } from '../../../modules/orders/records/order-view.repository.js';
import { BarPlot } from '../../../shared/ui/components/bar-plot.js';
import { Card } from '../../../shared/ui/components/layout.js';
import {
  amountColumn,
  type ListColumn,
  countColumn,
  Table,
  titleColumn,
} from '../../../shared/ui/components/lists.js';
import { countOf, formatMoney, formatMonth } from '../../../platform/formats.js';
import { amountFromMinor, type Minor } from '../../../platform/money/money.js';
import type { Month, TimeZone } from '../../../platform/time/time.js';
import { productPath } from '../paths.js';

export interface SpentInMonth {
  month: Month;
  spent: Minor;
}

interface Props {
  /** Oldest first, without gaps. */
  months: readonly SpentInMonth[];
  /** The product with most units first. */
  products: readonly TopProduct[];
  currency: string;
  /** The time zone of the months, if the page uses another one. */
  timeZone: TimeZone | undefined;
}

/** Empty until there are payments or orders. */
export const Trends = ({ months, products, ...facts }: Props) => (
  <>
    {months.some(({ spent }) => spent !== 0) && <SpentByMonth months={months} {...facts} />}
    {products.length > 0 && <TopProducts products={products} />}
  </>
);

const SpentByMonth = ({ months, currency, timeZone }: Omit<Props, 'products'>) => (
  <Card title="Spent by month">
    <BarPlot
      summary={describeSpending(months, currency)}
      series={[{ name: currency, kind: 'accent' }]}
      bars={months.map(({ month, spent }) => ({
        label: formatMonth(month),
        tick: formatMonth(month).slice(0, 3),
        group: month.slice(0, 4),
        // Refunds of a month may exceed its payments.
        values: [Math.round(Math.max(0, amountFromMinor(spent)))],
      }))}
    />
    {timeZone && <p class="small">Months are in the time zone {timeZone}, as in your wallet.</p>}
    <details>
      <summary>As a table</summary>
      <Table
        caption="Spent by month, latest first"
        columns={monthColumns(currency)}
        rows={months.toReversed()}
      />
    </details>
  </Card>
);

function monthColumns(currency: string): ListColumn<SpentInMonth>[] {
  return [
    { heading: 'Month', as: 'title', cell: ({ month }) => formatMonth(month) },
    amountColumn('Paid for orders, without refunds', currency, ({ spent }) => spent, 'amount'),
  ];
}

function describeSpending(months: readonly SpentInMonth[], currency: string): string {
  const maximum = months.reduce((a, b) => (b.spent > a.spent ? b : a));
  const now = months.at(-1)!;
  const highest = `most in ${formatMonth(maximum.month)}, ${formatMoney(maximum.spent, currency)}`;
  const current = `${formatMoney(now.spent, currency)} this month`;
  return `Spent by month: ${current}; ${highest}. The table has all months.`;
}

const TopProducts = ({ products }: Pick<Props, 'products'>) => (
  <Card title="Most ordered">
    <BarPlot
      summary={`Most ordered: ${products.map(describeProduct).join(', ')}.`}
      series={[{ name: 'units in your last 1,000 orders', kind: 'info' }]}
      bars={products.map(({ name, quantity }) => ({ label: name, values: [quantity] }))}
    />
    <details>
      <summary>As a table</summary>
      <Table caption="Most ordered products" columns={PRODUCT_COLUMNS} rows={products} />
    </details>
  </Card>
);

const PRODUCT_COLUMNS: ListColumn<TopProduct>[] = [
  titleColumn('Product', ({ sku, name }) => ({ text: name, href: productPath(sku), detail: sku })),
  countColumn('Orders', ({ orders }) => orders),
  countColumn('Units', ({ quantity }) => quantity),
];

function describeProduct({ name, quantity }: TopProduct): string {
  return `${name}, ${countOf(quantity, 'unit', 'units')}`;
}
