import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchDatabase, createBenchDatabase } from './database/bench-database.js';
import { BenchPostgres } from './database/bench-postgres.js';
import type { LoadRequest } from './load/load.js';
import type { Options } from './options.js';
import type { Role } from './servers/pinned.js';
import { record } from './servers/record.js';
import { ServerProcess } from './servers/server-process.js';

export interface Pace {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
}

/** The environment of a comparison. */
export interface Measuring {
  postgres: BenchPostgres;
  pace: Pace;
}

const OWN_BUILD = '../../dist/src/main.js';

const FULL: Pace = { rounds: 3, seconds: 3, warmUpSeconds: 2 };
const QUICK: Pace = { rounds: 1, seconds: 1, warmUpSeconds: 1 };

/**
 * Resources of all rows: databases that are filled once, servers that stop after their row, and a directory.
 */
export class Bench implements Measuring {
  private readonly databases = new Map<number, BenchDatabase>();
  private servers: ServerProcess[] = [];
  private files = 0;

  private constructor(
    readonly options: Options,
    readonly postgres: BenchPostgres,
    readonly directory: string,
  ) {}

  static async open(options: Options): Promise<Bench> {
    const directory = await mkdtemp(join(tmpdir(), 'wholesale-bench-files-'));
    const { postgres: url } = options;
    const postgres = url === undefined ? await BenchPostgres.start() : await BenchPostgres.at(url);
    return new Bench(options, postgres, directory);
  }

  get pace(): Pace {
    return this.options.quick ? QUICK : FULL;
  }

  /** For comparisons with small differences, which need many rounds. */
  often(times: number): Measuring {
    return { postgres: this.postgres, pace: { ...this.pace, rounds: this.pace.rounds * times } };
  }

  async database(products: number): Promise<BenchDatabase> {
    let database = this.databases.get(products);
    if (!database)
      this.databases.set(products, (database = await createBenchDatabase(this.postgres, products)));
    return database;
  }

  /**
   * Starts the service as in production on one of the filled databases. The rate limit counts but is never
   * reached.
   */
  async service(
    { url }: { url: string },
    environment: Record<string, string> = {},
    script = OWN_BUILD,
    role: Role = 'server',
  ): Promise<ServerProcess> {
    const { profile } = this.options;
    return this.start(script, '/health/ready', {
      role,
      environment: {
        DATABASE_URL: url,
        RATE_LIMIT_PER_MINUTE: '10000000',
        UNPAID_VALUE_LIMIT: '999999999',
        UNPAID_ORDERS_LIMIT: '999999999',
        ...environment,
      },
      nodeOptions: profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
    });
  }

  async reference(script: string, environment: Record<string, string>): Promise<ServerProcess> {
    return this.start(`references/${script}.js`, '/', { environment });
  }

  /** Starts a reference that sends the recorded answer of the service to this request. */
  async replay(script: string, service: ServerProcess, request: LoadRequest): Promise<ServerProcess> {
    const file = join(this.directory, `recording-${++this.files}.json`);
    await record(service.url, request, file);
    return this.reference(script, { RECORDING: file });
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

  private async start(
    script: string,
    readyAt: string,
    more: { environment?: Record<string, string>; nodeOptions?: string[]; role?: Role },
  ): Promise<ServerProcess> {
    const server = await ServerProcess.start({ script, readyAt, ...more });
    this.servers.push(server);
    return server;
  }
}
