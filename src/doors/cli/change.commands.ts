import { Option } from 'commander';
import { CHANGED_SUBJECTS } from '../../plans/changes/changed-subject.js';
import type { ChangeFilter, ChangeShown } from '../../plans/changes/change-log.js';
import type { Cli } from './cli.js';
import { addListOptions, limitOf, listAnswer, type ListOptions } from './list-command.js';
import { readEnd, readStart } from './option-values.js';

export function addChangeCommands(cli: Cli): void {
  const changes = cli.group('changes', 'the log: who changed which price, plan or subscription');

  addListOptions(cli.command(changes, 'list', 'Lists the changes, the newest first.'))
    .addOption(new Option('--subject <subject>', 'only those of these').choices(CHANGED_SUBJECTS))
    .option('--since <date>', 'only those from this time on', readStart)
    .option('--to <date>', 'only those until then; a date includes that day (UTC)', readEnd)
    .action(({ limit, all, ...filter }: ChangeFilter & ListOptions) =>
      cli.run(({ changeLog }) => {
        const rows = changeLog.list(filter, limitOf({ limit, all }));
        const columns = ['changed_at', 'actor', 'subject', 'name', 'before', 'after'] as const;
        return Promise.resolve(listAnswer(rows, columns, 'No changes.', inOneRow));
      }),
    );
}

function inOneRow({ before, after, ...change }: ChangeShown) {
  return { ...change, before: listed(before), after: listed(after) };
}

function listed(fields: ChangeShown['before']): string | null {
  return (
    fields &&
    Object.entries(fields)
      .map(([field, value]) => `${field} ${value}`)
      .join(', ')
  );
}
