import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { isPostmasterOf, readPostmaster } from './postmaster.js';

const PATIENCE = 120_000;

/** Stops a PostgreSQL that runs on in this data directory because its supervisor was killed. */
export async function stopOrphan(directory: string, log: (line: string) => void): Promise<void> {
  const orphan = await readPostmaster(directory);
  if (!orphan || !isAlive(orphan.pid)) return;
  if (!(await isPostmasterOf(orphan.pid, directory))) {
    // Somebody else has that process id by now, and PostgreSQL would take them for a server of this directory. Should one
    // run here after all, PostgreSQL still sees it by its shared memory, and refuses to start.
    await rm(path.join(directory, 'postmaster.pid'), { force: true });
    return;
  }
  log(`Stopping a PostgreSQL (process ${orphan.pid}) that was left running without its supervisor.`);
  process.kill(orphan.pid, 'SIGINT');
  for (const deadline = Date.now() + PATIENCE; await isPostmasterOf(orphan.pid, directory);) {
    if (Date.now() > deadline) {
      throw new EmbeddedDatabaseError(`PostgreSQL (process ${orphan.pid}) in ${directory} does not stop.`);
    }
    await delay(50);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
