import { NEEDS_DATE } from '../../../modules/plans/price-files.service.js';
import type { PlanListItem } from '../../../modules/clients/subscription.repository.js';
import type { HeadingMapping, RowFault } from '../../../shared/imports/import-kind.js';
import type { RowChange } from '../../../shared/imports/import-report.js';
import type { ImportRun, RunOptions, RunResult } from '../../../shared/imports/import-run.entity.js';
import { MAX_CHANGE } from '../../../shared/imports/import-tables.js';
import { UNKNOWN_COLUMN } from '../../../shared/imports/stage-records.js';
import { isNamed } from '../../../shared/imports/heading.js';
import { OPTION_LABELS } from '../../../shared/imports/option-labels.js';
import {
  Button,
  ButtonLink,
  Checks,
  DownloadLink,
  Field,
  Form,
  FormCard,
  Select,
} from '../../../shared/ui/components/controls.js';
import { Card, Facts, Notice, Tile, Tiles } from '../../../shared/ui/components/layout.js';
import { type ListColumn, ListCard } from '../../../shared/ui/components/lists.js';
import { LoggedValue, RelativeTime } from '../../../shared/ui/components/values.js';
import { countOf, exactTime, formatNumber, periodText } from '../../../platform/formats.js';
import { COLUMN_SYNONYMS } from '../../../modules/catalog/column-synonyms.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import type { Settings } from '../../../platform/settings/settings.js';
import { clockAt, dayAt, formatEnd, type TimeZone } from '../../../platform/time/time.js';
import { OLD_SLIPS_HINT } from '../packing/pick-pages.js';
import { importPath, IMPORTS, upcomingPath } from '../paths.js';
import { authorWords, columnHint, labelOf, valueWords } from '../words.js';
import type { DeskImportKind } from './import-kinds.js';
import { ROWS, rowsOf, withLabels } from './imports-page.js';

const REFRESH_SECONDS = 2;

export interface DisplayOptions extends Pick<Settings, 'timeZone' | 'currency'> {
  /** To choose from, if the kind of file has this option. */
  plans: readonly Pick<PlanListItem, 'code' | 'name'>[];
}

interface RunProps extends Omit<DisplayOptions, 'currency'> {
  run: ImportRun;
  kind: DeskImportKind | undefined;
}

export function runPage(
  run: ImportRun,
  kind: DeskImportKind | undefined,
  { currency, ...display }: DisplayOptions,
  { canApply = true } = {},
): Page {
  const { state, result, fault } = run;
  const props = { run, kind, ...display };
  const written = result && state === 'checked' && canApply ? result.created + result.updated : 0;
  const isActive = state === 'checking' || state === 'applying';
  return {
    title: titleOf(props),
    lead: <Lead {...props} />,
    back: { href: IMPORTS, text: 'Imports' },
    ...(isActive && { refreshSeconds: REFRESH_SECONDS }),
    content: (
      <>
        {isActive && <Progress run={run} />}
        {fault !== null && (
          <Notice kind={state === 'checked' || awaitsColumns(run) || awaitsDay(run) ? 'warn' : 'bad'}>
            {withLabels(fault, kind)}
          </Notice>
        )}
        {state === 'interrupted' && (
          <Notice kind="bad">
            {run.appliedBy === null
              ? 'The service stopped while it checked the file. Nothing was changed. Check the file again.'
              : `The service stopped while it applied the file. ${PARTLY_APPLIED}`}
          </Notice>
        )}
        {state === 'cancelled' && (
          <Notice kind="info">
            Nothing was changed. Check the file again, or <a href={IMPORTS}>upload another file</a>.
          </Notice>
        )}
        {state === 'failed' && run.appliedBy !== null && <Notice kind="warn">{PARTLY_APPLIED}</Notice>}
        {result && (state === 'checked' || state === 'applied') && <Sums result={result} kind={kind} />}
        {kind && run.size !== null && !isActive && state !== 'applied' && (
          <OptionsForm {...props} kind={kind} apply={written > 0 && `Apply ${rowsIn(props, written)}`} />
        )}
        {result && (state === 'checked' || state === 'applied') && (
          <Result {...props} result={result} currency={currency} />
        )}
        {run.size === null && (
          <p class="small">The file was deleted after a week. Upload it again to repeat it.</p>
        )}
      </>
    ),
  };
}

const PARTLY_APPLIED =
  'Some rows may be written already. Check the file again: written rows are unchanged then, and the check ' +
  'shows what is left.';

/** A table with headings of its own. One unknown heading alone may be any line of any file. */
const awaitsColumns = ({ state, reading }: ImportRun): boolean =>
  state === 'failed' &&
  reading?.isOpen === true &&
  reading.columns.length > 0 &&
  (reading.headings.length > 1 || reading.headings.some(([, column]) => column !== ''));

