import { MAX_FILE_BYTES } from '../../../shared/imports/file-copy.js';
import type { ImportRun, RunState } from '../../../shared/imports/import-run.entity.js';
import { Button, DownloadLink, FileField, Form, Select } from '../../../shared/ui/components/controls.js';
import { Card, Facts } from '../../../shared/ui/components/layout.js';
import { type ListColumn, timeColumn, titleColumn } from '../../../shared/ui/components/lists.js';
import { stateLabel, type States } from '../../../shared/ui/components/values.js';
import { countOf, formatNumber } from '../../../platform/formats.js';
import { type QueryOf, ListPage } from '../../../shared/ui/list-page.js';
import type { Page } from '../../../shared/ui/page.js';
import type { OnePage } from '../../../platform/lists/bounded-lists.js';
import { importPath, IMPORTS } from '../paths.js';
import { authorName, labelOf } from '../words.js';
import type { DeskImportKind } from './import-kinds.js';

const STATES: States<RunState> = {
  uploading: { kind: 'info', name: 'Uploading' },
  checking: { kind: 'info', name: 'Being checked' },
  checked: { kind: 'warn', name: 'Not applied yet' },
  applying: { kind: 'info', name: 'Being applied' },
  applied: { kind: 'accent', name: 'Applied' },
  failed: { kind: 'bad', name: 'Failed' },
  interrupted: { kind: 'bad', name: 'Interrupted' },
  cancelled: { kind: 'info', name: 'Cancelled' },
};

type Kinds = readonly DeskImportKind[];

export const RUNS = new ListPage({
  path: IMPORTS,
  caption: 'History',
  filters: {},
  mark: { name: 'before', kind: 'number', of: ({ id }: ImportRun) => id },
  columns: (kinds: Kinds): ListColumn<ImportRun>[] => {
    const kindOf = (run: ImportRun) => kinds.find(({ name }) => name === run.kind);
    return [
      titleColumn('File', (run) => ({
        text: run.fileName,
        href: importPath(run.id),
        detail: kindOf(run)?.title ?? run.kind,
      })),
      timeColumn('Uploaded', ({ createdAt }) => createdAt),
      { heading: 'By', cell: ({ actor, appliedBy }) => authorName(appliedBy ?? actor) },
      { heading: 'Rows', cell: (run) => outcomeOf(run, kindOf(run)) },
      { heading: 'State', as: 'state', cell: ({ state }) => stateLabel(STATES[state]) },
    ];
  },
  empty: { none: 'No file was imported here yet.' },
});

interface Props {
  /** The kind that the form shows first. */
  kind: string;
  kinds: Kinds;
  query: QueryOf<typeof RUNS>;
  found: OnePage<ImportRun>;
}

export function importsPage({ kind, kinds, query, found }: Props): Page {
  const rows = found.rows.filter(({ state }) => state !== 'uploading');
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
              options={kinds.map(({ name, title, description }) => ({
                value: name,
                text: `${title}: ${description}`,
              }))}
            />
            <FileField
              label="File"
              name="file"
              accept=".csv,.xlsx,.txt,.json"
              maxBytes={MAX_FILE_BYTES}
              hint={`CSV or Excel, up to ${MAX_FILE_BYTES / 1e6} MB. Headings of your own are fine.`}
              required
            />
            <div class="actions">
              <Button kind="primary">Upload and check</Button>
            </div>
          </Form>
          <details>
            <summary>Columns of each file, and templates</summary>
            <Facts
              of={Object.fromEntries(
                kinds.map(({ name, title, columns, template }) => [
                  title,
                  <>
                    <code>{columns}</code>
                    {template && (
                      <div>
                        <DownloadLink href={`${IMPORTS}/templates/${name}.csv`}>Template</DownloadLink>
                      </div>
                    )}
                  </>,
                ]),
              )}
            />
          </details>
        </Card>
        {RUNS.card({ title: 'History', query, result: { ...found, rows }, context: kinds })}
      </>
    ),
  };
}

function outcomeOf({ counts, fault, state }: ImportRun, kind: DeskImportKind | undefined): string {
  if (fault !== null && state !== 'checked') return withLabels(fault, kind);
  if (!counts) return '';
  const { created, updated, unchanged, refused } = counts;
  return [
    `${formatNumber(kind?.adds ? updated : created)} new`,
    !kind?.adds && `${formatNumber(updated)} changed`,
    `${formatNumber(unchanged)} unchanged`,
    `${formatNumber(refused)} refused`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Columns in a message of an import by their labels. A quoted text is one of the file. */
export const withLabels = (message: string, kind: DeskImportKind | undefined) =>
  message.replace(/"[^"]*"|\b(?:[a-z]+(?:_[a-z]+)+|sku)\b/g, (text) =>
    kind?.columns.includes(text) ? labelOf(text) : text,
  );

export const ROWS = ['row', 'rows'] as const;

/** "1 row", "12,500 rows". */
export const rowsOf = (count: number) => countOf(count, ...ROWS);
