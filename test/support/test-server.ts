import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { startThrowAwayPostgres, type ThrowAwayPostgres } from './throw-away-postgres.js';

const TEMPLATE = `template_migrated_${process.pid}`;

/**
 * A server for each worker, because transaction ids are a server's: an open transaction of another suite would hold back the
 * horizon of this one. Each has a migrated database, which every test file clones (see test-database.ts). The workers inherit
 * the addresses through the environment. Returns how to remove everything again.
 */
export async function prepareTestServers(workers: number): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const prepared = given
    ? [prepareGiven(given)]
    : Array.from({ length: workers }, () => startThrowAwayPostgres().then(withTemplate));
  const outcomes = await Promise.allSettled(prepared);
  const servers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const remove = async () => void (await Promise.all(servers.map(({ stop }) => stop())));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) {
    await remove();
    throw failed.reason;
  }
  process.env.TEST_SERVERS = JSON.stringify(servers.map(({ url }) => url));
  process.env.TEST_TEMPLATE_DATABASE = TEMPLATE;
  return remove;
}

/** A server of somebody else goes on without the template. */
function prepareGiven(url: string): Promise<ThrowAwayPostgres> {
  return withTemplate({ url, stop: () => onServer(url, `DROP DATABASE ${TEMPLATE} WITH (FORCE)`) });
}

async function withTemplate(server: ThrowAwayPostgres): Promise<ThrowAwayPostgres> {
  try {
    await onServer(server.url, `CREATE DATABASE ${TEMPLATE}`);
    await migrate(Object.assign(new URL(server.url), { pathname: `/${TEMPLATE}` }).href);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
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
