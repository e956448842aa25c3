import { Client } from 'pg';
import { migrate } from '../../src/database/migrate.js';
import { startThrowAwayPostgres } from './throw-away-postgres.js';

/**
 * One server and one migrated database for the whole run, which every test file clones (see test-database.ts).
 * The workers inherit their names through the environment. Returns how to remove them again.
 */
export async function prepareTestServer(): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    await createTemplate(given);
    return () => onServer(given, `DROP DATABASE ${process.env.TEST_TEMPLATE_DATABASE} WITH (FORCE)`);
  }
  const server = await startThrowAwayPostgres();
  try {
    await createTemplate(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server.stop;
}

async function createTemplate(server: string): Promise<void> {
  const template = `template_migrated_${process.pid}`;
  await onServer(server, `CREATE DATABASE ${template}`);
  await migrate(Object.assign(new URL(server), { pathname: `/${template}` }).href);
  process.env.TEST_DATABASE_URL = server;
  process.env.TEST_TEMPLATE_DATABASE = template;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
