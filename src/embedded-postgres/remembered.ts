import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { freePort } from './free-port.js';
import { readIfThere, writeAtomically } from './small-file.js';

/** The password of the owner of the service's database. A lost one is replaced: the superuser sets it at each start. */
export async function ownerPassword(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'owner-password');
  return (await readIfThere(file)) || (await makePassword(file));
}

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
  return makePassword(file);
}

async function makePassword(file: string): Promise<string> {
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
