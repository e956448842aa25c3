import type { AuditShown } from '../../audit/audit-log.js';
import type { Cli } from './cli.js';
import { addListOptions, limitOf, listAnswer, type ListOptions } from './list-command.js';
import { operator } from './operator.js';
import { CLIENT, PERSON, readActor, readEnd, readStart } from './option-values.js';

interface AuditOptions extends ListOptions {
  client?: string;
  person?: string;
  since?: Date;
  to?: Date;
}

const COLUMNS = ['happened_at', 'client_id', 'actor', 'action', 'subject', 'details', 'address'] as const;

export function addAuditCommands(cli: Cli): void {
  const audit = cli.group('audit', 'the audit log: what people did in the dashboard, and who signed in');

  addListOptions(cli.command(audit, 'list', 'Lists what was done, the newest first.'))
    .option('--client <client>', `only what concerns ${CLIENT}`)
    .option('--person <person>', `only what was done by, or tried in the name of ${PERSON}`)
    .option('--since <date>', 'only what was done from this time on', readStart)
    .option('--to <date>', 'only until then; a date includes that day (UTC)', readEnd)
    .action(({ client, person, since, to, ...options }: AuditOptions) =>
      cli.run(async ({ auditLog, clientFinder, personFinder }) => {
        const filter = {
          since,
          to,
          ...(client !== undefined && { clientId: await clientFinder.find(client) }),
          ...(person !== undefined && { personId: (await personFinder.find(person)).personId }),
        };
        return listAnswer(auditLog.list(filter, limitOf(options)), COLUMNS, 'Nothing was done.', inOneRow);
      }),
    );

  cli
    .command(audit, 'forget', 'Deletes old entries, as the owner of the database.')
    .requiredOption(
      '--before <date>',
      'delete the entries before this time, at least 365 days ago',
      readStart,
    )
    .option('--by <name>', 'who does it', readActor, operator())
    .action(({ before, by }: { before: Date; by: string }) =>
      cli.run(async ({ auditLog }) => {
        const entries = await auditLog.forget(before, by);
        return { json: { entries }, text: `${entries} entries were deleted.\n` };
      }),
    );
}

function inOneRow({ details, ...entry }: AuditShown) {
  return { ...entry, details: told(details) };
}

function told(details: AuditShown['details']): string | null {
  return (
    Object.entries(details)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', ') || null
  );
}
