import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { markAsOriginal, markAsStarting, wasCopied } from './copy-mark.js';
import { createCluster, SUPERUSER } from './create-cluster.js';
import { locateData } from './data-location.js';
import { handOver, postgresAccount } from './postgres-account.js';
import { reachableBinaries } from './reachable-binaries.js';
import { ownDatabase } from './own-database.js';
import { choosePort, ownerPassword, passwordFor } from './remembered.js';
import { type PostgresServer, type RunningPostgres, startPostgres } from './start-postgres.js';
import { stopOrphan } from './stop-orphan.js';

type Log = (line: string) => void;

const SLOWEST_RETRY = 2_000;

/** The PostgreSQL of one DATA_DIR, kept running from `open` to `stop`, and started again when it dies. */
export class SupervisedDatabase {
  #stopping = false;
  #kept: Promise<void>;

  private constructor(
    private readonly server: PostgresServer,
    private readonly port: number,
    private running: RunningPostgres,
    private readonly log: Log,
    private readonly isOurs: () => Promise<boolean>,
    readonly url: string,
    readonly created: boolean,
    public isCopy: boolean,
  ) {
    this.#kept = this.#keepRunning();
  }

  static async open(dataDir: string, log: Log, isOurs: () => Promise<boolean>): Promise<SupervisedDatabase> {
    const account = await postgresAccount();
    const binaries = await reachableBinaries(account, log);
    const directory = await locateData(dataDir, account, log);
    const exists = existsSync(path.join(directory, 'PG_VERSION'));
    const password = await passwordFor(dataDir, exists);
    if (exists) {
      await stopOrphan(directory, log);
    } else {
      log(`Creating a PostgreSQL database in ${directory}.`);
      await createCluster({ binaries, account, directory, password });
    }
    const copied = exists && (await wasCopied(directory));
    if (account) await handOver(directory, account);
    if (!copied) await markAsStarting(directory);
    const server = { dataDir, directory, binaries, account };
    const { port, running } = await startOnFreePort(server);
    try {
      if (!copied) await markAsOriginal(directory);
      const administrator = new URL(`postgres://${SUPERUSER}:${password}@127.0.0.1:${port}`);
      const url = await ownDatabase(administrator, await ownerPassword(dataDir));
      return new SupervisedDatabase(server, port, running, log, isOurs, url, !exists, copied);
    } catch (error) {
      await running.stop();
      throw error;
    }
  }

  get directory(): string {
    return this.server.directory;
  }

  async confirmCopy(): Promise<void> {
    await markAsOriginal(this.directory);
    this.isCopy = false;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.running.stop();
    await this.#kept;
  }

  async #keepRunning(): Promise<void> {
    for (;;) {
      await this.running.ended;
      if (this.#stopping) return;
      // A supervisor that hung for long was given up and replaced. It ends, and its users turn to the other one.
      if (!(await this.isOurs())) throw new Error('Another supervisor has taken this DATA_DIR over.');
      this.log('PostgreSQL ended unexpectedly; it is started again.');
      await this.#restart();
    }
  }

  /** What a killed PostgreSQL leaves behind may hold its shared memory for a moment: it is tried until it works. */
  async #restart(): Promise<void> {
    for (let pause = 100; !this.#stopping; pause = Math.min(pause * 2, SLOWEST_RETRY)) {
      try {
        if (!this.isCopy) await markAsStarting(this.directory);
        this.running = await startPostgres(this.server, this.port);
        if (this.#stopping) await this.running.stop();
        else if (!this.isCopy) await markAsOriginal(this.directory);
        return;
      } catch (error) {
        this.log((error as Error).message);
        await delay(pause);
      }
    }
  }
}

/** Between our look and PostgreSQL's own, somebody else may take the port; and a killed server's shared memory lingers. */
async function startOnFreePort(server: PostgresServer): Promise<{ port: number; running: RunningPostgres }> {
  for (let attempt = 1; ; attempt++) {
    const port = await choosePort(server.dataDir);
    try {
      return { port, running: await startPostgres(server, port) };
    } catch (error) {
      if (attempt === 10 || !/Address already in use|shared memory block/.test((error as Error).message))
        throw error;
      await delay(100 * attempt);
    }
  }
}
