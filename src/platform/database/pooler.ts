import pg from 'pg';
import { DomainError } from '../errors/domain-error.js';
import type { Settings } from '../settings/settings.js';
import { dataSourceOptions } from './data-source-options.js';

/** "Prepared statement already exists", or "does not exist". */
const NOT_KEPT = new Set(['42P05', '26000']);

const PROTOCOL_VIOLATION = '08P01';

const STATEMENT = 'pooler-check';
const MARK = 'wholesale.pooled';

/**
 * A pooler in transaction mode gives two clients the same session, one after the other. Throws if the service
 * cannot work with it. Servers without a pooler pass.
 */
export async function checkPooler(settings: Settings, url: string): Promise<void> {
  const { databaseTimeoutMs: timeoutMs, databasePoolSize: poolSize, databaseDirectUrl } = settings;
  const options = dataSourceOptions({ url, poolSize, timeoutMs });
  const open = async () => {
    const client = new pg.Client({ connectionString: options.url, ...options.extra });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const clients: pg.Client[] = [];
  try {
    const one = await open();
    clients.push(one);
    const two = await open();
    clients.push(two);
    // Each client has this name for another text.
    await one.query({ name: STATEMENT, text: 'SELECT 1' });
    await two.query({ name: STATEMENT, text: 'SELECT 2' });
    await one.query('SELECT set_config($1, $2, false)', [MARK, 'yes']);
    const { rows } = await two.query<{ mark: string }>('SELECT current_setting($1, true) AS mark', [MARK]);
    await one.query('SELECT set_config($1, $2, false)', [MARK, '']);
    if (rows[0]!.mark === 'yes' && databaseDirectUrl === undefined) throw unfit(NO_WAY_PAST);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (NOT_KEPT.has(code ?? '')) throw unfit(NOT_NAMED, error);
    if (code === PROTOCOL_VIOLATION && /startup parameter/.test(message))
      throw unfit(`It refuses a setting (${message}). ${IGNORE}`, error);
    throw error;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

const NO_WAY_PAST =
  'It gives each transaction another session. Set DATABASE_DIRECT_URL to the address of PostgreSQL behind ' +
  'it, for what needs a session of its own.';

const NOT_NAMED =
  'It does not keep named statements. Use PgBouncer 1.21 or newer with max_prepared_statements above 0, or ' +
  'pool_mode = session.';

const IGNORE =
  'For PgBouncer: ignore_startup_parameters = extra_float_digits, options, statement_timeout, ' +
  'idle_in_transaction_session_timeout';

function unfit(why: string, cause?: unknown): DomainError {
  return new DomainError('database_unreachable', `The pooler of DATABASE_URL cannot be used. ${why}`, {
    cause,
  });
}
