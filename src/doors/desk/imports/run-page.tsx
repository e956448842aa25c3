import type { RowFault } from '../../../imports/import-kind.js';
import type { RowChange } from '../../../imports/import-report.js';
import type { ImportRun, RunOptions, RunResult } from '../../../imports/import-run.entity.js';
import { MAX_CHANGE } from '../../../imports/import-tables.js';
import {
  Button,
  ButtonLink,
  Checks,
  DownloadLink,
  Field,
  Form,
  FormCard,
} from '../../../pages/components/controls.js';
import { Card, Notice, Tile, Tiles } from '../../../pages/components/layout.js';
import { type Column, ListCard } from '../../../pages/components/lists.js';
import { When } from '../../../pages/components/values.js';
import { formatNumber } from '../../../pages/formats.js';
import type { Page } from '../../../pages/page.js';
import { importPath, IMPORTS } from '../paths.js';
import type { DeskImportKind } from './import-kinds.js';
import { rowsOf } from './imports-page.js';

const LOOK_SECONDS = 2;

export function runPage(run: ImportRun, kind: DeskImportKind | undefined): Page {
  const { state, result, fault } = run;
  const isActive = state === 'checking' || state === 'applying';
  return {
    title: titleOf(run),
    lead: <Lead run={run} kind={kind} />,
    back: { href: IMPORTS, text: 'Imports' },
    ...(isActive && { refreshSeconds: LOOK_SECONDS }),
    content: (
      <>
        {isActive && <Progress run={run} />}
        {fault !== null && <Notice kind={state === 'checked' ? 'warn' : 'bad'}>{fault}</Notice>}
        {state === 'interrupted' && <Notice kind="bad">{interruption(run)}</Notice>}
        {state === 'cancelled' && (
          <Notice kind="info">
            Nothing was changed. Check the file again, or <a href={IMPORTS}>upload another file</a>.
          </Notice>
        )}
        {state === 'failed' && run.appliedBy !== null && <Notice kind="warn">{PARTLY}</Notice>}
        {result && !isActive && (state === 'checked' || state === 'applied') && (
          <Result run={run} result={result} />
        )}
        {kind && run.size !== null && !isActive && state !== 'applied' && (
          <CheckAgain run={run} kind={kind} />
        )}
        {run.size === null && (
          <p class="small">The file was deleted after a week. Upload it again to repeat it.</p>
        )}
      </>
    ),
  };
}

const PARTLY =
  'Some rows may be written already. Check the file again: written rows are unchanged then, and the check ' +
  'shows what is left.';

function interruption({ appliedBy }: ImportRun): string {
  return appliedBy === null
    ? 'The service stopped while it checked the file. Nothing was changed. Check the file again.'
    : `The service stopped while it applied the file. ${PARTLY}`;
}

function titleOf({ state, result, fileName }: ImportRun): string {
  const written = (result?.created ?? 0) + (result?.updated ?? 0);
  const refused = result && result.refused > 0 ? `, ${rowsOf(result.refused)} refused` : '';
  if (state === 'checking') return `Checking ${fileName}`;
  if (state === 'applying') return `Applying ${fileName}`;
  if (state === 'applied') return `${rowsOf(written)} written${refused}`;
  if (state === 'failed') return `${fileName} could not be imported`;
  if (state === 'cancelled') return `The check of ${fileName} was cancelled`;
  if (state === 'interrupted') return `The import of ${fileName} was interrupted`;
  return written === 0
    ? `The file changes nothing${refused}`
    : `${rowsOf(written)} would be written${refused}`;
}

const Lead = ({ run, kind }: { run: ImportRun; kind: DeskImportKind | undefined }) => (
  <>
    {kind?.title ?? run.kind}, file {run.fileName}, uploaded <When at={run.createdAt} /> by {run.actor}.
    {run.appliedBy !== null && ` Applied by ${run.appliedBy}.`}
  </>
);

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

const Result = ({ run, result }: { run: ImportRun; result: RunResult }) => {
  const { created, updated, unchanged, refused, warned, changes, faults, warnings } = result;
  const isCheck = run.state === 'checked';
  const written = created + updated;
  return (
    <>
      <Tiles>
        <Tile label="New">{formatNumber(created)}</Tile>
        <Tile label="Changed">{formatNumber(updated)}</Tile>
        <Tile label="Unchanged">{formatNumber(unchanged)}</Tile>
        <Tile label="Refused" note={refused > 0 ? 'They change nothing' : undefined}>
          {formatNumber(refused)}
        </Tile>
      </Tiles>
      {result.more !== undefined && <Notice kind="info">{result.more}</Notice>}
      {isCheck && written > 0 && (
        <Form action={`${importPath(run.id)}/apply`} hidden={{ checks: String(run.checks) }} bare>
          <div class="actions">
            <Button kind="primary">{`Apply ${rowsOf(written)}`}</Button>
          </div>
        </Form>
      )}
      {refused > 0 && (
        <FaultList
          title="Refused rows"
          faults={faults}
          total={refused}
          actions={
            run.size !== null && (
              <DownloadLink href={`${importPath(run.id)}/refused.csv`}>Download refused rows</DownloadLink>
            )
          }
        />
      )}
      {warned > 0 && <FaultList title="Warnings" faults={warnings} total={warned} />}
      {isCheck && written > 0 && <ChangeList run={run} changes={changes} total={written} />}
    </>
  );
};

