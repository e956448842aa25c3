import { chmod, cp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import type { PostgresAccount } from './postgres-account.js';
import { binariesIn, findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { run } from './run.js';
import { systemDirectory } from './system-directory.js';

/** Binaries that the account can run: the installed ones, or a copy where the account may not enter the checkout. */
export async function reachableBinaries(
  account: PostgresAccount | undefined,
  log: (line: string) => void,
): Promise<PostgresBinaries> {
  const installed = findPostgresBinaries();
  const complaint = await whyNotRunnable(installed, account);
  if (!complaint) return installed;
  const ownComplaint = account ? await whyNotRunnable(installed, undefined) : complaint;
  if (!account || ownComplaint) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL cannot be run: ${ownComplaint} If its libraries are not linked, run \`npm run build\`.`,
    );
  }
  return copiedBinaries(installed, account, log);
}

async function copiedBinaries(
  installed: PostgresBinaries,
  account: PostgresAccount,
  log: (line: string) => void,
): Promise<PostgresBinaries> {
  const directory = await systemDirectory(log);
  const copy = binariesIn(path.join(directory, installed.release), installed.release);
  if (!(await whyNotRunnable(copy, account))) return copy;
  const unfinished = `${copy.root}.copying-${process.pid}`;
  await cp(installed.root, unfinished, { recursive: true, verbatimSymlinks: true });
  await openForReading(unfinished);
  await rename(unfinished, copy.root).catch(async (error: Error) => {
    await rm(unfinished, { recursive: true, force: true });
    // Another start may have put its copy there meanwhile, which is as good.
    if (await whyNotRunnable(copy, account)) throw error;
  });
  const complaint = await whyNotRunnable(copy, account);
  if (complaint)
    throw new EmbeddedDatabaseError(
      `${account.name} cannot run the PostgreSQL in ${copy.root}: ${complaint}`,
    );
  log(
    `The user "${account.name}" may not enter ${installed.root}; PostgreSQL runs from a copy in ${copy.root}.`,
  );
  return copy;
}

/** npm installs under the umask of whoever ran it, which may have closed the files to others. */
async function openForReading(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) await openForReading(file);
    else if (entry.isFile()) await chmod(file, path.basename(directory) === 'bin' ? 0o755 : 0o644);
  }
}

/** Asking the program itself covers the path, the mode, the libraries and whatever else may be in the way. */
async function whyNotRunnable(
  binaries: PostgresBinaries,
  account?: PostgresAccount,
): Promise<string | undefined> {
  const { code, output } = await run(binaries.postgres, ['--version'], account);
  return code === 0 ? undefined : `${binaries.postgres} says: ${output.trim()}.`;
}
