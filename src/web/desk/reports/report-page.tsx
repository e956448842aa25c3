import { type Bar, BarPlot } from '../../../shared/ui/components/bar-plot.js';
import { DownloadLink } from '../../../shared/ui/components/controls.js';
import { Card, Empty, Tile, Tiles } from '../../../shared/ui/components/layout.js';
import { type ListColumn, countColumn, ListCard, Tabs } from '../../../shared/ui/components/lists.js';
import {
  dayIn,
  type DayPeriod,
  PeriodFields,
  type Preset,
} from '../../../shared/ui/components/period-fields.js';
import { moneyRenderer, NameWithDetail } from '../../../shared/ui/components/values.js';
import { countOf, formatDay, formatMoney, formatNumber, formatMonth } from '../../../platform/formats.js';
import { oneOf, textIn } from '../../../shared/ui/forms.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { addDays, addMonths, type Day, type Month, type TimeZone } from '../../../platform/time/time.js';
import { salesByTime } from '../../../modules/sales/sales-by-time.js';
import { SALES_GROUPS, type SalesBy } from '../../../modules/sales/sales-groups.js';
import {
  MAX_REPORT_ROWS,
  type SalesReport,
  type SoldRow,
  type SalesFigures,
} from '../../../modules/sales/sales-report.js';
import { REPORTS } from '../paths.js';

const GROUPS: Record<SalesBy, string> = {
  day: 'Days',
  month: 'Months',
  client: 'Clients',
  product: 'Products',
  state: 'States',
};

const MAX_BARS = 6;

interface Props {
  report: SalesReport;
  query: ReportQuery;
  /** The name of the only client. */
  client: string | undefined;
  today: Day;
  timeZone: TimeZone;
  currency: string;
}

export function reportPage(props: Props): Page {
  const { report, query, client } = props;
  const hasRows = report.rows.length > 0;
  const { totals } = report;
  const isEmpty = !hasRows && !report.isTooMuch && !report.missing;
  return {
    title: titleOf(isEmpty, props),
    lead: (
      <>
        {client !== undefined && (
          <>
            Only {client} (<a href={reportPath({ ...query, clientId: undefined })}>show all clients</a>
            ).{' '}
          </>
        )}
        Payments of orders minus refunds, each on the day when its money moved. Days are those of{' '}
        {props.timeZone}.
        {query.by === 'product' && ' A product has its share, by value, of the delivery charge of an order.'}
      </>
    ),
    content: (
      <>
        <Filter {...props} />
        {!isEmpty && totals && <Totals {...props} totals={totals} />}
        {hasRows && (
          <Card title="Net sales and orders">
            <SalesPlot {...props} />
          </Card>
        )}
        <ListCard
          title={GROUPS[query.by]}
          actions={
            !isEmpty &&
            !report.missing && (
              <DownloadLink href={reportPath(query, `${REPORTS}/sales.csv`)}>CSV</DownloadLink>
            )
          }
          columns={columnsOf(query)}
          rows={report.rows.slice(0, MAX_REPORT_ROWS)}
          empty={<NoRows {...report} />}
          bar={
            report.rows.length > MAX_REPORT_ROWS && (
              <p>
                These are the {MAX_REPORT_ROWS} {ORDER_WORDS[query.by]}. The CSV file has all.
              </p>
            )
          }
        />
      </>
    ),
  };
}

function titleOf(isEmpty: boolean, { report: { totals }, query, currency }: Props): string {
  if (isEmpty) return 'No sales in this period';
  if (totals === undefined) return 'These sales are still being added up';
  return `${formatMoney(totals.net, currency)} sold ${periodOf(query)}`;
}

