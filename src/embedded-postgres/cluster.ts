import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Binaries } from './binaries.js';
import { EmbeddedDatabaseError, type PostgresAccount, run } from './run.js';

/** Only administrators use the superuser. The service and its commands connect as the owner. */
export const SUPERUSER = 'wholesale';
export const OWNER = 'wholesale_owner';
export const DATABASE = 'wholesale';

const PASSWORD = 'wholesale-password';

export interface NewCluster {
  binaries: Binaries;
  account: PostgresAccount | undefined;
  /** The data directory of PostgreSQL. Its parent exists. */
  directory: string;
  initdbOptions?: string[];
}

/** Sorts by code point, the same on every machine. `lower()` still knows letters beyond ASCII. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/**
 * On Linux this name reaches the working directory, even if PostgreSQL may not enter its parents or the path
 * is too long. Other systems get the path itself.
 */
export const dataArgument = (directory: string) =>
  process.platform === 'linux' ? '/proc/self/cwd' : directory;

/** Whether DATA_DIR may hold a database. A directory that we may not read can hold one. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  return stat(path.join(dataDir, 'postgres', 'PG_VERSION')).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
  );
}

/** Both roles share it: a process that can read the file can also read the data. */
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
 * Creates the cluster, its owner and the database of the service beside the directory, then renames it into
 * place. So an interruption leaves no half-made cluster. Returns false if another process was faster.
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
      `${directory} is not a database of this service. Move it away, or set DATA_DIR to another place.`,
      { cause },
    );
  }
}

/** Killed processes leave these. */
async function removeUnfinished(directory: string): Promise<void> {
  const parent = path.dirname(directory);
  const prefix = `${path.basename(directory)}.creating-`;
  const left = (await readdir(parent)).filter(
    (name) => name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length))),
  );
  // The initdb of a killed process can still be writing.
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
