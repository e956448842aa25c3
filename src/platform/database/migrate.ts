import { DataSource, MigrationExecutor } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** Any number will do, as long as every node of the service asks for the same one. */
const MIGRATION_LOCK = 7_214_001;

/**
 * Brings the schema up to date. Nodes that start at once take turns, and the later ones find nothing left to do. The lock is held by the very
 * connection that migrates: whoever ends it ends both, and no other node begins while this one still goes on.
 */
export async function migrate(url: string): Promise<string[]> {
  const dataSource = new DataSource(dataSourceOptions({ url, poolSize: 1 }));
  await dataSource.initialize();
  try {
    const runner = dataSource.createQueryRunner();
    // Until the connection is closed.
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    const migrations = await executor.executePendingMigrations();
    // A restored database has no statistics.
    await runner.query('SELECT analyse_grown()');
    return migrations.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}
