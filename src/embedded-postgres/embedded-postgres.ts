import { access, constants, mkdir, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { reachableBinaries } from './binaries.js';
import { createCluster, DATABASE, hasDatabase, OWNER, passwordOf } from './cluster.js';
import { isCopy, markAsOriginal } from './copy-mark.js';
import { EmbeddedDatabaseError, postgresAccount } from './run.js';
import { type Host, hostOf, runningServer, startServer, stopServer, type Tools } from './server.js';

type Log = (line: string) => void;
/** Missing in the types. */
type Held = Client & { ref(): void; unref(): void };

/** Every attached process holds it shared. The last one gets it alone, and stops the server. */
const PRESENCE_LOCK = 7_214_000;

/** How long we try a server that runs but refuses connections. */
const PATIENCE = 60_000;
const PAUSE = 50;
const LONGEST_PAUSE = 2_000;

/** PostgreSQL is starting or stopping. */
const NOT_NOW = '57P03';
const LATER = new Set([
  NOT_NOW,
  '57P01',
  '57P02',
  '53300',
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EAGAIN',
]);

/**
 * The PostgreSQL of a DATA_DIR, created at its first use. All processes that attach share it, and the last to
 * detach stops it. A killed process leaves it running, and the next start adopts it.
 */
export async function attachEmbeddedDatabase(
  dataDir: string,
  log: Log = () => undefined,
): Promise<EmbeddedDatabase> {
  const database = new EmbeddedDatabase(await usable(dataDir), log);
  await database.attach();
  return database;
}

async function usable(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
    const resolved = await realpath(dataDir);
    await readdir(path.join(resolved, 'postgres')).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    return resolved;
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
  /** Whether this attach created the database. */
  created = false;
  /** Whether the data is a copy or a restored backup. Stays true until confirmed. */
  isCopy = false;
  #host?: Host;
  readonly #claims = new Set<number>();
  #prepared?: Promise<Tools>;
  #password = '';
  /** Holds our share of the lock, and notices the end of the server. */
  #client: Client | undefined;
  #joining: Promise<void> = Promise.resolve();
  #leaving: Promise<void> | undefined;

  constructor(
    private readonly dataDir: string,
    private readonly log: Log,
  ) {
    this.directory = path.join(dataDir, 'postgres');
  }

  async attach(): Promise<void> {
    remember(this);
    try {
      if (!(await hasDatabase(this.dataDir))) {
        this.log(`Creating a PostgreSQL database in ${this.directory}.`);
        this.created = await createCluster({ ...(await this.#tools()), directory: this.directory });
      }
      this.#host = hostOf(this.directory);
      this.#password = await passwordOf(this.directory);
      this.#joining = this.#join();
      await this.#joining;
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  async serverPid(): Promise<number | undefined> {
    return (await runningServer(this.directory))?.pid;
  }

  /**
   * Returns false if another process holds it. It ends with our process, and survives a crash of PostgreSQL.
   */
  async claim(key: number): Promise<boolean> {
    const client = await this.#present();
    const { rows } = await client.query<{ ours: boolean }>('SELECT pg_try_advisory_lock($1) AS ours', [key]);
    if (rows[0]!.ours) this.#claims.add(key);
    return rows[0]!.ours;
  }

  /** Makes the copy an original. A caller that depends on the difference acts first. */
  async confirmCopy(): Promise<void> {
    await markAsOriginal(await this.#present(), this.directory);
    this.isCopy = false;
  }

  /** Stops PostgreSQL and waits for its end, unless another process uses it. */
  detach(): Promise<void> {
    return (this.#leaving ??= this.#leave());
  }

  #tools(): Promise<Tools> {
    return (this.#prepared ??= postgresAccount().then(async (account) => ({
      account,
      binaries: await reachableBinaries(account, this.log),
    })));
  }

  async #present(): Promise<Client> {
    await this.#joining;
    if (this.#client) return this.#client;
    throw new EmbeddedDatabaseError('The process has left its PostgreSQL.');
  }

  /** Starts the server unless it runs. Retries, because another process may be stopping it. */
  async #join(): Promise<void> {
    let [started, problem] = [false, ''];
    for (let deadline = performance.now() + PATIENCE; !this.#leaving;) {
      const server = await runningServer(this.directory);
      if (!server && (await startServer(await this.#tools(), this.dataDir, this.directory))) {
        started = true;
        continue;
      }
      if (server) {
        try {
          return await this.#enter(server.port, started);
        } catch (error) {
          const { code, message } = error as { code?: string; message: string };
          problem = message;
          if (code === NOT_NOW) deadline = performance.now() + PATIENCE;
          else if (code !== undefined && !LATER.has(code)) deadline = 0;
        }
      }
      if (performance.now() > deadline) {
        throw new EmbeddedDatabaseError(`PostgreSQL in ${this.directory} cannot be used: ${problem}`);
      }
      await pause(PAUSE);
    }
  }

  async #enter(port: number, started: boolean): Promise<void> {
    const host = `host=${encodeURIComponent(this.#host!.name)}&port=${port}`;
    this.url = `postgres://${OWNER}:${this.#password}@localhost/${DATABASE}?${host}`;
    const client = new Client({
      connectionString: this.url,
      application_name: 'wholesale-order-api presence',
      connectionTimeoutMillis: 5_000,
      query_timeout: PATIENCE,
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
      this.isCopy = await isCopy(client, this.directory);
      if (started && !this.isCopy) await markAsOriginal(client, this.directory);
      await client.query('SELECT pg_try_advisory_lock(key) FROM unnest($1::int[]) AS key', [
        [...this.#claims],
      ]);
      if (ended) throw new Error('PostgreSQL has ended again.');
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    // Otherwise a program that forgets to detach would never end.
    (client as Held).unref();
    this.#client = client;
  }

  async #joinAgain(): Promise<void> {
    this.#client = undefined;
    this.log('PostgreSQL ended unexpectedly; it is started again.');
    for (let wait = PAUSE; !this.#leaving; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
      try {
        return await this.#join();
      } catch (error) {
        this.log((error as Error).message);
        await pause(wait, undefined, { ref: false });
      }
    }
  }

  async #leave(): Promise<void> {
    await this.#joining.catch(() => undefined);
    try {
      if (this.#client && (await isLast(this.#client))) await stopServer(await this.#tools(), this.directory);
    } finally {
      void this.#client?.end().catch(() => undefined);
      this.#forget();
    }
  }

  #forget(): void {
    this.#host?.close();
    forget(this);
  }
}

/** If several leave at once, at least the last to ask is alone. No answer means no server. */
async function isLast(client: Client): Promise<boolean> {
  (client as Held).ref();
  try {
    await client.query('SELECT pg_advisory_unlock_shared($1)', [PRESENCE_LOCK]);
    const ask = 'SELECT pg_try_advisory_lock($1) AS alone';
    return (await client.query<{ alone: boolean }>(ask, [PRESENCE_LOCK])).rows[0]!.alone;
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
  await detachAll();
  process.kill(process.pid, signal);
}

/** For a process that ends in the middle of its work. */
export async function detachAll(): Promise<void> {
  await Promise.allSettled([...attached].map((database) => database.detach()));
}
