import type { DataSourceOptions } from 'typeorm';
import { Goods1700000000001 } from './migrations/1700000000001-goods.js';
import { Clients1700000000002 } from './migrations/1700000000002-clients.js';
import { Orders1700000000003 } from './migrations/1700000000003-orders.js';
import { Payments1700000000004 } from './migrations/1700000000004-payments.js';
import { Wallet1700000000005 } from './migrations/1700000000005-wallet.js';
import { People1700000000006 } from './migrations/1700000000006-people.js';
import { Logs1700000000007 } from './migrations/1700000000007-logs.js';
import { ChangeTracking1700000000008 } from './migrations/1700000000008-change-tracking.js';
import { SandboxGateway1700000000009 } from './migrations/1700000000009-sandbox-gateway.js';

interface ConnectionSettings {
  url: string;
  poolSize: number;
  /** How long one statement may take; without it there is no limit, as migrations and imports need. */
  timeoutMs?: number;
}

/** How long a request waits for a free or a new connection. Together with the statement timeout it stays below five seconds. */
const CONNECT_TIMEOUT_MS = 2_000;

/** A connection is replaced after this time: with it go plans that were made while the tables were still empty. */
const CONNECTION_LIFETIME_SECONDS = 900;

/**
 * PostgreSQL compiles a statement that it takes for a large one, at every call: of a page of orders that took 40 of 50 ms. The URL may set
 * it otherwise, since its own options come last.
 */
const SESSION_OPTIONS = '-c jit=off';

const MIGRATIONS = [
  Goods1700000000001,
  Clients1700000000002,
  Orders1700000000003,
  Payments1700000000004,
  Wallet1700000000005,
  People1700000000006,
  Logs1700000000007,
  ChangeTracking1700000000008,
  SandboxGateway1700000000009,
];

export function dataSourceOptions({ url, poolSize, timeoutMs }: ConnectionSettings) {
  return {
    type: 'postgres',
    url: withSessionOptions(url),
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    synchronize: false,
    applicationName: 'wholesale-order-api',
    poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: {
      keepAlive: true,
      maxLifetimeSeconds: CONNECTION_LIFETIME_SECONDS,
      ...(timeoutMs !== undefined && {
        statement_timeout: timeoutMs,
        query_timeout: timeoutMs + 250,
        idle_in_transaction_session_timeout: timeoutMs * 2,
        // Statements that do not wait for one another travel together. Imports cannot: their COPY has the connection to itself.
        pipeline: true,
      }),
    },
  } satisfies DataSourceOptions;
}

/** In the URL, because the driver takes options from there and then overlooks all others. */
function withSessionOptions(url: string): string {
  const whole = new URL(url);
  whole.searchParams.set('options', [SESSION_OPTIONS, ...whole.searchParams.getAll('options')].join(' '));
  return whole.href;
}
