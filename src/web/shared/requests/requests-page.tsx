import type { ComponentProps } from 'preact';
import type { StoreRequest } from '../../../modules/request-log/entities/store-request.entity.js';
import {
  type RecordedOutcomes,
  type RequestPeriod,
  type PeriodFigures,
  totalsOf,
} from '../../../modules/request-log/kept-requests/request-figures.repository.js';
import type { RequestPage } from '../../../modules/request-log/kept-requests/request-history.repository.js';
import { isTestRoute } from '../../../modules/request-log/recording/request-counts.js';
import { faultWords } from '../../../modules/request-log/rules/kept-parts.js';
import { ButtonLink, CopyBlock, FilterSelect } from '../../../shared/ui/components/controls.js';
import { Card, Empty, Notice } from '../../../shared/ui/components/layout.js';
import {
  type ListColumn,
  ListCard,
  Pager,
  SearchForm,
  Tabs,
  timeColumn,
} from '../../../shared/ui/components/lists.js';
import { StateLabel } from '../../../shared/ui/components/values.js';
import { countOf } from '../../../platform/formats.js';
import type { Page } from '../../../shared/ui/page.js';
import { plainTime, type TimeZone } from '../../../platform/time/time.js';
import { CallsPlot, periodName } from './calls-plot.js';
import { CodeMeaning, OrderOf, OutcomeLabel } from './request-page.js';
import {
  type CallListFilter,
  filterOf,
  type Outcome,
  OUTCOMES,
  requestPath,
  type RequestPageLinks,
  requestsPath,
} from './requests-query.js';

interface Props {
  filter: CallListFilter;
  /** The selected hour or day. */
  period: RequestPeriod | undefined;
  timeZone: TimeZone;
  after: string | undefined;
  page: RequestPage;
  figures: PeriodFigures[];
  knownOutcomes: RecordedOutcomes;
  days: number;
  /** An example call for a store that has made none. */
  firstCall: string;
}

export function requestsPage(props: Props): Page {
  const { filter, after, page, figures, days, timeZone } = props;
  const dayStart = plainTime(figures.at(-1)!.begins, timeZone).slice(11, 16);
  const { leftOut } = totalsOf(figures);
  return {
    title: titleOf(figures, filter, days),
    lead: (
      <>
        We keep writes, refused calls and failed calls for {days} days. Successful reads are only counted. We
        store no customer data.
        {filter.span === 'all' && dayStart !== '00:00' && (
          <> Calls are counted by the hour, so days begin at {dayStart} here.</>
        )}
      </>
    ),
    content: (
      <>
        <CallsPlot filter={filter} figures={figures} days={days} />
        {leftOut > 0 && (
          <Notice kind="warn">
            {countOf(leftOut, 'call is', 'calls are')} counted above but not listed below: there were too many
            similar calls in one hour.
          </Notice>
        )}
        <Filter {...props} />
        <ListCard
          title={listTitle(props)}
          actions={
            props.period && (
              <ButtonLink href={requestsPath({ ...filter, at: undefined })}>
                {filter.span === 'day' ? 'Show all hours' : 'Show all days'}
              </ButtonLink>
            )
          }
          columns={columnsOf(filter)}
          rows={page.requests}
          empty={<NoCalls {...props} />}
          pager={<Pager at={after} next={page.older} path={(from) => requestsPath(filter, from)} />}
        />
      </>
    ),
  };
}

function titleOf(figures: PeriodFigures[], { span, links }: CallListFilter, days: number): string {
  const { succeeded, refused, failed } = totalsOf(figures);
  const when = span === 'day' ? 'since yesterday' : `in the last ${days} days`;
  if (failed > 0) return `${countOf(failed, 'call', 'calls')} failed ${when} because of our error`;
  if (refused > 0) return `${countOf(refused, 'call was', 'calls were')} refused ${when}`;
  if (succeeded > 0) return `All calls ${when} succeeded`;
  return `${links.isDesk ? 'The' : 'Your'} store has not called ${when}`;
}

const OUTCOME_NAMES: Record<Outcome, string> = { failed: 'Refused or failed', done: 'Done' };

