import { readdir } from 'node:fs/promises';
import pg from 'pg';
import type { DataSourceOptions, MigrationInterface } from 'typeorm';
import { EntityNames } from './columns-of.js';

type Migration = new () => MigrationInterface;

interface ConnectionSettings {
  url: string;
  poolSize: number;
  /** The time limit of a statement. Migrations and imports have none. */
  timeoutMs?: number;
  /** The number of uses after which a connection ends. */
  maxUses?: number;
}

/** How long a command waits for a connection. */
export const COMMAND_CONNECT_MS = 30_000;

/**
 * How long a request waits for a connection: at the usual 2.5 s for a statement, it is answered within five
 * seconds.
 */
export const requestConnectMs = (timeoutMs: number) =>
  Math.min(COMMAND_CONNECT_MS, Math.max(2_000, 0.8 * timeoutMs));

/** Connections are replaced after this time. Plans made while tables were empty go with them. */
const CONNECTION_LIFETIME_SECONDS = 900;

/**
 * JIT compiles large statements at every call: 40 of the 50 ms of a page of orders. The URL may override
 * this, since its own options come last.
 */
const SESSION_OPTIONS = '-c jit=off';

/** Every file of the folder is a migration. TypeORM sorts them by the numbers of their classes. */
export async function readMigrations(): Promise<Migration[]> {
  const names = await readdir(new URL('migrations', import.meta.url));
  const files = names
    .filter((name) => /^\d+-.*\.[jt]s$/.test(name))
    .map((name) => import(`./migrations/${name}`) as Promise<Record<string, Migration>>);
  return (await Promise.all(files)).flatMap((file) => Object.values(file));
}

export function dataSourceOptions({ url, poolSize, timeoutMs, maxUses }: ConnectionSettings) {
  return {
    type: 'postgres',
    driver: pg,
    url: withSessionOptions(url),
    migrationsTableName: 'migrations',
    synchronize: false,
    // Migrations do. The role of the service may not, and PostgreSQL would log each attempt as an error.
    installExtensions: false,
    namingStrategy: new EntityNames(),
    applicationName: 'wholesale-order-api',
    poolSize,
    connectTimeoutMS: timeoutMs === undefined ? COMMAND_CONNECT_MS : requestConnectMs(timeoutMs),
    extra: {
      keepAlive: true,
      // The usual delay of Linux is two hours.
      keepAliveInitialDelayMillis: 30_000,
      // Node ends the process at an error without a listener. One packet can hold an answer and the error of
      // a lost server. The answer frees the connection, and its next user has no listener yet.
      onConnect: (client: pg.ClientBase) => void client.on('error', () => undefined),
      maxLifetimeSeconds: CONNECTION_LIFETIME_SECONDS,
      ...(maxUses !== undefined && { maxUses }),
      ...(timeoutMs !== undefined && {
        statement_timeout: timeoutMs,
        query_timeout: timeoutMs + 250,
        idle_in_transaction_session_timeout: timeoutMs * 2,
        // Independent statements share a round trip. Imports cannot: COPY needs the connection for itself.
        pipeline: true,
      }),
    },
  } satisfies DataSourceOptions;
}

/** Options go into the URL, because the driver ignores all others if the URL has some. */
function withSessionOptions(url: string): string {
  const whole = new URL(url);
  whole.searchParams.set('options', [SESSION_OPTIONS, ...whole.searchParams.getAll('options')].join(' '));
  return whole.href;
}
