import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { canEnter, type PostgresAccount } from './postgres-account.js';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { readIfThere, writeAtomically } from './small-file.js';
import { systemDirectory } from './system-directory.js';

/** In DATA_DIR: where the database is instead, if it is not there. */
const ELSEWHERE = 'postgres-location';
/** Beside a database that is elsewhere: the DATA_DIR it belongs to. */
const OWNER = 'belongs-to';

/**
 * PostgreSQL's data directory for a DATA_DIR: a folder in it, unless root runs us in a place that PostgreSQL's user may
 * not enter. The two notes keep a database that is elsewhere and its DATA_DIR together: a renamed DATA_DIR keeps its
 * database, a copied one must not share it with the original.
 */
export async function locateData(
  dataDir: string,
  account: PostgresAccount | undefined,
  log: (line: string) => void,
): Promise<string> {
  const inside = path.join(dataDir, 'postgres');
  let home = await readIfThere(path.join(dataDir, ELSEWHERE));
  if (home) {
    await checkOwner(home, dataDir);
  } else {
    if (await canEnter(dataDir, account)) return inside;
    home = await makeHome(dataDir, log);
  }
  const data = path.join(home, 'postgres');
  // Restored or moved to where PostgreSQL's user may not enter, or a move that was interrupted.
  if (!existsSync(data) && existsSync(inside)) await move(inside, data);
  log(`DATA_DIR is closed to the user that PostgreSQL runs as; the data is in ${data}.`);
  return data;
}

/** Whether there is a database for a DATA_DIR, here or elsewhere. What cannot be looked into may hold one. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  const signs = [path.join(dataDir, 'postgres', 'PG_VERSION'), path.join(dataDir, ELSEWHERE)];
  return (await Promise.all(signs.map(mayExist))).includes(true);
}

async function mayExist(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

async function makeHome(dataDir: string, log: (line: string) => void): Promise<string> {
  // Not named after the path alone: there may be data of an earlier DATA_DIR of that name, which nobody may inherit.
  const name = `${path.basename(dataDir).replace(/^\.+/, '')}-${randomBytes(4).toString('hex')}`;
  const home = path.join(await systemDirectory(log), name);
  await mkdir(home);
  // Whatever the umask: PostgreSQL's user goes through here.
  await chmod(home, 0o755);
  await writeAtomically(path.join(home, OWNER), `${dataDir}\n`, 0o600);
  await writeAtomically(path.join(dataDir, ELSEWHERE), `${home}\n`, 0o600);
  return home;
}

async function checkOwner(home: string, dataDir: string): Promise<void> {
  const owner = await readIfThere(path.join(home, OWNER));
  if (owner === dataDir) return;
  if (owner === undefined) {
    throw new EmbeddedDatabaseError(
      `The database of ${dataDir} was in ${home}, and is not there any more. Restore that directory too, ` +
        `or remove the file ${ELSEWHERE} from ${dataDir} to begin with an empty database.`,
    );
  }
  if ((await readIfThere(path.join(owner, ELSEWHERE))) === home) {
    throw new EmbeddedDatabaseError(
      `${dataDir} is a copy of ${owner}, whose database is in ${home} and not in the copy. To use a copy of the ` +
        `database, copy ${home}/postgres to ${dataDir}/postgres and remove the file ${ELSEWHERE} from ${dataDir}.`,
    );
  }
  await writeAtomically(path.join(home, OWNER), `${dataDir}\n`, 0o600);
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const unfinished = `${to}.moving`;
    await rm(unfinished, { recursive: true, force: true });
    await cp(from, unfinished, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await rename(unfinished, to);
    await rm(from, { recursive: true });
  }
}
