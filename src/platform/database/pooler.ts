import pg from 'pg';
import { DomainError } from '../errors/domain-error.js';
import type { Settings } from '../settings/settings.js';
import { COMMAND_CONNECT_MS, dataSourceOptions } from './data-source-options.js';

/** "Prepared statement already exists", or "does not exist". */
const NOT_KEPT = new Set(['42P05', '26000']);

const PROTOCOL_VIOLATION = '08P01';

/** The name of a statement. SQL, because two bare connections are compared. */
const STATEMENT = 'pooler-check';

/** Throws if the service cannot work with the pooler before the database. Without one it does nothing. */
export async function checkPooler(settings: Settings, url: string): Promise<void> {
  const { databaseTimeoutMs: timeoutMs, databasePoolSize: poolSize, databaseDirectUrl } = settings;
  const options = dataSourceOptions({ url, poolSize, timeoutMs });
  const clients = [1, 2].map(
    () =>
      new pg.Client({
        connectionString: options.url,
        connectionTimeoutMillis: COMMAND_CONNECT_MS,
        ...options.extra,
      }),
  );
  try {
    for (const client of clients) {
      client.on('error', () => undefined);
      await client.connect();
    }
    if (!(await isPooled(clients[0]!))) return;
    if (databaseDirectUrl === undefined) throw unfit(NO_WAY_PAST);
    // Each client has this name for another text.
    for (const [at, client] of [...clients, ...clients].entries())
      await client.query({ name: STATEMENT, text: `SELECT ${at % 2}` });
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const { code, message } = error as { code?: string; message: string };
    if (NOT_KEPT.has(code ?? '')) throw unfit(NOT_NAMED, error);
    if (code === PROTOCOL_VIOLATION && /startup parameter/.test(message))
      throw unfit(`It refuses a setting (${message}). ${IGNORE}`, error);
    throw unfit(message, error);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

/** A pooler has its own number for a client, not that of a session. */
async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid !== (client as pg.Client & { processID: number }).processID;
}

const NO_WAY_PAST =
  'It is a pooler and may give each transaction another session. Set DATABASE_DIRECT_URL to the address of ' +
  'PostgreSQL behind it, or, with pool_mode = session, to the same address.';

const NOT_NAMED =
  'It does not keep named statements. Use PgBouncer 1.21 or newer with max_prepared_statements above 0, or ' +
  'pool_mode = session.';

const IGNORE = 'docs/machines/pgbouncer.ini shows how PgBouncer ignores it and sets it by connect_query.';

function unfit(why: string, cause?: unknown): DomainError {
  return new DomainError(
    'database_unreachable',
    `The way to PostgreSQL in DATABASE_URL cannot be used. ${why}`,
    { cause },
  );
}
