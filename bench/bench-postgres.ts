import { rm } from 'node:fs/promises';
import pg from 'pg';
import { SUPERUSER } from '../src/server/embedded-postgres/cluster.js';
import { attachEmbeddedDatabase } from '../src/server/embedded-postgres/embedded-postgres.js';
import { migrate } from '../src/platform/database/migrate.js';
import { makeOpenDirectory } from '../test/support/make-open-directory.js';
import { parentOf } from './processes.js';

/** The PostgreSQL of all rows. */
export class BenchPostgres {
  private constructor(
    private readonly client: pg.Client,
    private readonly url: string,
    /** The pid of the main process. */
    readonly pid: number,
    readonly stop: () => Promise<void>,
  ) {}

  /** Takes a running PostgreSQL, or starts the embedded one, with everything synced to disk. */
  static async open(given?: string): Promise<BenchPostgres> {
    const directory = given === undefined ? await makeOpenDirectory('wholesale-bench-') : undefined;
    const embedded = directory === undefined ? undefined : await attachEmbeddedDatabase(directory);
    const url = given ?? Object.assign(new URL(embedded!.url), { username: SUPERUSER }).href;
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return new BenchPostgres(client, url, parentOf(rows[0]!.pid), async () => {
      await client.end();
      await embedded?.detach();
      if (directory !== undefined) await rm(directory, { recursive: true, force: true });
    });
  }

  urlOf(name: string): string {
    return Object.assign(new URL(this.url), { pathname: `/${name}` }).href;
  }

  /** Creates a database with the schema of the service and no rows. */
  async createDatabase(name: string, migrateIt = migrate): Promise<string> {
    await this.query(`CREATE DATABASE ${name}`);
    await migrateIt(this.urlOf(name));
    return this.urlOf(name);
  }

  /** Runs a query in a database that no row measures. */
  async query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    return (await this.client.query<Row>(text)).rows;
  }
}
