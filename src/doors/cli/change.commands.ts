import { Option } from 'commander';
import { CHANGED_SUBJECTS } from '../../plans/changes/changed-subject.js';
import type { ChangeFilter, ChangeShown } from '../../plans/changes/change-log.js';
import type { Cli } from './cli.js';
import { readEnd, readStart } from './option-values.js';
import { longTable } from './table.js';
import { jsonArray } from './write-out.js';

export function addChangeCommands(cli: Cli): void {
  const changes = cli.group('changes', 'the log: who changed which price, plan or subscription');

  cli
    .command(changes, 'list', 'Lists the changes, the newest first.')
    .addOption(new Option('--subject <subject>', 'only those of these').choices(CHANGED_SUBJECTS))
    .option('--since <date>', 'only those from this time on', readStart)
    .option('--to <date>', 'only those until then; a date includes that day (UTC)', readEnd)
    .action((filter: ChangeFilter) =>
      cli.run(async ({ changeLog }) => {
        const rows = changeLog.list(filter);
        const columns = ['changed_at', 'actor', 'subject', 'name', 'before', 'after'] as const;
        return { json: jsonArray(rows), text: longTable(inOneRow(rows), columns, 'No changes.') };
      }),
    );
}

async function* inOneRow(changes: AsyncIterable<ChangeShown>) {
  for await (const { before, after, ...change } of changes)
    yield { ...change, before: listed(before), after: listed(after) };
}

function listed(fields: ChangeShown['before']): string | null {
  return (
    fields &&
    Object.entries(fields)
      .map(([field, value]) => `${field} ${value}`)
      .join(', ')
  );
}
