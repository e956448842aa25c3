import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { freePort } from './free-port.js';
import { readIfThere, writeAtomically } from './small-file.js';

/** The superuser's password, made before the database, which takes it over when it is created. */
export async function passwordFor(dataDir: string, databaseExists: boolean): Promise<string> {
  const file = path.join(dataDir, 'postgres-password');
  const kept = await readIfThere(file);
  if (kept) return kept;
  if (databaseExists) {
    throw new EmbeddedDatabaseError(
      `The file ${file} is missing, and the database cannot be used without it: restore it.`,
    );
  }
  const password = randomBytes(24).toString('base64url');
  await writeAtomically(file, password, 0o600);
  return password;
}

/** The port of last time if it is free, so that tools keep finding the database. */
export async function choosePort(dataDir: string): Promise<number> {
  const file = path.join(dataDir, 'postgres-port');
  const port = await freePort(Number(await readIfThere(file)) || undefined);
  await writeAtomically(file, String(port), 0o644);
  return port;
}
