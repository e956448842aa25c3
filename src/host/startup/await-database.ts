import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { DomainError } from '../../platform/errors/domain-error.js';

/** For how long a database that is just starting too is waited for. */
const PATIENCE_SECONDS = 30;
const PAUSE_MS = 500;

/** "The database system is starting up", and "too many connections". */
const NOT_YET = new Set([
  '57P03',
  '53300',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** Returns when the database takes connections. What waiting does not mend, a wrong password say, ends the wait at once. */
export async function awaitDatabase(url: string, tell: (line: string) => void): Promise<void> {
  const deadline = performance.now() + PATIENCE_SECONDS * 1_000;
  for (let attempt = 1; ; attempt++) {
    try {
      return await connectOnce(url);
    } catch (error) {
      if (!isNotYet(error) || performance.now() > deadline) throw unreachable(url, error);
      if (attempt === 1)
        tell(
          `The database does not answer (${reasonOf(error)}); trying again for ${PATIENCE_SECONDS} seconds.`,
        );
      await pause(PAUSE_MS);
    }
  }
}

function unreachable(url: string, cause: unknown): DomainError {
  const { host, pathname } = new URL(url);
  // The address without user and password: this is read in logs.
  const message = `The database ${host}${pathname} of DATABASE_URL cannot be used: ${reasonOf(cause)}`;
  return new DomainError('database_unreachable', message, { cause });
}

async function connectOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // An error after the attempt failed would have no listener any more.
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
}

function isNotYet(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined ? /timeout|terminated/i.test(message ?? '') : NOT_YET.has(code);
}

/** A name that resolves to several addresses fails with one error for each, and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map((each) => (each as Error).message).join(', ');
  return (error as Error).message;
}