/** A rate has a first day, which is an option of the file. */
const awaitsDay = ({ state, fault }: ImportRun): boolean =>
  state === 'failed' && fault === NEEDS_DATE.message;

/** "20 prices from 15 Dec 2026". */
function rowsIn({ run: { options }, kind, timeZone }: RunProps, count: number): string {
  const [from, to] = [options.from, options.to].map((at) => (at === undefined ? undefined : new Date(at)));
  return `${countOf(count, ...(kind?.rows ?? ROWS))}${periodText({ from, to }, timeZone)}`;
}

function titleOf(props: RunProps): string {
  const { state, result, fileName } = props.run;
  const written = rowsIn(props, (result?.created ?? 0) + (result?.updated ?? 0));
  const refused = result && result.refused > 0 ? `, ${rowsOf(result.refused)} refused` : '';
  if (state === 'checking') return `Checking ${fileName}`;
  if (state === 'applying') return `Applying ${fileName}`;
  if (state === 'applied') return `${written} written${refused}`;
  if (awaitsColumns(props.run)) return `Choose the columns of ${fileName}`;
  if (awaitsDay(props.run)) return `Choose the first day of ${fileName}`;
  if (state === 'failed') return `${fileName} could not be imported`;
  if (state === 'cancelled') return `The check of ${fileName} was cancelled`;
  if (state === 'interrupted') return `The import of ${fileName} was interrupted`;
  return result && result.created + result.updated === 0
    ? `The file changes nothing${refused}`
    : `${written} would be written${refused}`;
}

const Lead = ({ run, kind, ...display }: RunProps) => (
  <>
    {kind?.title ?? run.kind}, file {run.fileName}, uploaded <RelativeTime at={run.createdAt} />{' '}
    {authorWords(run.actor)}.
    {run.appliedBy !== null && ` Applied ${authorWords(run.appliedBy)}${optionWords(run.options, display)}.`}
  </>
);

/** The dates of prices stand in the title. */
function optionWords(options: RunOptions, { timeZone, plans }: Omit<DisplayOptions, 'currency'>): string {
  const { countedAt, maxChange } = options;
  const plan = plans.find(({ code }) => code === options.plan)?.name ?? options.plan;
  const words = { ...options, plan };
  const details = [
    ...Object.entries(TICKS).flatMap(([name, { text }]) => (name in options ? [`“${text}”`] : [])),
    ...(maxChange === undefined ? [] : [`price changes up to ${maxChange} %`]),
    ...(countedAt === undefined ? [] : [`counted at ${exactTime(new Date(countedAt), timeZone)}`]),
    ...(['courier', 'plan', 'newDeliveryCharge'] as const).flatMap((name) =>
      words[name] === undefined ? [] : [`“${FIELDS[name]!.label}” ${words[name]}`],
    ),
  ];
  return details.length > 0 ? ` with ${details.join(', ')}` : '';
}

const Progress = ({ run: { id, checks, progress, state } }: { run: ImportRun }) => {
  const percent = Math.floor(progress * 100);
  return (
    <Card>
      <p>
        <progress max={100} value={percent} aria-label="Progress" /> {percent} %
      </p>
      <p class="small">
        You may leave this page: the service goes on. {state === 'checking' && 'A check changes nothing.'}
      </p>
      <div class="actions">
        <ButtonLink href={importPath(id)}>Look again</ButtonLink>
        {state === 'checking' && (
          <Form action={`${importPath(id)}/cancel`} hidden={{ checks: String(checks) }} bare>
            <Button>Cancel the check</Button>
          </Form>
        )}
      </div>
    </Card>
  );
};

type ResultProps = Pick<RunProps, 'run' | 'kind'> & { result: RunResult };

const Sums = ({
  kind,
  result: { created, updated, unchanged, refused, more, change },
}: Pick<ResultProps, 'kind' | 'result'>) => (
  <>
    <Tiles>
      {kind?.adds === undefined && <Tile label="New">{formatNumber(created)}</Tile>}
      <Tile label={kind?.adds ?? 'Changed'}>{formatNumber(updated)}</Tile>
      <Tile label="Unchanged">{formatNumber(unchanged)}</Tile>
      <Tile label="Refused" note={refused > 0 ? 'They change nothing' : undefined}>
        {formatNumber(refused)}
      </Tile>
    </Tiles>
    {(more || change !== undefined) && (
      <Notice kind="info">
        {change !== undefined && (
          <>
            See <a href={upcomingPath(change)}>scheduled change {change}</a>.{' '}
          </>
        )}
        {more}
      </Notice>
    )}
  </>
);

