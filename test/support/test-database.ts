import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { closeCommandServices } from './command-service.js';

export interface TestDatabase {
  /** For a superuser: the tests use it for direct changes. */
  url: string;
  /**
   * For the role of service-role.sql: the service and its commands use it, so that a missing right fails
   * in every suite.
   */
  serviceUrl: string;
  drop(): Promise<void>;
}

const {
  TEST_SERVERS = '[]',
  TEST_TEMPLATE_DATABASE: template,
  TEST_SERVICE_ROLE: role,
  JEST_WORKER_ID = '1',
} = process.env;
const servers = JSON.parse(TEST_SERVERS) as string[];
const server = servers[(Number(JEST_WORKER_ID) - 1) % servers.length];

/**
 * Returns a new database with the schema, cloned from the migrated template, which is faster than migrating.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (!server || !template || !role)
    throw new Error('The test database is prepared by the global setup: run the tests with jest.');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, (client) => clone(client, name, template));
  const database = databaseNamed(server, name);
  // The clone is the original, not a copy that begins a new history.
  await onServer(database.url, (client) => client.query('UPDATE history SET server = this_server()'));
  return database;
}

/** Returns a database without a schema, like that of a first start. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  if (!server) throw new Error('The test database is prepared by the global setup: run the tests with jest.');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name}`));
  return databaseNamed(server, name);
}

function databaseNamed(at: string, name: string): TestDatabase {
  const named = Object.assign(new URL(at), { pathname: `/${name}` });
  return {
    url: named.href,
    serviceUrl: Object.assign(new URL(named), { username: role, password: role }).href,
    drop: async () => {
      await closeCommandServices();
      await onServer(at, async (client) => {
        await untilAllHaveLeft(client, name);
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      });
    },
  };
}

async function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/**
 * A pool reports its end before the server knows it. A connection that DROP DATABASE cuts would raise an
 * error in the next suite. Connections that remain after a second are open on purpose.
 */
async function untilAllHaveLeft(client: Client, name: string): Promise<void> {
  for (let looks = 0; looks < 100; looks++) {
    const { rowCount } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name]);
    if (rowCount === 0) return;
    await delay(10);
  }
}

/** Parallel workers clone the same template; with the lock they wait instead of failing. */
async function clone(client: Client, name: string, from: string): Promise<void> {
  await client.query("SELECT pg_advisory_lock(hashtext('clone of the test template'))");
  for (const deadline = Date.now() + 20_000; ;) {
    try {
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY FILE_COPY`);
      return;
    } catch (error) {
      // 55006: the template is still in use, for example by the migration or autovacuum.
      if ((error as { code?: string }).code !== '55006' || Date.now() > deadline) throw error;
      await delay(50);
    }
  }
}