const Filter = ({ filter, knownOutcomes }: Props) => (
  <div class="stack filter">
    <Tabs
      label="Calls by outcome"
      tabs={[undefined, ...OUTCOMES].map((outcome) => ({
        href: requestsPath({ ...filter, outcome, code: undefined, requestId: undefined }),
        text: outcome === undefined ? 'All' : OUTCOME_NAMES[outcome],
        current: outcome === filter.outcome && filter.requestId === undefined,
      }))}
    />
    <SearchForm
      action={filter.links.list}
      name="request_id"
      label={filter.links.isDesk ? 'Request id, or the store’s order id' : 'Request id, or your order id'}
      placeholder="Request id or order id"
      value={filter.requestId}
      maxlength={64}
      hidden={{
        span: filter.span,
        ...(filter.at && { at: filter.at }),
        ...(filter.outcome && { outcome: filter.outcome }),
      }}
    >
      <Choice name="code" label="Code" all="Every code" values={knownOutcomes.codes} selected={filter.code} />
      <Choice
        name="route"
        label="Route"
        all="Every route"
        values={knownOutcomes.routes}
        selected={filter.route}
      />
    </SearchForm>
  </div>
);

/** A single value needs no filter. */
const Choice = ({
  values,
  ...select
}: Omit<ComponentProps<typeof FilterSelect>, 'options'> & { values: readonly string[] }) =>
  values.length < 2 ? null : (
    <FilterSelect options={values.map((value) => ({ value, text: value }))} {...select} />
  );

function listTitle({ filter, period, timeZone }: Props): string {
  const { outcome, requestId } = filter;
  if (requestId !== undefined) return `Calls with the id ${requestId}`;
  const name = outcome === undefined ? 'Writes, refusals and failures' : LIST_TITLES[outcome];
  return period === undefined ? name : `${name}, ${periodName(filter, period.begins, timeZone)}`;
}

const LIST_TITLES: Record<Outcome, string> = { failed: OUTCOME_NAMES.failed, done: 'Writes' };

const NoCalls = ({ filter, period, figures, firstCall }: Props) => {
  const { succeeded, refused, failed } = totalsOf(figures);
  if (period)
    return (
      <Empty>No writes, refusals or failures match in this time. Successful reads are only counted.</Empty>
    );
  if (Object.keys(filterOf({ ...filter, span: 'all' })).length > 0)
    return (
      <Empty next={{ href: filter.links.list, text: 'Show all calls' }}>
        No calls match this filter.
        {filter.requestId !== undefined && ' The id of an order is looked up in the newest 5,000.'}
      </Empty>
    );
  if (filter.links.isDesk || filter.span === 'all' || succeeded + refused + failed > 0)
    return <Empty>No writes, refusals or failures.</Empty>;
  return (
    <Empty next={{ href: filter.links.tokens, text: 'See the tokens' }}>
      <p>No calls yet. Test your connection with this call:</p>
      <CopyBlock id="first-call" label="Test call" text={firstCall} />
    </Empty>
  );
};

const columnsOf = ({ links }: CallListFilter): ListColumn<StoreRequest>[] => [
  {
    heading: 'Call',
    as: 'title',
    cell: ({ id, method, path, route }) => (
      <>
        <a href={requestPath(links, id)} class="code">
          {method} {path}
        </a>
        {isTestRoute(route) && <StateLabel kind="info">Test</StateLabel>}
      </>
    ),
  },
  timeColumn('When', ({ answeredAt }) => answeredAt),
  { heading: 'Result', as: 'line', cell: (request) => <Result request={request} links={links} /> },
  { heading: 'Request id', cell: ({ requestId }) => <code>{requestId.slice(0, 8)}…</code> },
  { heading: 'Status', as: 'state', cell: (request) => <OutcomeLabel of={request} /> },
];

const Result = ({ request, links }: { request: StoreRequest; links: RequestPageLinks }) => {
  const { code, faults, orderNumber, route } = request;
  const [fault, ...more] = faults;
  if (code === '')
    return orderNumber === null ? <>Done</> : <OrderOf number={orderNumber} route={route} links={links} />;
  if (!fault) return <CodeMeaning code={code} links={links} />;
  return (
    <>
      <code>{fault.field}</code> {faultWords(fault)}
      {more.length > 0 && `, and ${more.length} more`}
    </>
  );
};

/** Shown when the request log is off. */
export function loggingOffPage(): Page {
  return {
    title: 'Calls are not logged',
    content: (
      <Card>
        <Empty>The wholesaler has turned off the call log. Each error answer says what was wrong.</Empty>
      </Card>
    ),
  };
}
