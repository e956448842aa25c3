import { type Bar, BarPlot } from '../../../shared/ui/components/bar-plot.js';
import { DownloadLink } from '../../../shared/ui/components/controls.js';
import { Card, Empty, Tile, Tiles } from '../../../shared/ui/components/layout.js';
import { type Column, counts, ListCard, Tabs } from '../../../shared/ui/components/lists.js';
import {
  dayIn,
  type DayPeriod,
  PeriodFields,
  type Preset,
} from '../../../shared/ui/components/period-fields.js';
import { moneyIn, Named } from '../../../shared/ui/components/values.js';
import { countOf, dayOf, formatMoney, formatNumber, nameOfMonth } from '../../../shared/ui/formats.js';
import { oneOf, textIn } from '../../../shared/ui/forms.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { addDays, addMonths, type Day, type Month, type TimeZone } from '../../../platform/time/time.js';
import { salesByTime } from '../../../modules/sales/sales-by-time.js';
import { SALES_GROUPS, type SalesBy } from '../../../modules/sales/sales-groups.js';
import { MOST_ROWS, type Report, type SoldRow, type Sums } from '../../../modules/sales/sales-report.js';
import { REPORTS } from '../paths.js';

const GROUPS: Record<SalesBy, string> = {
  day: 'Days',
  month: 'Months',
  client: 'Clients',
  product: 'Products',
  state: 'States',
};

const MOST_BARS = 6;

interface Props {
  report: Report;
  chosen: ReportQuery;
  /** The name of the only client. */
  client: string | undefined;
  today: Day;
  timeZone: TimeZone;
  currency: string;
}

export function reportPage(props: Props): Page {
  const { report, chosen, client, currency } = props;
  const isListed = report.rows.length > 0;
  const isEmpty = !isListed && !report.isTooMuch;
  return {
    title: isEmpty
      ? 'No sales in this period'
      : `${formatMoney(report.totals.net, currency)} sold ${periodOf(chosen)}`,
    lead: (
      <>
        {client !== undefined && (
          <>
            Only {client} (<a href={reportPath({ ...chosen, clientId: undefined })}>show all clients</a>
            ).{' '}
          </>
        )}
        Payments of orders minus refunds, each on the day when its money moved. Days are those of{' '}
        {props.timeZone}.
      </>
    ),
    content: (
      <>
        <Filter {...props} />
        {!isEmpty && <Totals {...props} />}
        {isListed && (
          <Card title="Net sales and orders">
            <SalesPlot {...props} />
          </Card>
        )}
        <ListCard
          title={GROUPS[chosen.by]}
          actions={
            !isEmpty && <DownloadLink href={reportPath(chosen, `${REPORTS}/sales.csv`)}>CSV</DownloadLink>
          }
          columns={columnsOf(chosen)}
          rows={report.rows.slice(0, MOST_ROWS)}
          empty={
            <Empty>
              {report.isTooMuch
                ? 'These are too many to find the highest. Choose a shorter period. The CSV file has all.'
                : 'No order was paid and none was refunded. Choose other days.'}
            </Empty>
          }
          bar={
            report.rows.length > MOST_ROWS && (
              <p>
                These are the {MOST_ROWS} {ORDER_WORDS[chosen.by]}. The CSV file has all.
              </p>
            )
          }
        />
      </>
    ),
  };
}

const ORDER_WORDS: Record<SalesBy, string> = {
  day: 'latest',
  month: 'latest',
  client: 'highest',
  product: 'highest',
  state: 'highest',
};

function periodOf({ from, to }: DayPeriod): string {
  const shown = (day: Day) => dayOf(Date.parse(day), 'UTC');
  if (from === undefined) return `until ${shown(to!)}`;
  if (to === undefined) return `since ${shown(from)}`;
  return from === to ? `on ${shown(from)}` : `from ${shown(from)} to ${shown(to)}`;
}

