import type { AuditShown } from '../../audit/audit-log.js';
import type { Cli } from './cli.js';
import { CLIENT, PERSON, readEnd, readStart } from './option-values.js';
import { longTable } from './table.js';
import { jsonArray } from './write-out.js';

interface ListOptions {
  client?: string;
  person?: string;
  since?: Date;
  to?: Date;
}

const COLUMNS = ['happened_at', 'client_id', 'actor', 'action', 'subject', 'details', 'address'] as const;

export function addAuditCommands(cli: Cli): void {
  const audit = cli.group('audit', 'the audit log: what people did in the dashboard, and who signed in');

  cli
    .command(audit, 'list', 'Lists what was done, the newest first.')
    .option('--client <client>', `only what concerns ${CLIENT}`)
    .option('--person <person>', `only what was done by, or tried in the name of ${PERSON}`)
    .option('--since <date>', 'only what was done from this time on', readStart)
    .option('--to <date>', 'only until then; a date includes that day (UTC)', readEnd)
    .action(({ client, person, ...times }: ListOptions) =>
      cli.run(async ({ auditLog, clientFinder, personFinder }) => {
        const rows = auditLog.list({
          ...times,
          ...(client !== undefined && { clientId: await clientFinder.find(client) }),
          ...(person !== undefined && { personId: (await personFinder.find(person)).personId }),
        });
        return { json: jsonArray(rows), text: longTable(inOneRow(rows), COLUMNS, 'Nothing was done.') };
      }),
    );
}

async function* inOneRow(entries: AsyncIterable<AuditShown>) {
  for await (const { details, ...entry } of entries) yield { ...entry, details: told(details) };
}

function told(details: AuditShown['details']): string | null {
  return (
    Object.entries(details)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', ') || null
  );
}
