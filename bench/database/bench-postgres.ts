import { rm } from 'node:fs/promises';
import pg from 'pg';
import {
  attachEmbeddedDatabase,
  type EmbeddedDatabase,
} from '../../src/embedded-postgres/embedded-postgres.js';
import { SUPERUSER } from '../../src/embedded-postgres/cluster.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { makeOpenDirectory } from '../../test/support/make-open-directory.js';

/** The service's own PostgreSQL as it is installed, everything synced to disk, in a directory that goes away afterwards. */
export class BenchPostgres {
  private constructor(
    private readonly directory: string,
    private readonly embedded: EmbeddedDatabase,
    /** As the superuser, who may make databases. */
    private readonly url: string,
  ) {}

  static async start(): Promise<BenchPostgres> {
    const directory = await makeOpenDirectory('wholesale-bench-');
    const embedded = await attachEmbeddedDatabase(directory);
    const url = Object.assign(new URL(embedded.url), { username: SUPERUSER }).href;
    return new BenchPostgres(directory, embedded, url);
  }

  /** A database with the service's schema and nothing in it. */
  async createDatabase(name: string): Promise<string> {
    await this.query(`CREATE DATABASE ${name}`);
    const url = Object.assign(new URL(this.url), { pathname: `/${name}` }).href;
    await migrate(url);
    return url;
  }

  /** In a database that nobody measures. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client(this.url);
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await this.embedded.detach();
    await rm(this.directory, { recursive: true, force: true });
  }
}
