import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { logSince, logSize } from './log-file.js';
import { postgresArguments } from './postgres-arguments.js';
import type { PostgresAccount } from './postgres-account.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { readPostmaster } from './postmaster.js';
import { childEnvironment } from './run.js';

export interface PostgresServer {
  dataDir: string;
  directory: string;
  binaries: PostgresBinaries;
  account: PostgresAccount | undefined;
}

export interface RunningPostgres {
  ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** How long a fast shutdown, which writes a checkpoint, may take before PostgreSQL is ended at once, which is safe too. */
const PATIENCE = 60_000;

/** Resolves when PostgreSQL accepts connections, which may take a while after a crash. */
export async function startPostgres(server: PostgresServer, port: number): Promise<RunningPostgres> {
  const { dataDir, directory, binaries, account } = server;
  const logged = await logSize(dataDir);
  const child = spawn(binaries.postgres, postgresArguments(directory, port), {
    cwd: '/',
    env: childEnvironment(),
    // Our own standard output and error are the log file.
    stdio: ['ignore', 'inherit', 'inherit'],
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  const ended = new Promise<'ended'>((resolve) => {
    child.once('error', (error) => process.stderr.write(`${error.message}\n`));
    child.once('close', () => resolve('ended'));
  });
  while (!(await acceptsConnections(directory, child))) {
    if ((await Promise.race([ended, delay(25)])) === 'ended') {
      throw new EmbeddedDatabaseError(`PostgreSQL did not start: ${await logSince(dataDir, logged)}`);
    }
  }
  return { ended, stop: () => stop(child, ended) };
}

async function acceptsConnections(directory: string, child: ChildProcess): Promise<boolean> {
  const postmaster = await readPostmaster(directory);
  return postmaster?.pid === child.pid && postmaster?.ready === true;
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGINT');
  const impatience = setTimeout(() => child.kill('SIGQUIT'), PATIENCE);
  await ended;
  clearTimeout(impatience);
}
