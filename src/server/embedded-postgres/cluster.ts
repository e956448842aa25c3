import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedDatabaseError, type Programs, run } from './programs.js';

/** Only administrators use the superuser. The service and its commands connect as the owner. */
export const SUPERUSER = 'wholesale';
export const OWNER = 'wholesale_owner';
export const DATABASE = 'wholesale';

const PASSWORD = 'wholesale-password';

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
    const why = `and the database cannot be used without it: ${(cause as Error).message}`;
    throw new EmbeddedDatabaseError(`The file ${file} cannot be read, ${why}`, { cause });
  }
}

/**
 * Creates the data directory of PostgreSQL with the owner and the database of the service. The work is done
 * beside it and then renamed, so an interruption leaves no half-made cluster.
 */
export async function createCluster(
  { bin, account }: Programs,
  directory: string,
  ...initdbOptions: string[]
): Promise<void> {
  const prefix = `${directory}.creating-`;
  const workDirectory = await mkdtemp(prefix);
  const data = path.join(workDirectory, 'data');
  const passwordFile = path.join(workDirectory, PASSWORD);
  const password = randomBytes(24).toString('base64url');
  const make = async (program: 'initdb' | 'postgres', args: string[], input?: string) => {
    const { code, output } = await run(path.join(bin, program), args, { account, cwd: data, input });
    if (code === 0) return;
    throw new EmbeddedDatabaseError(`A database could not be created in ${directory}: ${output}`);
  };
  try {
    await mkdir(data, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (account)
      for (const each of [workDirectory, data, passwordFile]) await chown(each, account.uid, account.gid);
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
    await rename(passwordFile, path.join(data, PASSWORD));
    await rename(data, directory).catch((cause: unknown) => {
      const advice = 'Move it away, or set DATA_DIR to another place.';
      throw new EmbeddedDatabaseError(`${directory} is not a database of this service. ${advice}`, { cause });
    });
    await removeWorkDirectories(prefix);
  } catch (error) {
    // Another process was faster. It may have removed our work directory.
    if (!(await hasDatabase(path.dirname(directory)))) throw error;
  } finally {
    await rm(workDirectory, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Removes the directories of killed and slower processes: the database exists now. */
async function removeWorkDirectories(prefix: string): Promise<void> {
  const parent = path.dirname(prefix);
  const leftovers = (await readdir(parent)).filter((name) => name.startsWith(path.basename(prefix)));
  // A running initdb can still be writing.
  const evenIfInUse = { recursive: true, force: true, maxRetries: 20 };
  await Promise.all(leftovers.map((name) => rm(path.join(parent, name), evenIfInUse)));
}
