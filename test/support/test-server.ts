import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { startThrowAwayPostgres, type ThrowAwayPostgres } from './throw-away-postgres.js';

const TEMPLATE = `template_migrated_${process.pid}`;

/** The password is the same. */
const ROLE = `wholesale_service_${process.pid}`;

/**
 * Starts a server for each worker: transaction ids belong to a server, so an open transaction of another
 * suite would hold back the horizon of this one. Each has a migrated database that every test file clones
 * (see test-database.ts). Workers get the addresses from the environment. Returns a function that removes
 * everything.
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
  process.env.TEST_SERVICE_ROLE = ROLE;
  return remove;
}

/** An external server keeps running; the template and the role are removed. */
function prepareGiven(url: string): Promise<ThrowAwayPostgres> {
  const stop = async () => {
    await onServer(url, `DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
    await onServer(url, `DROP ROLE IF EXISTS ${ROLE}`);
  };
  return withTemplate({ url, stop });
}

async function withTemplate(server: ThrowAwayPostgres): Promise<ThrowAwayPostgres> {
  try {
    await onServer(server.url, `CREATE DATABASE ${TEMPLATE}`);
    await onServer(server.url, `CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE}'`);
    const template = Object.assign(new URL(server.url), { pathname: `/${TEMPLATE}` }).href;
    await migrate(template);
    await onServer(template, await serviceRights(ROLE));
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
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
