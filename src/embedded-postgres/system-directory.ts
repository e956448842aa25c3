import { chmod, lstat, mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { EmbeddedDatabaseError } from './embedded-database-error.js';

const NAME = 'wholesale-order-api';

/** Where things go that another user must be able to enter, when root runs us in a directory closed to others. */
export async function systemDirectory(log: (line: string) => void): Promise<string> {
  try {
    return await openToAll(path.join('/var/lib', NAME));
  } catch (error) {
    const fallback = await openToAll(path.join(os.tmpdir(), NAME));
    log(
      `/var/lib cannot be written (${(error as Error).message}), so ${fallback} is used: mind that it may be cleaned.`,
    );
    return fallback;
  }
}

async function openToAll(directory: string): Promise<string> {
  await mkdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(directory);
  // In a shared place like /tmp somebody else could have made it first, and would own what we run.
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new EmbeddedDatabaseError(`${directory} is not a directory that belongs to this user alone.`);
  }
  // Whatever the umask, which must not close to PostgreSQL's user what is made for it.
  await chmod(directory, 0o755);
  return directory;
}
