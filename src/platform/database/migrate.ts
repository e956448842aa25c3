import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** Any number will do, as long as every node of the service asks for the same one. */
const MIGRATION_LOCK = 7_214_001;

/** Brings the schema up to date. Nodes that start at once take turns, and the later ones find nothing left to do. */
export async function migrate(url: string): Promise<string[]> {
  const lock = new Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await runMigrations(url);
  } finally {
    await lock.end();
  }
}

async function runMigrations(url: string): Promise<string[]> {
  const dataSource = new DataSource(dataSourceOptions({ url, poolSize: 2 }));
  await dataSource.initialize();
  try {
    const migrations = await dataSource.runMigrations({ transaction: 'each' });
    return migrations.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}
