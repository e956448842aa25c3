import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { startThrowAwayPostgres } from './throw-away-postgres.js';

const TEMPLATE = `template_migrated_${process.pid}`;

/**
 * A server for each worker, because transaction ids are a server's: an open transaction of another suite would hold back the
 * horizon of this one. Each has a migrated database, which every test file clones (see test-database.ts). The workers inherit
 * the addresses through the environment. Returns how to remove everything again.
 */
export async function prepareTestServers(workers: number): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const servers: string[] = [];
  const removals: (() => Promise<void>)[] = [];
  const remove = async () => void (await Promise.all(removals.map((removal) => removal())));
  try {
    while (servers.length < (given ? 1 : workers)) {
      const url = given ?? (await start(removals));
      await createTemplate(url);
      servers.push(url);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  if (given) removals.push(() => onServer(given, `DROP DATABASE ${TEMPLATE} WITH (FORCE)`));
  process.env.TEST_SERVERS = JSON.stringify(servers);
  process.env.TEST_TEMPLATE_DATABASE = TEMPLATE;
  return remove;
}

async function start(removals: (() => Promise<void>)[]): Promise<string> {
  const { url, stop } = await startThrowAwayPostgres();
  removals.push(stop);
  return url;
}

async function createTemplate(server: string): Promise<void> {
  await onServer(server, `CREATE DATABASE ${TEMPLATE}`);
  await migrate(Object.assign(new URL(server), { pathname: `/${TEMPLATE}` }).href);
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
