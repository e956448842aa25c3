import pg from 'pg';
import { dataSourceOptions } from '../../platform/database/data-source-options.js';
import { attachEmbeddedDatabase } from '../../embedded-postgres/embedded-postgres.js';
import { migrate } from '../../platform/database/migrate.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Settings } from '../../platform/settings/settings.js';

export interface CommandDatabase {
  url: string;
  close(): Promise<void>;
}

const UNDEFINED_TABLE = '42P01';

/** The database of the settings, whose schema is the operator's business, or else our own, which is always kept up to date. */
export async function openDatabase(settings: Settings): Promise<CommandDatabase> {
  if (settings.databaseUrl === undefined) return openEmbedded(settings);
  await checkSchema(settings.databaseUrl);
  return { url: settings.databaseUrl, close: () => Promise.resolve() };
}

/** Brings the schema up to date and names the migrations that had to be run. */
export async function migrateDatabase(settings: Settings): Promise<string[]> {
  if (settings.databaseUrl !== undefined) return reaching(migrate(settings.databaseUrl));
  const embedded = await attachEmbeddedDatabase(settings.dataDir);
  try {
    return await migrate(embedded.url);
  } finally {
    await embedded.detach();
  }
}

async function openEmbedded({ dataDir }: Settings): Promise<CommandDatabase> {
  const embedded = await attachEmbeddedDatabase(dataDir);
  try {
    await migrate(embedded.url);
    return { url: embedded.url, close: () => embedded.detach() };
  } catch (error) {
    await embedded.detach();
    throw error;
  }
}

async function checkSchema(url: string): Promise<void> {
  const done = new Set(await reaching(migrationsDone(url)));
  const { migrations } = dataSourceOptions({ url, poolSize: 1 });
  if (migrations.some(({ name }) => !done.has(name))) {
    throw new DomainError(
      'schema_outdated',
      'The schema of the database is not up to date. Run the command "migrate" first.',
    );
  }
}

async function migrationsDone(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    return rows.map(({ name }) => name);
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
    throw error;
  } finally {
    await client.end();
  }
}

/** The first to talk to the database is the one who finds it away. The driver's message names no password. */
async function reaching<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    const why =
      cause instanceof AggregateError ? cause.errors.map(String).join('; ') : (cause as Error).message;
    throw new DomainError('database_unreachable', `The database of DATABASE_URL cannot be used: ${why}`, {
      cause,
    });
  }
}