interface FaultListProps {
  title: string;
  faults: readonly RowFault[];
  total: number;
  actions?: preact.ComponentChildren;
}

const FaultList = ({ title, faults, total, actions }: FaultListProps) => (
  <ListCard
    title={`${title} (${formatNumber(total)})`}
    actions={actions}
    columns={[
      { heading: 'Row', as: 'title', cell: ({ line }) => `Row ${line}` },
      { heading: 'Column', cell: ({ column }) => column },
      { heading: 'Reason', cell: ({ message }) => message },
    ]}
    rows={faults}
  />
);

interface ChangeListProps {
  run: ImportRun;
  changes: readonly RowChange[];
  total: number;
}

const ChangeList = ({ run, changes, total }: ChangeListProps) => (
  <ListCard
    title={total > changes.length ? `The first ${changes.length} of ${rowsOf(total)}` : 'What would change'}
    actions={<DownloadLink href={`${importPath(run.id)}/changes.csv`}>Download all</DownloadLink>}
    columns={CHANGES}
    rows={changes}
  />
);

const CHANGES: Column<RowChange>[] = [
  { heading: 'Row', cell: ({ line }) => formatNumber(line) },
  { heading: 'Name', as: 'title', cell: ({ name }) => name },
  { heading: '', as: 'state', cell: ({ isNew }) => (isNew ? 'New' : 'Changed') },
  {
    heading: 'Old → new',
    cell: ({ fields }) => (
      <ul class="changes">
        {fields.map(([column, from, to]) => (
          <li>
            {column}: {from !== null && from !== '' && <del>{from}</del>} {from !== null && '→ '}
            <ins>{to === null || to === '' ? '(empty)' : to}</ins>
          </li>
        ))}
      </ul>
    ),
  },
];

/** Named as in the reasons of refused rows, which the commands tell too. */
export const TICKS = {
  force: {
    text: 'Accept rows that look like a mistake (--force)',
    hint: 'Large changes of prices, prices of 0, odd SKUs',
  },
  updateOnly: { text: 'Create nothing (--update-only)', hint: 'Rows of new products are refused' },
  overwrite: {
    text: 'Overwrite newer values (--overwrite)',
    hint: 'Rows whose stored values changed since the export are written too',
  },
};

export type Tick = keyof typeof TICKS;

const TEXTS: Partial<Record<keyof RunOptions, { label: string; hint?: string }>> = {
  maxChange: { label: 'Refuse prices that change by more percent (--max-change)' },
  countedAt: {
    label: 'Counted at (--counted-at)',
    hint: 'A time such as 2026-01-31T18:00; later changes of the stock are added. Empty: now.',
  },
  from: { label: 'Prices begin (--from)', hint: 'A date such as 2026-02-01. Empty: now.' },
  to: { label: 'Prices end (--to)', hint: 'The earlier prices return after this day. Empty: they stay.' },
};

const CheckAgain = ({ run, kind: { options } }: { run: ImportRun; kind: DeskImportKind }) => {
  const ticks = options.filter((name): name is Tick => name in TICKS);
  const chosen: RunOptions = { maxChange: MAX_CHANGE, ...run.options };
  return (
    <FormCard
      title={options.length > 0 ? 'Check with other options' : 'Check again'}
      action={`${importPath(run.id)}/check`}
    >
      {ticks.length > 0 && (
        <Checks
          label="Options"
          name="options"
          options={ticks.map((value) => ({ value, ...TICKS[value] }))}
          values={ticks.filter((name) => chosen[name] === true)}
        />
      )}
      {options.map((name) => {
        const field = TEXTS[name];
        if (!field) return null;
        const value = chosen[name] === undefined ? undefined : String(chosen[name]);
        const inputmode = name === 'maxChange' ? 'decimal' : undefined;
        return <Field {...field} {...{ name, value, inputmode }} />;
      })}
      <div class="actions">
        <Button>Check again</Button>
      </div>
    </FormCard>
  );
};
