import type { AuditRow } from '../modules/audit/audit-list.repository.js';
import type { LoggedChange } from '../modules/plans/change-log.repository.js';
import { CHANGED_SUBJECTS } from '../modules/plans/changed-subjects.js';
import { type CliCommand, PERSON, readPerson, readStart } from './command.js';

export function addAuditCommands(program: CliCommand): void {
  const audit = program.group('audit', 'the audit log: sign-ins, and what people did in the dashboard');

  audit
    .add('list', 'Lists the entries, the newest first.')
    .withLimit()
    .ofClient()
    .option('--person <person>', `only entries of ${PERSON}, failed sign-ins too`, readPerson)
    .option('--action <action>', 'only this action, or all actions that begin with this text, such as token.')
    .option('--subject <text>', 'only subjects with this part, such as "token 12"')
    .since('entries')
    .to('entries')
    .lists(
      'No entries.',
      ({ auditEntries }, { limit, person, ...filter }) =>
        auditEntries.list({ ...filter, personId: person?.personId }, limit),
      inOneRow,
    );

  audit
    .add('forget', 'Deletes old entries; those about tax after 8 years. Needs the rights of the owner.')
    .requiredOption(
      '--before <date>',
      'delete entries before this time, which is at least 365 days ago',
      readStart,
    )
    .by()
    .does(async ({ auditLog }, { before, by }) => {
      const entries = await auditLog.forget(before, by);
      return { json: { entries }, text: `${entries} entries were deleted.\n` };
    });
}

function inOneRow({ details, ...entry }: AuditRow) {
  const parts = Object.entries(details).map(([name, value]) => `${name} ${String(value)}`);
  return { ...entry, details: parts.join(', ') || null };
}

export function addChangeCommands(program: CliCommand): void {
  program
    .group('changes', 'the log of changes of products, prices, plans and subscriptions')
    .add('list', 'Lists the changes, the newest first.')
    .withLimit()
    .choice('--subject <subject>', 'only changes of this kind', CHANGED_SUBJECTS)
    .since('changes')
    .to('changes')
    .lists(
      'No changes.',
      ({ changeLog }, { limit, ...filter }) => changeLog.list(filter, limit),
      changeInRow,
    );
}

function changeInRow({ before, after, ...change }: LoggedChange) {
  return { ...change, before: formatFields(before), after: formatFields(after) };
}

function formatFields(fields: LoggedChange['before']): string | null {
  return (
    fields &&
    Object.entries(fields)
      .map(([field, value]) => `${field} ${value}`)
      .join(', ')
  );
}
