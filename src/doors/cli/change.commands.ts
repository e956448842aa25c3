import { CHANGED_SUBJECTS } from '../../plans/changed-subjects.js';
import type { ChangeFilter, ChangeShown } from '../../plans/change-log.repository.js';
import { listAnswer } from './answer.js';
import { type CliCommand, limitOf, type ListOptions } from './command.js';

export function addChangeCommands(program: CliCommand): void {
  program
    .group('changes', 'the log of changes of products, prices, plans and subscriptions')
    .add('list', 'Lists the changes, the newest first.')
    .listed()
    .choice('--subject <subject>', 'only changes of this kind', CHANGED_SUBJECTS)
    .since('changes')
    .to('changes')
    .does(({ changeLog }, { limit, all, ...filter }: ChangeFilter & ListOptions) =>
      listAnswer(changeLog.list(filter, limitOf({ limit, all })), 'No changes.', inOneRow),
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
