import type { StoreRequest } from '../../../activity/entities/store-request.entity.js';
import type { KnownOutcomes, PeriodFigures } from '../../../activity/history/request-figures.js';
import type { RequestPage } from '../../../activity/history/request-history.js';
import { faultWords } from '../../../activity/rules/kept-parts.js';
import { ButtonLink } from '../../../pages/components/button.js';
import { CopyBlock } from '../../../pages/components/copy.js';
import { Card, Empty } from '../../../pages/components/layout.js';
import { Pager, SearchForm, Tabs } from '../../../pages/components/lists.js';
import { Notice } from '../../../pages/components/notice.js';
import { type Column, Table } from '../../../pages/components/table.js';
import { When } from '../../../pages/components/values.js';
import type { Page } from '../../../pages/page.js';
import { countOf } from '../count-of.js';
import { API_ACCESS, orderPath } from '../paths.js';
import { CallsPlot } from './calls-plot.js';
import { CodeMeaning, OutcomeLabel } from './request-page.js';
import {
  type Chosen,
  filterOf,
  type Outcome,
  OUTCOMES,
  requestPath,
  REQUESTS,
  requestsPath,
} from './requests-query.js';

interface Props {
  chosen: Chosen;
  after: string | undefined;
  page: RequestPage;
  figures: PeriodFigures[];
  known: KnownOutcomes;
  days: number;
  /** An example call for a store that has made none. */
  firstCall: string;
}

export function requestsPage(props: Props): Page {
  const { chosen, after, page, figures, days } = props;
  const leftOut = figures.reduce((sum, period) => sum + period.leftOut, 0);
  return {
    title: titleOf(figures, chosen, days),
    lead: `We keep writes, refused calls and failed calls for ${days} days. Successful reads are only counted. We store no customer data.`,
    content: (
      <>
        <CallsPlot chosen={chosen} figures={figures} days={days} />
        {leftOut > 0 && <LeftOut count={leftOut} />}
        <Filter {...props} />
        <Card title={listTitle(chosen)} flush>
          {page.requests.length === 0 ? (
            <Nothing {...props} />
          ) : (
            <Table caption={listTitle(chosen)} columns={COLUMNS} rows={page.requests} />
          )}
          <Pager
            newest={after && requestsPath(chosen)}
            older={page.older && requestsPath(chosen, page.older)}
          />
        </Card>
      </>
    ),
  };
}

function titleOf(figures: PeriodFigures[], { span }: Chosen, days: number): string {
  const sum = (of: 'succeeded' | 'refused' | 'failed') =>
    figures.reduce((total, period) => total + period[of], 0);
  const [succeeded, refused, failed] = [sum('succeeded'), sum('refused'), sum('failed')];
  const when = span === 'day' ? 'since yesterday' : `in the last ${days} days`;
  if (failed > 0) return `${countOf(failed, 'call', 'calls')} failed ${when} because of our error`;
  if (refused > 0) return `${countOf(refused, 'call was', 'calls were')} refused ${when}`;
  return succeeded > 0 ? `All calls ${when} succeeded` : `Your store has not called ${when}`;
}

const LeftOut = ({ count }: { count: number }) => (
  <Notice kind="warn">
    {countOf(count, 'call is', 'calls are')} counted above but not listed below: there were too many similar
    calls in one hour.
  </Notice>
);

const NAMES: Record<Outcome, string> = { failed: 'Refused or failed', done: 'Done' };

const Filter = ({ chosen, known }: Props) => (
  <div class="stack filter">
    <Tabs
      label="Calls by outcome"
      tabs={[undefined, ...OUTCOMES].map((outcome) => ({
        href: requestsPath({ ...chosen, outcome, code: undefined, requestId: undefined }),
        text: outcome === undefined ? 'All' : NAMES[outcome],
        current: outcome === chosen.outcome && chosen.requestId === undefined,
      }))}
    />
    <SearchForm
      action={REQUESTS}
      name="request_id"
      label="Request id"
      placeholder="Request id"
      value={chosen.requestId}
      maxlength={64}
      hidden={{ span: chosen.span, ...(chosen.outcome && { outcome: chosen.outcome }) }}
    >
      <Choice name="code" all="Every code" values={known.codes} chosen={chosen.code} />
      <Choice name="route" all="Every route" values={known.routes} chosen={chosen.route} />
    </SearchForm>
  </div>
);

interface ChoiceProps {
  name: string;
  all: string;
  values: readonly string[];
  chosen: string | undefined;
}

const Choice = ({ name, all, values, chosen }: ChoiceProps) =>
  values.length < 2 ? null : (
    <select name={name} aria-label={name === 'code' ? 'Code' : 'Route'}>
      <option value="">{all}</option>
      {values.map((value) => (
        <option value={value} selected={value === chosen}>
          {value}
        </option>
      ))}
    </select>
  );

function listTitle({ outcome, requestId }: Chosen): string {
  if (requestId !== undefined) return `Calls with the id ${requestId}`;
  return outcome === 'done'
    ? 'Writes'
    : outcome === 'failed'
      ? NAMES.failed
      : 'Writes, refusals and failures';
}

const Nothing = ({ chosen, figures, firstCall }: Props) => {
  const isFiltered = Object.keys(filterOf({ ...chosen, span: 'all' })).length > 0;
  const hasCalled = figures.some(({ succeeded, refused, failed }) => succeeded + refused + failed > 0);
  if (isFiltered || chosen.span === 'all' || hasCalled)
    return (
      <Empty action={isFiltered && <ButtonLink href={REQUESTS}>Show all calls</ButtonLink>}>
        <p>{isFiltered ? 'No calls match this filter.' : 'No writes, refusals or failures.'}</p>
      </Empty>
    );
  return (
    <Empty action={<ButtonLink href={API_ACCESS}>See the tokens</ButtonLink>}>
      <p>No calls yet. Test your connection with this call:</p>
      <CopyBlock id="first-call" label="Test call" text={firstCall} />
    </Empty>
  );
};

const COLUMNS: Column<StoreRequest>[] = [
  {
    heading: 'Call',
    as: 'title',
    cell: ({ id, method, path }) => (
      <a href={requestPath(id)} class="code">
        {method} {path}
      </a>
    ),
  },
  { heading: 'When', cell: ({ answeredAt }) => <When at={answeredAt} /> },
  { heading: 'Result', as: 'line', cell: (request) => <Result request={request} /> },
  {
    heading: 'Request id',
    cell: ({ requestId }) => <code>{requestId.slice(0, 8)}…</code>,
  },
  { heading: 'Status', as: 'state', cell: ({ status }) => <OutcomeLabel status={status} /> },
];

const Result = ({ request: { code, faults, orderNumber } }: { request: StoreRequest }) => {
  const [fault, ...more] = faults;
  if (code === '')
    return orderNumber === null ? <>Done</> : <a href={orderPath(orderNumber)}>{orderNumber}</a>;
  if (!fault) return <CodeMeaning code={code} />;
  return (
    <>
      <code>{fault.field}</code> {faultWords(fault)}
      {more.length > 0 && `, and ${more.length} more`}
    </>
  );
};

/** Shown when the request log is off. */
export function nothingKeptPage(): Page {
  return {
    title: 'Calls are not logged',
    content: (
      <Card>
        <Empty>
          <p>The wholesaler has turned off the call log. Each error answer says what was wrong.</p>
        </Empty>
      </Card>
    ),
  };
}
