import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface DatabaseFacts {
  url: string;
  directory: string;
  serverPid: number | undefined;
  log: string[];
}

const PROCESS = fileURLToPath(new URL('database-user-process.js', import.meta.url));

const users = new Set<DatabaseUser>();

/** A real process that uses the PostgreSQL of a DATA_DIR and that tests can kill. */
export class DatabaseUser {
  private constructor(
    private readonly child: ChildProcess,
    readonly attached: DatabaseFacts,
  ) {
    users.add(this);
  }

  static async start(dataDir: string, as: 'command' | 'service' = 'command'): Promise<DatabaseUser> {
    const child = fork(PROCESS, [dataDir, as], { execArgv: [], env: { PATH: process.env.PATH } });
    return new DatabaseUser(child, await reply(child));
  }

  facts(): Promise<DatabaseFacts> {
    return this.#ask('facts');
  }

  async detach(): Promise<void> {
    const exit = once(this.child, 'exit');
    await this.#ask('detach');
    await exit;
    users.delete(this);
  }

  /** Returns the signal that ended it. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<NodeJS.Signals> {
    users.delete(this);
    this.child.kill(signal);
    return ((await once(this.child, 'exit')) as [null, NodeJS.Signals])[1];
  }

  /** Runs at the end of a test: PostgreSQL stops when the last user has detached. */
  static async detachAll(): Promise<void> {
    for (const user of users) await user.detach();
  }

  #ask(command: string): Promise<DatabaseFacts> {
    this.child.send(command);
    return reply(this.child);
  }
}

async function reply(child: ChildProcess): Promise<DatabaseFacts> {
  const [message] = (await once(child, 'message')) as [DatabaseFacts | { error: string }];
  if ('error' in message) throw new Error(message.error);
  return message;
}
