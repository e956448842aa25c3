import { access, constants, mkdir, realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { joinSupervisor } from './join-supervisor.js';
import { logFileOf } from './log-file.js';
import { readPostmaster } from './postmaster.js';
import type { SupervisorConnection } from './supervisor-connection.js';
import type { DatabaseFacts } from './supervisor-messages.js';

export interface EmbeddedDatabase {
  /** Of the database `wholesale` on 127.0.0.1, as its owner, who is no superuser. */
  readonly url: string;
  /** Where the data really is: not in DATA_DIR if PostgreSQL's user may not enter that. */
  readonly directory: string;
  /** Whether the database was created just now, by this attach. */
  readonly created: boolean;
  /** Whether the data was copied or restored since it was last used; true until confirmed. */
  readonly isCopy: boolean;
  readonly supervisorPid: number;
  postgresPid(): Promise<number | undefined>;
  /** From now on the copy is an original. Whoever depends on the difference does what it calls for first. */
  confirmCopy(): Promise<void>;
  /** Resolves once PostgreSQL is down, if nobody else uses it. */
  detach(): Promise<void>;
}

type Log = (line: string) => void;

const ATTEMPTS = 10;
const RETRY_PAUSE = 1_000;

/**
 * The PostgreSQL of a DATA_DIR, created at its first use. All processes that attach to the same one share it; it is
 * stopped when the last of them has detached or ended.
 */
export async function attachEmbeddedDatabase(
  dataDir: string,
  log: Log = () => undefined,
): Promise<EmbeddedDatabase> {
  const directory = await makeDirectory(dataDir);
  const { connection, facts } = await attach(directory, log);
  return new Attachment(directory, log, connection, facts);
}

async function makeDirectory(dataDir: string): Promise<string> {
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

async function attach(
  dataDir: string,
  log: Log,
): Promise<{ connection: SupervisorConnection; facts: DatabaseFacts }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const connection = await joinSupervisor(dataDir, log);
    const outcome = await connection.outcome;
    // The line went dead: this supervisor was just about to end, or was killed.
    if (!outcome) continue;
    if ('failed' in outcome) {
      connection.hangUp();
      throw new EmbeddedDatabaseError(outcome.failed);
    }
    connection.letProcessEnd();
    return { connection, facts: outcome.ready };
  }
  throw new EmbeddedDatabaseError(`The supervisor of PostgreSQL keeps ending; see ${logFileOf(dataDir)}.`);
}

class Attachment implements EmbeddedDatabase {
  readonly url: string;
  readonly directory: string;
  readonly created: boolean;
  isCopy: boolean;
  #detached = false;

  constructor(
    private readonly dataDir: string,
    private readonly log: Log,
    private connection: SupervisorConnection,
    facts: DatabaseFacts,
  ) {
    ({ url: this.url, directory: this.directory, created: this.created, isCopy: this.isCopy } = facts);
    void this.#stayAttached();
  }

  get supervisorPid(): number {
    return this.connection.supervisorPid;
  }

  async postgresPid(): Promise<number | undefined> {
    return (await readPostmaster(this.directory))?.pid;
  }

  async confirmCopy(): Promise<void> {
    if (!(await this.connection.confirmCopy())) {
      throw new EmbeddedDatabaseError('The supervisor of PostgreSQL went away; the copy is not confirmed.');
    }
    this.isCopy = false;
  }

  async detach(): Promise<void> {
    this.#detached = true;
    await this.connection.leave();
  }

  /** Without a supervisor PostgreSQL would neither be restarted nor stopped any more. */
  async #stayAttached(): Promise<void> {
    for (;;) {
      await this.connection.closed;
      if (this.#detached) return;
      this.log('The supervisor of PostgreSQL went away; another one is started.');
      await this.#attachAgain();
    }
  }

  async #attachAgain(): Promise<void> {
    while (!this.#detached) {
      try {
        const { connection, facts } = await attach(this.dataDir, this.log);
        this.connection = connection;
        if (facts.url !== this.url) this.log('PostgreSQL has moved to another port; restart to use it.');
        if (this.#detached) await connection.leave();
        return;
      } catch (error) {
        this.log((error as Error).message);
        await delay(RETRY_PAUSE, undefined, { ref: false });
      }
    }
  }
}
