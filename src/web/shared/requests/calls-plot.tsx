import { useContext } from 'preact/hooks';
import {
  type PeriodFigures,
  totalsOf,
  writePeriod,
} from '../../../modules/request-log/kept-requests/request-figures.repository.js';
import { BarPlot } from '../../../shared/ui/components/bar-plot.js';
import { Card } from '../../../shared/ui/components/layout.js';
import {
  type ListColumn,
  countColumn,
  Table,
  Tabs,
  titleColumn,
} from '../../../shared/ui/components/lists.js';
import { PageZone } from '../../../shared/ui/components/values.js';
import { formatNumber } from '../../../platform/formats.js';
import { clockAt, type TimeZone } from '../../../platform/time/time.js';
import { type CallListFilter, requestsPath, type Span, SPANS } from './requests-query.js';

interface Props {
  filter: CallListFilter;
  figures: PeriodFigures[];
  days: number;
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const HOUR = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const LABELS: Record<Span, Intl.DateTimeFormat> = { day: HOUR, all: DAY };

const SERIES = [
  { name: 'done', kind: 'accent' },
  { name: 'refused', kind: 'warn', apart: true },
  { name: 'failed', kind: 'bad', apart: true },
] as const;

/** All calls, reads included, as a plot and as a table. */
export const CallsPlot = ({ filter, figures, days }: Props) => {
  const zone = useContext(PageZone);
  const label = (begins: Date) => periodName(filter, begins, zone);
  return (
    <Card
      title={filter.span === 'day' ? 'Calls by the hour' : 'Calls by the day'}
      actions={
        <Tabs
          label="Time"
          tabs={SPANS.map((span) => ({
            href: requestsPath({ ...filter, span, at: undefined }),
            text: span === 'day' ? '24 hours' : `${days} days`,
            current: filter.span === span,
          }))}
        />
      }
    >
      <BarPlot
        summary={summaryOf(figures)}
        series={SERIES}
        bars={figures.map(({ begins, succeeded, refused, failed }) => ({
          label: label(begins),
          ...(filter.span === 'day' && {
            tick: CLOCK.format(clockAt(begins, zone)),
            group: DAY.format(clockAt(begins, zone)),
          }),
          values: [succeeded, refused, failed],
          href: periodPath(filter, begins),
          current: filter.at === writePeriod(begins),
        }))}
      />
      <details>
        <summary>As a table</summary>
        <Table caption="Calls by time" columns={columnsOf(filter, label)} rows={figures.toReversed()} />
      </details>
    </Card>
  );
};

/** Leads to the calls of this hour or day. */
function periodPath(filter: CallListFilter, begins: Date): string {
  return requestsPath({ ...filter, at: writePeriod(begins), requestId: undefined });
}

/** "20 Nov, 14:00", or the day. */
export function periodName({ span }: CallListFilter, begins: Date, zone: TimeZone): string {
  return LABELS[span].format(clockAt(begins, zone));
}

function columnsOf(filter: CallListFilter, label: (begins: Date) => string): ListColumn<PeriodFigures>[] {
  return [
    titleColumn('From', ({ begins }) => ({ text: label(begins), href: periodPath(filter, begins) })),
    countColumn('Done', ({ succeeded }) => succeeded),
    countColumn('Refused', ({ refused }) => refused),
    countColumn('Failed', ({ failed }) => failed),
  ];
}

function summaryOf(figures: PeriodFigures[]): string {
  const { succeeded, refused, failed } = totalsOf(figures);
  const others = `${formatNumber(succeeded)} calls succeeded, ${formatNumber(refused)} were refused`;
  return `${others}, ${formatNumber(failed)} failed. The table below has the numbers.`;
}
