import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import type { PostgresAccount } from './postgres-account.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { run } from './run.js';

export const SUPERUSER = 'wholesale';

export interface NewCluster {
  binaries: PostgresBinaries;
  account: PostgresAccount | undefined;
  /** The data directory to be; its parent exists. */
  directory: string;
  password: string;
  initdbOptions?: string[];
}

/** Code point order, the same on every machine, while `lower()` still knows letters beyond ASCII. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/** An initdb whose supervisor was killed may still be writing, until it notices. */
const EVEN_IF_IN_USE = { recursive: true, force: true, maxRetries: 20 };

/** initdb works beside the directory, which then appears by one rename: an interrupted one leaves no half of a cluster. */
export async function createCluster(cluster: NewCluster): Promise<void> {
  const { binaries, account, directory, password, initdbOptions = [] } = cluster;
  await removeUnfinished(directory);
  const workshop = `${directory}.creating-${process.pid}`;
  const passwordFile = path.join(workshop, 'password');
  const data = path.join(workshop, 'data');
  try {
    await mkdir(workshop, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (account)
      await Promise.all([workshop, passwordFile].map((file) => chown(file, account.uid, account.gid)));
    const { code, output } = await run(
      binaries.initdb,
      [
        `--pgdata=${data}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--no-instructions',
        ...LOCALE,
        ...initdbOptions,
      ],
      account,
    );
    if (code !== 0)
      throw new EmbeddedDatabaseError(`A database could not be created in ${directory}: ${output.trim()}`);
    await moveInto(directory, data);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

async function moveInto(directory: string, data: string): Promise<void> {
  try {
    await rename(data, directory);
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `${directory} holds something else than a database of this service. Move it away, or set DATA_DIR to another place.`,
      { cause },
    );
  }
}

async function removeUnfinished(directory: string): Promise<void> {
  const parent = path.dirname(directory);
  const prefix = `${path.basename(directory)}.creating-`;
  const unfinished = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  await Promise.all(unfinished.map((name) => rm(path.join(parent, name), EVEN_IF_IN_USE)));
}
