import type { AuditShown } from '../../audit/audit-list.repository.js';
import { listAnswer } from './answer.js';
import {
  type By,
  type CliCommand,
  clientIdOf,
  limitOf,
  type ListOptions,
  PERSON,
  readStart,
} from './command.js';

interface AuditOptions extends ListOptions {
  client?: string;
  person?: string;
  action?: string;
  subject?: string;
  since?: Date;
  to?: Date;
}

export function addAuditCommands(program: CliCommand): void {
  const audit = program.group('audit', 'the audit log: sign-ins, and what people did in the dashboard');

  audit
    .add('list', 'Lists the entries, the newest first.')
    .listed()
    .ofClient()
    .option('--person <person>', `only entries of ${PERSON}, failed sign-ins too`)
    .option('--action <action>', 'only this action, or actions that begin so, such as token.')
    .option('--subject <text>', 'only subjects with this part, such as "token 12"')
    .since('entries')
    .to('entries')
    .does(async ({ auditLog, clientFinder, personFinder }, options: AuditOptions) => {
      const { client, person, action, subject, since, to } = options;
      const clientId = await clientIdOf({ clientFinder }, client);
      const personId = person === undefined ? undefined : (await personFinder.find(person)).personId;
      const filter = { since, to, clientId, personId, action, subject };
      return listAnswer(auditLog.list(filter, limitOf(options)), 'No entries.', inOneRow);
    });

  audit
    .add('forget', 'Deletes old entries. Needs the rights of the owner of the database.')
    .requiredOption(
      '--before <date>',
      'delete entries before this time, which is at least 365 days ago',
      readStart,
    )
    .by()
    .does(async ({ auditLog }, { before, by }: { before: Date } & By) => {
      const entries = await auditLog.forget(before, by);
      return { json: { entries }, text: `${entries} entries were deleted.\n` };
    });
}

function inOneRow({ details, ...entry }: AuditShown) {
  const told = Object.entries(details).map(([name, value]) => `${name} ${String(value)}`);
  return { ...entry, details: told.join(', ') || null };
}
