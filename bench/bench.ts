import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BenchPostgres } from './bench-postgres.js';
import { type BenchDatabase, createBenchDatabase } from './database/bench-database.js';
import { type Role, ServerProcess } from './processes.js';

export interface Options {
  /** A quick run: every row is measured once and briefly, and no report is written. */
  quick: boolean;
  /** The ids of the rows to measure; empty means all rows. */
  only: string[];
  /** Another build of the service: a commit, or the directory of a built checkout. */
  against?: string;
  /** The address of another PostgreSQL on this machine, as a superuser, in place of the embedded one. */
  postgres?: string;
}

/** Far above what a bench reaches. */
const LIMITS = {
  RATE_LIMIT_PER_MINUTE: '10000000',
  UNPAID_VALUE_LIMIT: '999999999',
  UNPAID_ORDERS_LIMIT: '999999999',
};

/** Resources of all rows: databases that are filled once, servers that stop after their row, a directory. */
export class Bench {
  readonly pace: { rounds: number; seconds: number };
  private readonly databases = new Map<number, BenchDatabase>();
  private servers: ServerProcess[] = [];

  private constructor(
    readonly options: Options,
    readonly postgres: BenchPostgres,
    readonly directory: string,
  ) {
    this.pace = options.quick ? { rounds: 1, seconds: 2 } : { rounds: 3, seconds: 3 };
  }

  static async open(options: Options): Promise<Bench> {
    const directory = await mkdtemp(join(tmpdir(), 'wholesale-bench-files-'));
    return new Bench(options, await BenchPostgres.open(options.postgres), directory);
  }

  async database(products: number): Promise<BenchDatabase> {
    const database = this.databases.get(products) ?? (await createBenchDatabase(this.postgres, products));
    this.databases.set(products, database);
    return database;
  }

  /** Starts the service as in production. The rate limit counts but is never reached. */
  async service(
    { url }: Pick<BenchDatabase, 'url'>,
    environment: Record<string, string> = {},
    script = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url)),
    role: Role = 'server',
  ): Promise<ServerProcess> {
    return this.start(role, script, '/health/ready', { DATABASE_URL: url, ...LIMITS, ...environment });
  }

  async reference(script: string, environment: Record<string, string>): Promise<ServerProcess> {
    return this.start('server', referenceAt(script), '/', environment);
  }

  async stopServers(): Promise<void> {
    const servers = this.servers;
    this.servers = [];
    await Promise.all(servers.map((server) => server.stop()));
  }

  async close(): Promise<void> {
    await this.stopServers();
    for (const { pool } of this.databases.values()) await pool.end();
    await this.postgres.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  private async start(...args: Parameters<typeof ServerProcess.start>): Promise<ServerProcess> {
    const server = await ServerProcess.start(...args);
    this.servers.push(server);
    return server;
  }
}

export function referenceAt(script: string): string {
  return fileURLToPath(new URL(`references/${script}.js`, import.meta.url));
}
