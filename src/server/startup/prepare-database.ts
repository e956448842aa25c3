import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { attachEmbeddedDatabase, type EmbeddedDatabase } from '../embedded-postgres/embedded-postgres.js';
import { checkPooler } from '../../platform/database/pooler.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Settings } from '../../platform/settings/settings.js';
import { printLine } from './announce.js';

export interface OpenDatabase {
  url: string;
  /** Set for the embedded database. */
  embedded: EmbeddedDatabase | undefined;
  close(): Promise<void>;
}

/** The database of the settings, or else the embedded one, which only one service uses. */
export async function openDatabase(settings: Settings): Promise<OpenDatabase> {
  const { databaseUrl, databaseDirectUrl, dataDir } = settings;
  if (databaseUrl !== undefined) {
    await awaitDatabase(databaseUrl, 'DATABASE_URL');
    if (databaseDirectUrl !== undefined) await awaitDatabase(databaseDirectUrl, 'DATABASE_DIRECT_URL');
    await checkPooler(settings, databaseUrl);
    return { url: databaseUrl, embedded: undefined, close: () => Promise.resolve() };
  }
  const embedded = await attachEmbeddedDatabase(dataDir, { log: printLine, isService: true });
  return { url: embedded.url, embedded, close: () => embedded.detach() };
}

/** How long the start waits for a database that is starting too. */
const MAX_WAIT_SECONDS = 30;
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

/**
 * Resolves when the database accepts connections. Lasting errors, such as a wrong password, throw at once.
 */
async function awaitDatabase(url: string, name: string): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_SECONDS * 1_000;
  for (let attempt = 1; ; attempt++) {
    try {
      return await connectOnce(url);
    } catch (error) {
      if (!isNotYet(error) || performance.now() > deadline) throw unreachable(name, url, error);
      if (attempt === 1)
        printLine(
          `The database does not answer (${reasonOf(error)}); trying again for ${MAX_WAIT_SECONDS} seconds.`,
        );
      await pause(PAUSE_MS);
    }
  }
}

function unreachable(name: string, url: string, cause: unknown): DomainError {
  const { host, pathname } = new URL(url);
  // Without user and password, because logs show it.
  const message = `The database ${host}${pathname} of ${name} cannot be used: ${reasonOf(cause)}`;
  return new DomainError('database_unreachable', message, { cause });
}

async function connectOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // An error after a failed attempt would have no listener.
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
}

function isNotYet(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined ? /timeout|terminated/i.test(message ?? '') : NOT_YET.has(code);
}

/** A name with several addresses fails with one error for each, and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map((each) => (each as Error).message).join(', ');
  return (error as Error).message;
}