const Result = ({ run, kind, result, currency }: ResultProps & { currency: string }) => {
  const { created, updated, refused, warned, changes, faults } = result;
  const written = created + updated;
  const isLeftOut = ({ column, message }: RowFault) =>
    message === UNKNOWN_COLUMN && run.options.headings?.some(([heading]) => heading === column);
  const warnings = result.warnings.filter((warning) => !isLeftOut(warning));
  const total = warned - result.warnings.length + warnings.length;
  return (
    <>
      {refused > 0 && (
        <FaultList
          title="Refused rows"
          kind={kind}
          faults={faults}
          total={refused}
          actions={
            run.size !== null && (
              <DownloadLink href={`${importPath(run.id)}/refused.csv`}>Download refused rows</DownloadLink>
            )
          }
        />
      )}
      {total > 0 && <FaultList title="Warnings" kind={kind} faults={warnings} total={total} />}
      {run.state === 'checked' && written > 0 && (
        <ListCard
          title={
            written > changes.length
              ? `The first ${changes.length} of ${rowsOf(written)}`
              : 'What would change'
          }
          actions={<DownloadLink href={`${importPath(run.id)}/changes.csv`}>Download all</DownloadLink>}
          columns={changesIn(currency, kind?.adds !== undefined)}
          rows={changes}
        />
      )}
    </>
  );
};

interface FaultListProps extends Pick<RunProps, 'kind'> {
  title: string;
  faults: readonly RowFault[];
  total: number;
  actions?: preact.ComponentChildren;
}

const FaultList = ({ title, kind, faults, total, actions }: FaultListProps) => (
  <ListCard
    title={`${title} (${formatNumber(total)})`}
    actions={actions}
    columns={[
      { heading: 'Row', as: 'title', cell: ({ line }) => `Row ${line}` },
      { heading: 'Column', cell: ({ column }) => withLabels(column, kind) },
      { heading: 'Reason', cell: ({ message }) => withLabels(message, kind) },
    ]}
    rows={faults}
    empty=""
  />
);

const changesIn = (currency: string, isAdded: boolean): ListColumn<RowChange>[] => [
  { heading: 'Row', cell: ({ line }) => formatNumber(line) },
  { heading: 'Name', as: 'title', cell: ({ name }) => name },
  { heading: '', as: 'state', cell: ({ isNew }) => (isNew || isAdded ? 'New' : 'Changed') },
  {
    heading: 'Old → new',
    cell: ({ fields }) => (
      <ul class="changes">
        {fields.map(([column, from, to]) => (
          <li>
            {labelOf(column)}:{' '}
            {from !== null && from !== '' && (
              <del>
                <LoggedValue of={valueWords(column, from, currency)} />
              </del>
            )}{' '}
            {from !== null && '→ '}
            <ins>
              <LoggedValue of={to === null || to === '' ? '(empty)' : valueWords(column, to, currency)} />
            </ins>
          </li>
        ))}
      </ul>
    ),
  },
];

export const TICKS = {
  force: { text: OPTION_LABELS.force, hint: 'Large changes of prices, prices of 0, odd SKUs' },
  updateOnly: { text: OPTION_LABELS.updateOnly, hint: 'Rows of new products are refused' },
  overwrite: {
    text: OPTION_LABELS.overwrite,
    hint: 'Rows whose stored values changed since the export are written too',
  },
  oldSlips: { text: OPTION_LABELS.oldSlips, hint: OLD_SLIPS_HINT },
};

type Tick = keyof typeof TICKS;

/** Files of parcels have no prices: there this option accepts something else. */
const tickOf = (value: Tick, { options }: DeskImportKind) =>
  value === 'force' && !options.includes('maxChange')
    ? { value, text: OPTION_LABELS.force, hint: 'One tracking number for two orders' }
    : { value, ...TICKS[value] };

interface OptionField {
  label: string;
  hint?: string;
  type?: 'date' | 'datetime-local';
  inputmode?: 'decimal';
  /** Formats the stored option for the field. */
  formatValue?: (at: Date, timeZone: TimeZone) => string;
}

