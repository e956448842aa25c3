import type { Cli } from './cli.js';

export function addMigrateCommand(cli: Cli): void {
  cli
    .command(
      cli.program,
      'migrate',
      'Brings the schema of the database up to date; without DATABASE_URL, makes a database in DATA_DIR.',
    )
    .action(async () => {
      const { migrateDatabase } = await import('./open-database.js');
      const settings = await cli.settings();
      await cli.tellDatabase(settings);
      const applied = await migrateDatabase(settings);
      const text = applied.length === 0 ? 'The schema is up to date.\n' : `Done: ${applied.join(', ')}.\n`;
      await cli.answer({ json: { applied }, text });
    });
}
