import { DataSource, MigrationExecutor } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** An arbitrary number, the same on all nodes. */
const MIGRATION_LOCK = 7_214_001;

/**
 * Migrates the schema. Nodes that start together take turns; later ones find nothing to do. The migrating
 * connection itself holds the lock: when it ends, migration and lock end together.
 */
export async function migrate(url: string): Promise<string[]> {
  const dataSource = new DataSource(dataSourceOptions({ url, poolSize: 1 }));
  await dataSource.initialize();
  try {
    const runner = dataSource.createQueryRunner();
    // Held until the connection closes.
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
