import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import type { Binaries } from './binaries.js';
import { EmbeddedDatabaseError, type PostgresAccount, run } from './run.js';

/** The superuser is for administration alone. The service and its commands connect as the owner. */
export const SUPERUSER = 'wholesale';
export const OWNER = 'wholesale_owner';
export const DATABASE = 'wholesale';

const PASSWORD = 'wholesale-password';

export interface NewCluster {
  binaries: Binaries;
  account: PostgresAccount | undefined;
  /** Of PostgreSQL. Its parent exists. */
  directory: string;
  initdbOptions?: string[];
}

/** Code point order, the same on every machine, while `lower()` still knows letters beyond ASCII. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/**
 * Linux reaches the working directory by this name, whoever may enter the directories above it: a path of any length, a
 * checkout under /root. Elsewhere PostgreSQL is given the path itself.
 */
export const dataArgument = (directory: string) =>
  process.platform === 'linux' ? '/proc/self/cwd' : directory;

/** Whether there may be a database for a DATA_DIR. A directory that is closed to us may hold one. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  return stat(path.join(dataDir, 'postgres', 'PG_VERSION')).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
  );
}

/** One for both roles: a process that can read it can read the data as well. */
export async function passwordOf(directory: string): Promise<string> {
  const file = path.join(directory, PASSWORD);
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `The file ${file} cannot be read, and the database cannot be used without it: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/**
 * Makes the cluster, its owner and the service's database beside the directory, which then appears by one rename: an
 * interruption leaves no half of a cluster. False if another process was faster.
 */
export async function createCluster(cluster: NewCluster): Promise<boolean> {
  const { binaries, account, directory, initdbOptions = [] } = cluster;
  await removeUnfinished(directory);
  const workshop = `${directory}.creating-${process.pid}`;
  const data = path.join(workshop, 'data');
  const note = path.join(workshop, PASSWORD);
  const password = randomBytes(24).toString('base64url');
  try {
    for (const each of [workshop, data]) await mkdir(each, { mode: 0o700 });
    await writeFile(note, password, { mode: 0o600 });
    if (account) for (const each of [workshop, data, note]) await chown(each, account.uid, account.gid);
    const make = async (program: 'initdb' | 'postgres', args: string[], input?: string) => {
      const { code, output } = await run(binaries.program(program), args, { account, cwd: data, input });
      if (code === 0) return;
      throw new EmbeddedDatabaseError(`A database could not be created in ${directory}: ${output}`);
    };
    await make('initdb', [
      `--pgdata=${dataArgument(data)}`,
      `--username=${SUPERUSER}`,
      `--pwfile=../${PASSWORD}`,
      '--auth=scram-sha-256',
      '--no-instructions',
      ...LOCALE,
      ...(process.platform === 'win32' ? ['--set', `port=${await freePort()}`] : []),
      ...initdbOptions,
    ]);
    await make(
      'postgres',
      ['--single', '-D', dataArgument(data), '-c', 'exit_on_error=on', 'postgres'],
      `CREATE ROLE ${OWNER} LOGIN PASSWORD '${password}'\nCREATE DATABASE ${DATABASE} OWNER ${OWNER}\n`,
    );
    await rename(note, path.join(data, PASSWORD));
    return await moveInto(directory, data);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

async function moveInto(directory: string, data: string): Promise<boolean> {
  try {
    await rename(data, directory);
    return true;
  } catch (cause) {
    if (await hasDatabase(path.dirname(directory))) return false;
    throw new EmbeddedDatabaseError(
      `${directory} holds something else than a database of this service. Move it away, or set DATA_DIR to another place.`,
      { cause },
    );
  }
}

/** Left by processes that were killed. */
async function removeUnfinished(directory: string): Promise<void> {
  const parent = path.dirname(directory);
  const prefix = `${path.basename(directory)}.creating-`;
  const left = (await readdir(parent)).filter(
    (name) => name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length))),
  );
  // An initdb may still be writing, until it notices.
  const evenIfInUse = { recursive: true, force: true, maxRetries: 20 };
  await Promise.all(left.map((name) => rm(path.join(parent, name), evenIfInUse)));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await once(probe.listen(0, '127.0.0.1'), 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
}