const FIELDS: Partial<Record<keyof RunOptions, OptionField>> = {
  maxChange: { label: 'Refuse prices that change by more percent', inputmode: 'decimal' },
  countedAt: {
    label: 'Counted at',
    hint: 'Later changes of the stock are added. Empty: now.',
    type: 'datetime-local',
    formatValue: (at, timeZone) => clockAt(at, timeZone).toISOString().slice(0, 16),
  },
  courier: { label: 'Courier', hint: 'Of all rows, if the file has no such column.' },
  plan: { label: 'Plan of all rows', hint: 'Only if the file has no column of plans.' },
  newDeliveryCharge: {
    label: OPTION_LABELS.newDeliveryCharge,
    hint: 'Each new product needs one: this counts if its row has none. 0 is free.',
    inputmode: 'decimal',
  },
  from: { label: 'From', hint: 'The first day. Empty: now.', type: 'date', formatValue: dayAt },
  to: {
    label: 'To',
    hint: 'The last day. The earlier prices return after it. Empty: they stay.',
    type: 'date',
    formatValue: formatEnd,
  },
};

/** One form checks and applies, so the options that are applied are the options that were checked. */
const OptionsForm = ({
  run,
  kind,
  timeZone,
  plans,
  apply,
}: RunProps & { kind: DeskImportKind; apply: string | false }) => {
  const ticks = kind.options.filter((name): name is Tick => name in TICKS);
  const selected: RunOptions = { maxChange: MAX_CHANGE, ...run.options };
  return (
    <FormCard
      title={awaitsColumns(run) ? 'Columns and options' : kind.options.length > 0 ? 'Options' : undefined}
      action={`${importPath(run.id)}/check`}
      hidden={{ checks: String(run.checks) }}
    >
      {run.reading && (
        <HeadingFields
          reading={run.reading}
          isOpen={run.state === 'failed'}
          isCatalog={run.kind === 'catalog'}
        />
      )}
      {ticks.length > 0 && (
        <Checks
          label="Rows"
          name="options"
          options={ticks.map((value) => tickOf(value, kind))}
          values={ticks.filter((name) => selected[name] === true)}
        />
      )}
      {kind.options.map((name) => {
        const { formatValue, ...field } = FIELDS[name] ?? { label: '' };
        if (field.label === '') return null;
        if (name === 'from' && !kind.options.includes('to'))
          field.hint = 'The first day, which a rate needs.';
        const stored = selected[name] === undefined ? undefined : String(selected[name]);
        const value = stored && formatValue ? formatValue(new Date(stored), timeZone) : stored;
        if (name !== 'plan') return <Field {...field} {...{ name, value }} />;
        const choices = plans.map(({ code, name: text }) => ({ value: code, text }));
        const options = [{ value: '', text: 'As in the file' }, ...choices];
        return <Select {...field} {...{ name, options }} value={value ?? ''} />;
      })}
      <p class="hint" role="status" data-unchecked={NOT_CHECKED} />
      <div class="actions">
        <Button>Check again</Button>
        {apply && (
          <Button kind="primary" action={`${importPath(run.id)}/apply`} isForUnchangedForm>
            {apply}
          </Button>
        )}
      </div>
    </FormCard>
  );
};

export const headingField = (position: number) => `heading${position}`;

const MAX_HEADINGS = 60;

/** For files of other programs. */
const HeadingFields = ({
  reading: { headings, columns },
  isOpen,
  isCatalog,
}: {
  reading: HeadingMapping;
  isOpen: boolean;
  isCatalog: boolean;
}) => {
  if (headings.length === 0 || columns.length === 0) return null;
  const options = [
    { value: '', text: 'Not imported' },
    ...columns.map((value) => ({ value, text: labelOf(value) })),
  ];
  const hints = columns.map((column) => [column, columnHint(column)] as const).filter(([, hint]) => hint);
  return (
    <details open={isOpen}>
      <summary>Other headings of the file ({headings.length})</summary>
      <div class="form">
        <p class="hint">
          Choose the column that each stands for. We suggest columns by their names and values. Later files
          with these headings are read in the same way.
        </p>
        {headings.slice(0, MAX_HEADINGS).map(([heading, column], position) => (
          <Select
            label={heading.slice(0, 100)}
            hint={isCatalog && isQuantity(heading) && COUNTS_APART}
            name={headingField(position)}
            options={options}
            value={column}
          />
        ))}
        {hints.length > 0 && (
          <details>
            <summary>What the columns hold</summary>
            <Facts of={Object.fromEntries(hints.map(([column, hint]) => [labelOf(column), hint]))} />
          </details>
        )}
      </div>
    </details>
  );
};

const isQuantity = (heading: string) =>
  ['quantity', ...COLUMN_SYNONYMS.quantity!].some((name) => isNamed(name, heading));

const COUNTS_APART = (
  <>
    A catalog has no quantities. Import the same file again as{' '}
    <a href={withQuery(IMPORTS, { kind: 'stock' })}>Stock counts</a> when its products are there.
  </>
);

const NOT_CHECKED = 'These options are not checked yet. Check again, then apply.';