/** Why a report has no rows. */
export const NoRows = ({ isTooMuch, missing }: SalesReport) => {
  if (missing)
    return (
      <Empty>
        {`The service is still adding up the sales of these days${
          missing.until === undefined ? '' : `, and has finished those before ${formatDay(missing.until)}`
        }. Reload this page in a few minutes.`}
      </Empty>
    );
  return (
    <Empty>
      {isTooMuch
        ? 'These are too many to find the highest. Choose a shorter period. The CSV file has all.'
        : 'No order was paid and none was refunded. Choose other days.'}
    </Empty>
  );
};

const ORDER_WORDS: Record<SalesBy, string> = {
  day: 'latest',
  month: 'latest',
  client: 'highest',
  product: 'highest',
  state: 'highest',
};

function periodOf({ from, to }: DayPeriod): string {
  if (from === undefined) return `until ${formatDay(to!)}`;
  if (to === undefined) return `since ${formatDay(from)}`;
  return from === to ? `on ${formatDay(from)}` : `from ${formatDay(from)} to ${formatDay(to)}`;
}

const Filter = ({ query, today }: Props) => {
  const { by, clientId } = query;
  return (
    <div class="stack filter">
      <Tabs
        label="Sales by"
        tabs={(Object.keys(GROUPS) as SalesBy[]).map((each) => ({
          href: reportPath({ ...query, by: each }),
          text: GROUPS[each],
          current: each === by,
        }))}
      />
      <form class="search" action={REPORTS}>
        <input type="hidden" name="by" value={by} />
        {clientId !== undefined && <input type="hidden" name="client" value={clientId} />}
        <PeriodFields
          period={query}
          today={today}
          presets={presetsOn(today)}
          pathOf={(period) => reportPath({ ...query, ...period, by: groupFor(by, period, today) })}
        >
          <button class="button plain">Show</button>
        </PeriodFields>
      </form>
    </div>
  );
};

/** A long period opens by month, a short one by day. Other groups stay. */
function groupFor(by: SalesBy, { from }: DayPeriod, today: Day): SalesBy {
  if (by !== 'day' && by !== 'month') return by;
  return from === undefined || from < addDays(today, -92) ? 'month' : 'day';
}

const Totals = ({ totals, query: { by }, currency }: Props & { totals: SalesFigures }) => {
  const money = moneyRenderer(currency);
  return (
    <Tiles>
      <Tile label="Net sales" note="paid minus refunded">
        {money(totals.net)}
      </Tile>
      <Tile label="Paid" note={`${formatMoney(totals.delivery, currency)} of it for delivery`}>
        {money(totals.paid)}
      </Tile>
      <Tile label="Refunded" note={countOf(totals.refundedUnits, 'unit', 'units')}>
        {money(totals.refunded)}
      </Tile>
      {by === 'product' ? (
        // An order counts in the row of each of its products.
        <Tile label="Units">{formatNumber(totals.units)}</Tile>
      ) : (
        <Tile label="Orders" note={countOf(totals.units, 'unit', 'units')}>
          {formatNumber(totals.orders)}
        </Tile>
      )}
    </Tiles>
  );
};

type PlotProps = Pick<Props, 'report' | 'query' | 'currency'>;

/** Net sales with the orders below. The table beside it has all figures. */
export const SalesPlot = (props: PlotProps) => {
  const { query, currency } = props;
  const bars = barsOf(props);
  // All of it was paid in a currency of earlier years.
  if (bars.length === 0) return null;
  const highest = bars.reduce((one, two) => (two.net > one.net ? two : one));
  return (
    <BarPlot
      summary={`Most for ${highest.label}: ${formatMoney(highest.net, currency)}. The table has all figures.`}
      series={[
        { name: currency, kind: 'accent' },
        { name: 'orders', kind: 'info', apart: true },
      ]}
      bars={bars.map(({ net, orders, ...bar }) => ({
        ...bar,
        // More may go back in a period than comes in.
        values: [Math.round(Math.max(0, net) / 100), orders],
        ...(query.by === 'day' && bars.length === 1 && { tick: bar.label }),
      }))}
    />
  );
};

