import { access, constants, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { createCluster, DATABASE, hasDatabase, OWNER, passwordOf } from './cluster.js';
import { EmbeddedDatabaseError, findPrograms, type Programs } from './programs.js';
import { runningServer, socketDirectory, startServer, stopServer } from './server.js';

export interface AttachOptions {
  log?: (line: string) => void;
  /** Refuses to attach beside another service. Commands may always run beside one. */
  isService?: boolean;
}

/** Every attached process holds it shared. The last one gets it alone, and stops the server. */
const PRESENCE_LOCK = 7_214_000;
/** A service holds it. */
const SERVICE_LOCK = 7_214_002;

/** The time for which a server that runs but refuses connections is retried. */
const MAX_WAIT = 60_000;
const PAUSE = 50;
const MAX_PAUSE = 2_000;

/** PostgreSQL is starting or stopping. */
const NOT_NOW = '57P03';
/** A wrong password, or no such database: no retry helps. */
const LASTING = /^(28|3D)/;

/**
 * The PostgreSQL of a DATA_DIR, created at its first use. All processes that attach share it, and the last to
 * detach stops it. A killed process leaves it running, and the next start adopts it.
 */
export async function attachEmbeddedDatabase(
  dataDir: string,
  options: AttachOptions = {},
): Promise<EmbeddedDatabase> {
  const database = new EmbeddedDatabase(await usable(dataDir), options);
  await database.attach();
  return database;
}

async function usable(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
    return await realpath(dataDir);
  } catch (cause) {
    throw new EmbeddedDatabaseError(`DATA_DIR (${dataDir}) cannot be used: ${(cause as Error).message}`, {
      cause,
    });
  }
}

export class EmbeddedDatabase {
  /** The data directory of PostgreSQL. */
  readonly directory: string;
  /** Connects as the owner of the service's database, not as a superuser. */
  url = '';
  readonly #log: (line: string) => void;
  readonly #isService: boolean;
  #found?: Promise<Programs>;
  /** Holds our locks, and notices the end of the server. */
  #client: Client | undefined;
  #joining: Promise<void> = Promise.resolve();
  #leaving: Promise<void> | undefined;

  constructor(
    private readonly dataDir: string,
    { log = () => undefined, isService = false }: AttachOptions,
  ) {
    this.directory = path.join(dataDir, 'postgres');
    this.#log = log;
    this.#isService = isService;
  }

  async attach(): Promise<void> {
    remember(this);
    try {
      if (!(await hasDatabase(this.dataDir))) {
        this.#log(`Creating a PostgreSQL database in ${this.directory}.`);
        await createCluster(await this.#programs(), this.directory);
      }
      const password = await passwordOf(this.directory);
      const host = encodeURIComponent(socketDirectory(this.directory));
      this.url = `postgres://${OWNER}:${password}@localhost/${DATABASE}?host=${host}&port=5432`;
      this.#joining = this.#join();
      await this.#joining;
    } catch (error) {
      forget(this);
      throw error;
    }
  }

  /** Stops PostgreSQL and waits for its end, unless another process uses it. */
  detach(): Promise<void> {
    return (this.#leaving ??= this.#leave());
  }

  #programs(): Promise<Programs> {
    return (this.#found ??= findPrograms(this.#log).catch((error: unknown) => {
      // The next attempt searches again.
      this.#found = undefined;
      throw error;
    }));
  }

  /** Starts the server unless it runs. Retries, because another process may be stopping it. */
  async #join(): Promise<void> {
    let started = false;
    let problem: unknown;
    for (let deadline = performance.now() + MAX_WAIT; !this.#leaving && performance.now() < deadline;) {
      if (await runningServer(this.directory)) {
        try {
          return await this.#enter();
        } catch (error) {
          problem = error;
          const { code = '' } = error as { code?: string };
          if (error instanceof EmbeddedDatabaseError || LASTING.test(code)) break;
          if (code === NOT_NOW) deadline = performance.now() + MAX_WAIT;
        }
      } else if (await startServer(await this.#programs(), this.directory)) {
        started = true;
        continue;
      }
      await pause(PAUSE);
    }
    // No other process would stop it, unless a service runs on it. Others that joined start it again.
    const isServed = problem instanceof EmbeddedDatabaseError;
    if (started && !isServed) await stopServer(await this.#programs(), this.directory);
    if (this.#leaving) return;
    if (problem instanceof EmbeddedDatabaseError) throw problem;
    const why = problem instanceof Error ? problem.message : 'It does not start.';
    throw new EmbeddedDatabaseError(`PostgreSQL in ${this.directory} cannot be used: ${why}`);
  }

  async #enter(): Promise<void> {
    const client = new Client({
      connectionString: this.url,
      application_name: 'wholesale-order-api presence',
      connectionTimeoutMillis: 5_000,
      query_timeout: MAX_WAIT,
    });
    let ended = false;
    client.on('error', () => undefined);
    client.once('end', () => {
      ended = true;
      if (this.#client === client && !this.#leaving) this.#joining = this.#joinAgain();
    });
    try {
      await client.connect();
      await client.query('SELECT pg_advisory_lock_shared($1)', [PRESENCE_LOCK]);
      if (this.#isService && !(await isGranted(client, SERVICE_LOCK))) {
        const advice = 'Stop it first, or set DATA_DIR (and PORT) to run a second one.';
        throw new EmbeddedDatabaseError(`Another service is already running on ${this.dataDir}. ${advice}`);
      }
      if (ended) throw new Error('PostgreSQL has ended again.');
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
  }

  async #joinAgain(): Promise<void> {
    this.#client = undefined;
    this.#log('PostgreSQL ended unexpectedly and is being restarted.');
    for (let wait = PAUSE; !this.#leaving; wait = Math.min(wait * 2, MAX_PAUSE)) {
      try {
        return await this.#join();
      } catch (error) {
        this.#log((error as Error).message);
        await pause(wait);
      }
    }
  }

  async #leave(): Promise<void> {
    await this.#joining.catch(() => undefined);
    try {
      if (this.#client && (await isLast(this.#client)))
        await stopServer(await this.#programs(), this.directory);
    } finally {
      void this.#client?.end().catch(() => undefined);
      forget(this);
    }
  }
}

async function isGranted(client: Client, lock: number): Promise<boolean> {
  // SQL, because no application runs yet.
  const ask = 'SELECT pg_try_advisory_lock($1) AS granted';
  return (await client.query<{ granted: boolean }>(ask, [lock])).rows[0]!.granted;
}

/** If several leave at once, at least the last to ask is alone. No answer means no server. */
async function isLast(client: Client): Promise<boolean> {
  try {
    await client.query('SELECT pg_advisory_unlock_shared($1)', [PRESENCE_LOCK]);
    return await isGranted(client, PRESENCE_LOCK);
  } catch {
    return false;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const attached = new Set<EmbeddedDatabase>();

function remember(database: EmbeddedDatabase): void {
  attached.add(database);
  if (attached.size === 1) for (const signal of SIGNALS) process.on(signal, leaveAndEnd);
}

function forget(database: EmbeddedDatabase): void {
  attached.delete(database);
  if (attached.size === 0) for (const signal of SIGNALS) process.off(signal, leaveAndEnd);
}

/** A process that handles the signal itself also detaches itself. */
async function leaveAndEnd(signal: NodeJS.Signals): Promise<void> {
  if (process.listenerCount(signal) > 1) return;
  await Promise.allSettled([...attached].map((database) => database.detach()));
  process.kill(process.pid, signal);
}
