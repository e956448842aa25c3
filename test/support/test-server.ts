import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { startThrowAwayServers } from './throw-away-postgres.js';

const TEMPLATE = 'template_migrated';

/** The password is the same. */
const ROLE = 'wholesale_service_test';

/**
 * Starts a server for each worker: transaction ids belong to a server, so an open transaction of another
 * suite would hold back the horizon of this one. Each has a migrated database that every test file clones
 * (see test-database.ts). Workers get the addresses from the environment. Returns a function that removes
 * everything.
 */
export async function prepareTestServers(workers: number): Promise<() => Promise<void>> {
  const servers = await startThrowAwayServers(workers, addTemplate);
  process.env.TEST_SERVERS = JSON.stringify(servers.map(({ url }) => url));
  process.env.TEST_TEMPLATE_DATABASE = TEMPLATE;
  process.env.TEST_SERVICE_ROLE = ROLE;
  return async () => void (await Promise.all(servers.map(({ stop }) => stop())));
}

async function addTemplate(url: string): Promise<void> {
  await onServer(url, `CREATE DATABASE ${TEMPLATE}`);
  await onServer(url, `CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE}'`);
  const template = Object.assign(new URL(url), { pathname: `/${TEMPLATE}` }).href;
  await migrate(template);
  await onServer(template, await serviceRights(ROLE));
}

/** The grants of service-role.sql, for another role. */
async function serviceRights(role: string): Promise<string> {
  const file = new URL('../../src/platform/database/service-role.sql', import.meta.url);
  const sql = await readFile(file, 'utf8');
  return sql.replaceAll('wholesale_service', role);
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
