import { Client } from 'pg';
import { DomainError } from '../../platform/errors/domain-error.js';

/** Held for as long as a service uses an embedded database. PostgreSQL lets go of it when the process dies, however it dies. */
const SERVICE_LOCK = 7_214_002;

export async function lockService(url: string, dataDir: string): Promise<{ release(): Promise<void> }> {
  const client = new Client({ connectionString: url, keepAlive: true });
  // When the database is killed the lock is gone with it, and so is every other service that could have wanted it.
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    SERVICE_LOCK,
  ]);
  if (!rows[0]?.locked) {
    await client.end();
    throw new DomainError(
      'already_served',
      `Another service is already running on ${dataDir}. Stop it first, or set DATA_DIR (and PORT) to run a second one.`,
    );
  }
  return { release: () => client.end() };
}