const Filter = ({ chosen, today }: Props) => {
  const { by, clientId } = chosen;
  return (
    <div class="stack filter">
      <Tabs
        label="Sales by"
        tabs={(Object.keys(GROUPS) as SalesBy[]).map((each) => ({
          href: reportPath({ ...chosen, by: each }),
          text: GROUPS[each],
          current: each === by,
        }))}
      />
      <form class="search" action={REPORTS}>
        <input type="hidden" name="by" value={by} />
        {clientId !== undefined && <input type="hidden" name="client" value={clientId} />}
        <PeriodFields
          period={chosen}
          today={today}
          presets={presetsOn(today)}
          pathOf={(period) => reportPath({ ...chosen, ...period })}
        >
          <button class="button plain">Show</button>
        </PeriodFields>
      </form>
    </div>
  );
};

const Totals = ({ report: { totals }, chosen: { by }, currency }: Props) => {
  const money = moneyIn(currency);
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

type PlotProps = Pick<Props, 'report' | 'chosen' | 'currency'>;

/** Net sales with the orders below. The table beside it has all figures. */
export const SalesPlot = (props: PlotProps) => {
  const { chosen, currency } = props;
  const bars = barsOf(props);
  // All of it was paid in a currency of earlier years.
  if (bars.length === 0) return null;
  const most = bars.reduce((one, two) => (two.net > one.net ? two : one));
  return (
    <BarPlot
      summary={`Most for ${most.label}: ${formatMoney(most.net, currency)}. The table has all figures.`}
      series={[
        { name: currency, kind: 'accent' },
        { name: 'orders', kind: 'info', apart: true },
      ]}
      bars={bars.map(({ net, orders, ...bar }) => ({
        ...bar,
        // More may go back in a period than comes in.
        values: [Math.round(Math.max(0, net) / 100), orders],
        ...(chosen.by === 'day' && bars.length === 1 && { tick: bar.label }),
      }))}
    />
  );
};

type DrawnBar = Omit<Bar, 'values'> & Pick<Sums, 'net' | 'orders'>;

/** Days and months without sales have empty bars. */
function barsOf({ report, chosen, currency }: PlotProps): DrawnBar[] {
  const { by } = chosen;
  if (by !== 'day' && by !== 'month')
    return report.rows
      .filter((row) => row.currency === currency)
      .slice(0, MOST_BARS)
      .map(({ name, net, orders }) => ({ label: name || REST, net, orders }));
  const told = salesByTime(report, { ...chosen, by }, currency);
  return told.periods.map(({ key, ...sums }) => {
    const label = told.by === 'day' ? dayOf(Date.parse(key), 'UTC') : nameOfMonth(key);
    const group = key.slice(0, 4);
    if (told.by === 'day') return { label, tick: label.replace(/ \d+$/, ''), group, ...sums };
    const href = reportPath({ ...chosen, by: 'day', ...daysOf(key) });
    return { label, tick: label.slice(0, 3), group, href, ...sums };
  });
}

/** Refunds without a line. */
const REST = 'Delivery and amounts without a product';

export function columnsOf(chosen: ReportQuery): Column<SoldRow>[] {
  const money = (heading: string, of: keyof Sums, as?: 'amount'): Column<SoldRow> => ({
    heading,
    align: 'end',
    cell: (row) => moneyIn(row.currency)(row[of]),
    ...(as && { as }),
  });
  return [
    { heading: GROUPS[chosen.by].slice(0, -1), as: 'title', cell: (row) => nameIn(chosen, row) },
    counts('Orders', ({ orders }) => orders),
    counts('Units', ({ units }) => units),
    money('Goods', 'goods'),
    money('Delivery', 'delivery'),
    money('Paid', 'paid'),
    money('Refunded', 'refunded'),
    money('Net', 'net', 'amount'),
  ];
}

/** A month leads to its days, a client to its own report. */
function nameIn(chosen: ReportQuery, { key, name }: SoldRow) {
  switch (chosen.by) {
    case 'day':
      return dayOf(Date.parse(key), 'UTC');
    case 'month':
      return <a href={reportPath({ ...chosen, by: 'day', ...daysOf(key) })}>{nameOfMonth(key)}</a>;
    case 'client':
      return <a href={reportPath({ ...chosen, by: 'day', clientId: Number(key) })}>{name}</a>;
    case 'product':
      return key === '' ? REST : <Named detail={key}>{name}</Named>;
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

function reportPath({ clientId, ...query }: ReportQuery, path = REPORTS): string {
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
