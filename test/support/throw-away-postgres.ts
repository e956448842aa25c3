import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCluster, SUPERUSER } from '../../src/embedded-postgres/create-cluster.js';
import { freePort } from '../../src/embedded-postgres/free-port.js';
import { type PostgresAccount, postgresAccount } from '../../src/embedded-postgres/postgres-account.js';
import { postgresArguments } from '../../src/embedded-postgres/postgres-arguments.js';
import { readPostmaster } from '../../src/embedded-postgres/postmaster.js';
import { reachableBinaries } from '../../src/embedded-postgres/reachable-binaries.js';
import { makeOpenDirectory } from './make-open-directory.js';

export interface ThrowAwayPostgres {
  url: string;
  stop(): Promise<void>;
}

/** What a crash would lose is thrown away in any case. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

export async function startThrowAwayPostgres(): Promise<ThrowAwayPostgres> {
  const account = await postgresAccount();
  const binaries = await reachableBinaries(account, () => undefined);
  const directory = await makeOpenDirectory('wholesale-test-');
  const data = path.join(directory, 'postgres');
  const password = randomUUID();
  await createCluster({ binaries, account, directory: data, password, initdbOptions: ['--no-sync'] });
  const { port, stop } = await startLeashed(account, binaries.postgres, directory);
  return { url: `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`, stop };
}

/** Runs the cluster in `postgres` below the directory, which goes with it when it stops or the tests are killed. */
export async function startLeashed(
  account: PostgresAccount | undefined,
  binary: string,
  directory: string,
): Promise<{ port: number; stop(): Promise<void> }> {
  const data = path.join(directory, 'postgres');
  const port = await freePort();
  const leash = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('postgres-leash.js', import.meta.url)),
      directory,
      String(account?.uid ?? ''),
      String(account?.gid ?? ''),
      binary,
      ...postgresArguments(data, port, FAST),
    ],
    // In a process group of its own: Ctrl-C in the terminal must not end it before the tests that use it.
    { detached: true, stdio: ['pipe', 'ignore', 'pipe'], env: { PATH: process.env.PATH } },
  );
  await ready(data, leash);
  return {
    port,
    stop: async () => {
      const gone = once(leash, 'close');
      leash.stdin?.end();
      await gone;
    },
  };
}

async function ready(data: string, leash: ChildProcess): Promise<void> {
  let errors = '';
  leash.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
    if ((await readPostmaster(data))?.ready) return;
    if (leash.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`PostgreSQL for the tests did not start: ${errors}`);
}
