import type { ImportRun, RunState } from '../../../imports/import-run.entity.js';
import { Button, FileField, Form, Select } from '../../../pages/components/controls.js';
import { Card, Empty, Facts } from '../../../pages/components/layout.js';
import { ListCard, Pager, times, titles } from '../../../pages/components/lists.js';
import { type StateKind, StateLabel } from '../../../pages/components/values.js';
import { countOf, formatNumber } from '../../../pages/formats.js';
import { type Page, withQuery } from '../../../pages/page.js';
import type { OnePage } from '../../../platform/lists/one-page.js';
import { importPath, IMPORTS } from '../paths.js';
import type { DeskImportKind } from './import-kinds.js';

/** More than a million rows. */
export const MAX_FILE_BYTES = 100_000_000;

interface Asked {
  /** The kind that the form shows first. */
  kind: string;
  before: number | undefined;
}

export function importsPage(
  { rows, last }: OnePage<ImportRun>,
  kinds: readonly DeskImportKind[],
  { kind, before }: Asked,
): Page {
  const titleOf = (name: string) => kinds.find((each) => each.name === name)?.title ?? name;
  return {
    title: 'Import a file',
    lead: 'First you see what the file would change. Nothing changes before you apply it.',
    content: (
      <>
        <Card>
          <Form action={IMPORTS} enctype="multipart/form-data">
            <Select
              label="The file has"
              name="kind"
              value={kind}
              required
              options={kinds.map(({ name, title, does }) => ({ value: name, text: `${title}: ${does}` }))}
            />
            <FileField
              label="File"
              name="file"
              accept=".csv,.xlsx,.txt"
              maxBytes={MAX_FILE_BYTES}
              hint={`CSV or Excel, up to ${MAX_FILE_BYTES / 1e6} MB. The first row names the columns.`}
              required
            />
            <div class="actions">
              <Button kind="primary">Upload and check</Button>
            </div>
          </Form>
          <details>
            <summary>Columns of each file</summary>
            <Facts
              of={Object.fromEntries(kinds.map(({ title, columns }) => [title, <code>{columns}</code>]))}
            />
          </details>
        </Card>
        <ListCard
          title="History"
          columns={[
            titles('File', ({ id, fileName, kind: of }: ImportRun) => ({
              text: fileName,
              href: importPath(id),
              detail: titleOf(of),
            })),
            times<ImportRun>('Uploaded', ({ createdAt }) => createdAt),
            { heading: 'By', cell: ({ actor, appliedBy }) => appliedBy ?? actor },
            { heading: 'Rows', cell: outcomeOf },
            { heading: 'State', as: 'state', cell: ({ state }) => <RunStateLabel state={state} /> },
          ]}
          rows={rows.filter(({ state }) => state !== 'uploading')}
          empty={<Empty>No file was imported here yet.</Empty>}
          pager={<Pager at={before} next={last?.id} path={(from) => withQuery(IMPORTS, { before: from })} />}
        />
      </>
    ),
  };
}

const STATES: Record<RunState, { kind: StateKind; text: string }> = {
  uploading: { kind: 'info', text: 'Uploading' },
  checking: { kind: 'info', text: 'Being checked' },
  checked: { kind: 'warn', text: 'Not applied yet' },
  applying: { kind: 'info', text: 'Being applied' },
  applied: { kind: 'accent', text: 'Applied' },
  failed: { kind: 'bad', text: 'Failed' },
  interrupted: { kind: 'bad', text: 'Interrupted' },
  cancelled: { kind: 'info', text: 'Cancelled' },
};

const RunStateLabel = ({ state }: { state: RunState }) => (
  <StateLabel kind={STATES[state].kind}>{STATES[state].text}</StateLabel>
);

function outcomeOf({ counts, fault, state }: ImportRun): string {
  if (fault !== null && state !== 'checked') return fault;
  if (!counts) return '';
  const { created, updated, unchanged, refused } = counts;
  return [
    `${formatNumber(created)} new`,
    `${formatNumber(updated)} changed`,
    `${formatNumber(unchanged)} unchanged`,
    `${formatNumber(refused)} refused`,
  ].join(', ');
}

/** "1 row", "12,500 rows". */
export const rowsOf = (count: number) => countOf(count, 'row', 'rows');
