import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { DataSource, MigrationExecutor, QueryFailedError, type QueryRunner } from 'typeorm';
import { DomainError } from '../errors/domain-error.js';
import { compareMigrations, type MigrationState, refuseNewer } from './check-migrations.js';
import { COMMAND_CONNECT_MS, dataSourceOptions, readMigrations } from './data-source-options.js';

/** An arbitrary number, the same on all nodes. */
const MIGRATION_LOCK = 7_214_001;

/** A migration that waits for a lock lets all later requests wait. So it waits briefly, and retries. */
const LOCK_TIMEOUT = '1s';
const RETRY_AFTER_MS = 5_000;
const MAX_TRIES = 60;
const LOCK_NOT_AVAILABLE = '55P03';

/** The rights of the role are not granted yet. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Migrates the schema. Nodes that start together take turns; later ones find nothing to do. The migrating
 * connection itself holds the lock: when it ends, migration and lock end together.
 */
export async function migrate(url: string): Promise<string[]> {
  const migrations = await readMigrations();
  const dataSource = new DataSource({ ...dataSourceOptions({ url, poolSize: 1 }), migrations });
  await dataSource.initialize();
  try {
    const runner = dataSource.createQueryRunner();
    // Held until the connection closes.
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    refuseNewer(await compareMigrations((sql) => runner.query(sql), namesOf(migrations)));
    const applied = await retryWhileLocked(runner, () => {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      return executor.executePendingMigrations();
    });
    // A restored database has no statistics.
    await runner.query('SELECT analyse_grown()');
    return applied.map(({ name }) => name);
  } catch (error) {
    throw hasCode(error, INSUFFICIENT_PRIVILEGE) ? schemaOutdated(error) : error;
  } finally {
    await dataSource.destroy();
  }
}

function namesOf(migrations: readonly { name: string }[]): string[] {
  return migrations.map(({ name }) => name);
}

/** Repeats the work until it gets its locks. What it has committed stays, so it goes on where it stopped. */
export async function retryWhileLocked<Result>(
  runner: Pick<QueryRunner, 'query'>,
  work: () => Promise<Result>,
  retryAfterMs = RETRY_AFTER_MS,
): Promise<Result> {
  await runner.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
  try {
    for (let tries = 1; ; tries++)
      try {
        return await work();
      } catch (error) {
        if (!hasCode(error, LOCK_NOT_AVAILABLE)) throw error;
        if (tries === MAX_TRIES) throw schemaLocked(error);
        await pause(retryAfterMs);
      }
  } finally {
    await runner.query('RESET lock_timeout').catch(() => undefined);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof QueryFailedError && (error.driverError as { code?: string }).code === code;
}

function schemaLocked(cause: unknown): DomainError {
  return new DomainError(
    'unavailable',
    'Another session uses a table that the migration changes, such as a backup or a report. Run the ' +
      'migration again when it has ended; "SELECT * FROM pg_stat_activity" shows it.',
    { cause },
  );
}

function schemaOutdated(cause?: unknown): DomainError {
  return new DomainError(
    'schema_outdated',
    'The schema of the database is not up to date. Run the command "migrate" as the owner of the tables.',
    { cause },
  );
}

/** Refuses a schema that is not current. A newer one may be allowed, since it serves older versions too. */
export async function checkSchema(url: string, allowNewer: boolean): Promise<void> {
  const state = await migrationState(url);
  if (state.missing.length > 0) throw schemaOutdated();
  if (!allowNewer) refuseNewer(state);
}

/**
 * Migrates the schema for a start. If a newer one is allowed, it stays as it is, and its newer migrations are
 * returned.
 */
export async function prepareSchema(url: string, allowNewer: boolean): Promise<string[]> {
  if (allowNewer) {
    const { missing, newer } = await migrationState(url);
    if (missing.length === 0) return newer;
  }
  await migrate(url);
  return [];
}

/** Without a listener the error of a lost connection would end the process before its query fails. */
function reportedByQuery(): void {}

async function migrationState(url: string): Promise<MigrationState> {
  const known = namesOf(await readMigrations());
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: COMMAND_CONNECT_MS,
    query_timeout: COMMAND_CONNECT_MS,
  });
  client.on('error', reportedByQuery);
  await client.connect();
  try {
    return await compareMigrations(
      async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows,
      known,
    );
  } catch (error) {
    throw (error as { code?: string }).code === INSUFFICIENT_PRIVILEGE ? schemaOutdated(error) : error;
  } finally {
    await client.end();
  }
}

const SERVICE_ROLE = 'wholesale_service';

/** SQL, because TypeORM knows no roles. */
const MAY_GRANT = `
  SELECT FROM pg_roles service JOIN pg_class migrations ON migrations.oid = 'migrations'::regclass
   WHERE service.rolname = $1 AND service.oid <> migrations.relowner
     AND pg_has_role(current_user, migrations.relowner, 'USAGE')`;

/**
 * Grants the role of the service its rights, and gives its name. Does nothing if there is no such role, or if
 * this role does not own the tables.
 */
export async function grantRights(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', reportedByQuery);
  await client.connect();
  try {
    const { rowCount } = await client.query(MAY_GRANT, [SERVICE_ROLE]);
    if (rowCount === 0) return undefined;
    await client.query(await readFile(new URL('service-role.sql', import.meta.url), 'utf8'));
    return SERVICE_ROLE;
  } finally {
    await client.end();
  }
}
