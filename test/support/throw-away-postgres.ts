import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  createCluster,
  dataArgument,
  passwordOf,
  SUPERUSER,
} from '../../src/server/embedded-postgres/cluster.js';
import { findPrograms, type PostgresAccount } from '../../src/server/embedded-postgres/programs.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { makeOpenDirectory } from './make-open-directory.js';

const run = promisify(execFile);

export interface ThrowAwayPostgres {
  url: string;
  stop(): Promise<void>;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  max_connections: '300',
  // No suite may depend on the moment at which it comes by.
  autovacuum: 'off',
  // The suite of growth counts in its own databases.
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'none',
};

/** Durability is not needed for a server that is removed after the tests. */
const UNSAFE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Starts servers with equal contents. One cluster is created and filled, the others are its copies. */
export async function startThrowAwayServers(
  count: number,
  fill: (url: string) => Promise<void>,
): Promise<ThrowAwayPostgres[]> {
  const { account, bin } = await findPrograms(() => undefined);
  const made = Array.from({ length: count }, () => makeOpenDirectory('wholesale-test-'));
  const directories = await Promise.all(made);
  const start = async (directory: string) => {
    const password = await passwordOf(path.join(directory, 'postgres'));
    const { port, ...rest } = await startLeashed(account, path.join(bin, 'postgres'), directory);
    return { url: `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`, ...rest };
  };
  try {
    const [first = '', ...others] = directories;
    await createCluster({ account, bin }, path.join(first, 'postgres'), '--no-sync');
    const { url, close } = await start(first);
    await fill(url);
    await close();
    await Promise.all(others.map((other) => run('cp', ['-a', path.join(first, 'postgres'), other])));
    return await Promise.all(directories.map(start));
  } catch (error) {
    // Servers that run end with this process.
    for (const directory of directories) await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Runs the cluster in `postgres` below the directory. The directory is removed by `stop` and when the tests
 * are killed. `close` keeps it.
 */
export async function startLeashed(
  account: PostgresAccount | undefined,
  binary: string,
  directory: string,
): Promise<{ port: number; stop(): Promise<void>; close(): Promise<void> }> {
  const data = path.join(directory, 'postgres');
  const port = await freePort();
  const settings = { ...SETTINGS, ...UNSAFE, port };
  const leash = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('postgres-leash.js', import.meta.url)),
      directory,
      String(account?.uid ?? ''),
      String(account?.gid ?? ''),
      binary,
      '-D',
      dataArgument(data),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // Its own process group, so that Ctrl-C does not stop it before the tests that use it.
    { detached: true, stdio: ['pipe', 'ignore', 'pipe'], env: { PATH: process.env.PATH } },
  );
  const gone = once(leash, 'close');
  await ready(data, leash);
  return {
    port,
    stop: async () => {
      leash.stdin?.end();
      await gone;
    },
    close: async () => {
      leash.kill('SIGTERM');
      await gone;
    },
  };
}

async function ready(data: string, leash: ChildProcess): Promise<void> {
  let errors = '';
  leash.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const isReady = async () =>
    /^ready *$/m.test(await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => ''));
  await eventually(async () => leash.exitCode !== null || isReady()).catch(() => undefined);
  if (!(await isReady())) throw new Error(`PostgreSQL for the tests did not start: ${errors}`);
}