type ReportBar = Omit<Bar, 'values'> & Pick<SalesFigures, 'net' | 'orders'>;

/** Days and months without sales have empty bars. */
function barsOf({ report, query, currency }: PlotProps): ReportBar[] {
  const { by } = query;
  if (by !== 'day' && by !== 'month')
    return report.rows
      .filter((row) => row.currency === currency)
      .slice(0, MAX_BARS)
      .map(({ name, net, orders }) => ({ label: name || REST, net, orders }));
  const sales = salesByTime(report, { ...query, by }, currency);
  return sales.periods.map(({ key, ...sums }) => {
    const label = sales.by === 'day' ? formatDay(key) : formatMonth(key);
    const group = key.slice(0, 4);
    if (sales.by === 'day') return { label, tick: label.replace(/ \d+$/, ''), group, ...sums };
    const href = reportPath({ ...query, by: 'day', ...daysOf(key) });
    return { label, tick: label.slice(0, 3), group, href, ...sums };
  });
}

/** Refunds without a line. */
const REST = 'Delivery and amounts without a product';

export function columnsOf(query: ReportQuery): ListColumn<SoldRow>[] {
  const money = (heading: string, of: keyof SalesFigures, as?: 'amount'): ListColumn<SoldRow> => ({
    heading,
    align: 'end',
    cell: (row) => moneyRenderer(row.currency)(row[of]),
    ...(as && { as }),
  });
  return [
    { heading: GROUPS[query.by].slice(0, -1), as: 'title', cell: (row) => nameIn(query, row) },
    countColumn('Orders', ({ orders }) => orders),
    countColumn('Units', ({ units }) => units),
    money('Goods', 'goods'),
    money('Delivery', 'delivery'),
    money('Paid', 'paid'),
    money('Refunded', 'refunded'),
    money('Net', 'net', 'amount'),
  ];
}

/** A month leads to its days, a client to its own report. */
function nameIn(query: ReportQuery, { key, name }: SoldRow) {
  switch (query.by) {
    case 'day':
      return formatDay(key);
    case 'month':
      return <a href={reportPath({ ...query, by: 'day', ...daysOf(key) })}>{formatMonth(key)}</a>;
    case 'client':
      return <a href={reportPath({ ...query, by: 'day', clientId: Number(key) })}>{name}</a>;
    case 'product':
      return key === '' ? REST : <NameWithDetail detail={key}>{name}</NameWithDetail>;
    case 'state':
      return name;
  }
}

/** The report in the page's address. Without days it begins with the first sale, and ends now. */
export interface ReportQuery extends DayPeriod {
  by: SalesBy;
  clientId: number | undefined;
}

/** Parts of the address that make no sense are ignored. */
export function readReportQuery(query: FormFields): ReportQuery {
  const client = textIn(query, 'client');
  return {
    by: oneOf(query, 'by', SALES_GROUPS) ?? 'day',
    from: dayIn(query, 'from'),
    to: dayIn(query, 'to'),
    clientId: /^[1-9]\d{0,8}$/.test(client) ? Number(client) : undefined,
  };
}

export function reportPath({ clientId, ...query }: ReportQuery, path = REPORTS): string {
  return withQuery(path, { ...query, client: clientId });
}

function daysOf(month: Month): { from: Day; to: Day } {
  return { from: `${month}-01`, to: addDays(`${addMonths(month, 1)}-01`, -1) };
}

/** The first one is shown if the address has no days. */
export function presetsOn(today: Day): [Preset, ...Preset[]] {
  const month = today.slice(0, 7);
  return [
    { text: 'Last 30 days', from: addDays(today, -29), to: today },
    { text: 'This month', from: `${month}-01`, to: today },
    { text: 'Last month', ...daysOf(addMonths(month, -1)) },
    { text: 'Last 12 months', from: `${addMonths(month, -11)}-01`, to: today },
    { text: 'All', from: undefined, to: today },
  ];
}
