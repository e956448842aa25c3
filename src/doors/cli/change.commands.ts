import { CHANGED_SUBJECTS } from '../../plans/changed-subjects.js';
import type { ChangeShown } from '../../plans/change-log.repository.js';
import type { CliCommand } from './command.js';

export function addChangeCommands(program: CliCommand): void {
  program
    .group('changes', 'the log of changes of products, prices, plans and subscriptions')
    .add('list', 'Lists the changes, the newest first.')
    .listed()
    .choice('--subject <subject>', 'only changes of this kind', CHANGED_SUBJECTS)
    .since('changes')
    .to('changes')
    .lists('No changes.', ({ changeLog }, { limit, ...filter }) => changeLog.list(filter, limit), inOneRow);
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
