import { resolve } from 'node:path';
import pg from 'pg';
import { hasDatabase } from '../../server/embedded-postgres/cluster.js';
import { attachEmbeddedDatabase } from '../../server/embedded-postgres/embedded-postgres.js';
import { checkSchema, grantRights, migrate, prepareSchema } from '../../platform/database/migrate.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Settings } from '../../platform/settings/settings.js';

export interface CommandDatabase {
  url: string;
  close(): Promise<void>;
}

/** Commands are few and may take long, so they bypass a pooler. */
function urlOf({ databaseUrl, databaseDirectUrl = databaseUrl }: Settings): string | undefined {
  return databaseDirectUrl;
}

/** The database in words: a directory, or host, port and name. */
export function databaseName(settings: Settings): string {
  const url = urlOf(settings);
  if (url === undefined) return resolve(settings.dataDir);
  // The driver accepts more forms than URL.
  const { host, port, database } = new pg.Client({ connectionString: url });
  return `${host}:${port}/${database}`;
}

/**
 * Updates the schema of our own database. The schema of DATABASE_URL belongs to the operator. A missing
 * database is an error: the command probably runs in the wrong directory.
 */
export async function openDatabase(settings: Settings, mayBeNew: boolean): Promise<CommandDatabase> {
  const url = urlOf(settings);
  if (url !== undefined) {
    await withConnectionErrors(settings, checkSchema(url, settings.allowNewerSchema));
    return { url, close: () => Promise.resolve() };
  }
  if (!mayBeNew && !(await hasDatabase(settings.dataDir))) throw noDatabase(settings);
  const embedded = await attachEmbeddedDatabase(settings.dataDir);
  try {
    await prepareSchema(embedded.url, settings.allowNewerSchema);
    return { url: embedded.url, close: () => embedded.detach() };
  } catch (error) {
    await embedded.detach();
    throw error;
  }
}

export interface MigrationResult {
  /** The names of the migrations that ran. */
  applied: string[];
  /** The role that was granted the rights of the service. */
  granted?: string;
}

/** Updates the schema, and the rights of the service's role if there is one. */
export async function migrateDatabase(settings: Settings): Promise<MigrationResult> {
  const url = urlOf(settings);
  if (url !== undefined) {
    const applied = await withConnectionErrors(settings, migrate(url));
    const granted = await withConnectionErrors(settings, grantRights(url));
    return { applied, ...(granted && { granted }) };
  }
  const embedded = await attachEmbeddedDatabase(settings.dataDir);
  try {
    return { applied: await migrate(embedded.url) };
  } finally {
    await embedded.detach();
  }
}

function noDatabase(settings: Settings): DomainError {
  const where = databaseName(settings);
  return new DomainError(
    'no_database',
    `There is no database in ${where}. Run the command in the directory of the service, or set DATA_DIR or ` +
      'DATABASE_URL as for the service. The command "migrate" creates an empty database here.',
  );
}

/** Explains an error of the first connection. The driver's message contains no password. */
async function withConnectionErrors<Result>(
  { databaseDirectUrl }: Settings,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    const why =
      cause instanceof AggregateError ? cause.errors.map(String).join('; ') : (cause as Error).message;
    const name = databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
    throw new DomainError('database_unreachable', `The database of ${name} cannot be used: ${why}`, {
      cause,
    });
  }
}
