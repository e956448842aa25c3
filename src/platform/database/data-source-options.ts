import type { DataSourceOptions } from 'typeorm';
import { ChangeTracking1700000000001 } from './migrations/1700000000001-change-tracking.js';
import { Schema1700000000000 } from './migrations/1700000000000-schema.js';
import { Wallet1700000000010 } from './migrations/1700000000010-wallet.js';
import { AutoPay1700000000011 } from './migrations/1700000000011-auto-pay.js';
import { RefusedItems1700000000031 } from './migrations/1700000000031-refused-items.js';
import { Changes1700000000032 } from './migrations/1700000000032-changes.js';
import { OrderChanges1700000000030 } from './migrations/1700000000030-order-changes.js';

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

export function dataSourceOptions({ url, poolSize, timeoutMs }: ConnectionSettings) {
  return {
    type: 'postgres',
    url,
    migrations: [
      Schema1700000000000,
      ChangeTracking1700000000001,
      Wallet1700000000010,
      AutoPay1700000000011,
      OrderChanges1700000000030,
      RefusedItems1700000000031,
      Changes1700000000032,
    ],
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
