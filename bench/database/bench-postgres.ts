import { rm } from 'node:fs/promises';
import pg from 'pg';
import { SUPERUSER } from '../../src/embedded-postgres/cluster.js';
import { attachEmbeddedDatabase } from '../../src/embedded-postgres/embedded-postgres.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { makeOpenDirectory } from '../../test/support/make-open-directory.js';
import { parentOf } from '../servers/processor-time.js';

/** The PostgreSQL of all rows. */
export class BenchPostgres {
  private constructor(
    /** Of the superuser, who may create databases. */
    private readonly url: string,
    /** The pid of the main process. */
    readonly pid: number,
    readonly stop: () => Promise<void>,
  ) {}

  /** Takes a PostgreSQL that runs, whose databases the caller removes. */
  static async at(url: string, stop = () => Promise.resolve()): Promise<BenchPostgres> {
    const pid = await connected(url, async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      return parentOf(rows[0]!.pid);
    });
    return new BenchPostgres(url, pid, stop);
  }

  /** Starts the embedded PostgreSQL in a temporary directory, with everything synced to disk. */
  static async start(): Promise<BenchPostgres> {
    const directory = await makeOpenDirectory('wholesale-bench-');
    const embedded = await attachEmbeddedDatabase(directory);
    const url = Object.assign(new URL(embedded.url), { username: SUPERUSER }).href;
    return BenchPostgres.at(url, async () => {
      await embedded.detach();
      await rm(directory, { recursive: true, force: true });
    });
  }

  /** Returns the address of a database, if it exists. */
  async existing(name: string): Promise<string | undefined> {
    const found = await this.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    return found.length === 0 ? undefined : Object.assign(new URL(this.url), { pathname: `/${name}` }).href;
  }

  /** Creates a database with the schema of the service and no rows. */
  async createDatabase(name: string, migrateIt = migrate): Promise<string> {
    await this.query(`CREATE DATABASE ${name}`);
    const url = Object.assign(new URL(this.url), { pathname: `/${name}` }).href;
    await migrateIt(url);
    return url;
  }

  /** Runs a query in a database that no row measures. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return connected(this.url, async (client) => (await client.query<Row>(text, values)).rows);
  }
}

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
