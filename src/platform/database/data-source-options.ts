import type { DataSourceOptions } from 'typeorm';
import { Goods1700000000001 } from './migrations/1700000000001-goods.js';
import { Clients1700000000002 } from './migrations/1700000000002-clients.js';
import { Orders1700000000003 } from './migrations/1700000000003-orders.js';
import { Payments1700000000004 } from './migrations/1700000000004-payments.js';
import { Wallet1700000000005 } from './migrations/1700000000005-wallet.js';
import { People1700000000006 } from './migrations/1700000000006-people.js';
import { Logs1700000000007 } from './migrations/1700000000007-logs.js';
import { ChangeTracking1700000000008 } from './migrations/1700000000008-change-tracking.js';
import { Notices1700000000010 } from './migrations/1700000000010-notices.js';
import { AfterSale1700000000011 } from './migrations/1700000000011-after-sale.js';
import { Packing1700000000012 } from './migrations/1700000000012-packing.js';
import { UpcomingPrices1700000000013 } from './migrations/1700000000013-upcoming-prices.js';
import { Tax1700000000014 } from './migrations/1700000000014-tax.js';
import { Desk1700000000015 } from './migrations/1700000000015-desk.js';
import { SalesSums1700000000016 } from './migrations/1700000000016-sales-sums.js';
import { SeeingAsClient1700000000017 } from './migrations/1700000000017-seeing-as-client.js';
import { Failover1700000000018 } from './migrations/1700000000018-failover.js';
import { SandboxGateway1700000000009 } from './migrations/1700000000009-sandbox-gateway.js';

interface ConnectionSettings {
  url: string;
  poolSize: number;
  /** The time limit of a statement. Migrations and imports have none. */
  timeoutMs?: number;
}

/** How long a command waits for a connection. */
export const COMMAND_CONNECT_MS = 30_000;

/**
 * How long a request waits for a connection: at the usual 2.5 s for a statement, it is answered within five
 * seconds.
 */
const requestConnectMs = (timeoutMs: number) =>
  Math.min(COMMAND_CONNECT_MS, Math.max(2_000, 0.8 * timeoutMs));

/** Connections are replaced after this time. Plans made while tables were empty go with them. */
const CONNECTION_LIFETIME_SECONDS = 900;

/**
 * JIT compiles large statements at every call: 40 of the 50 ms of a page of orders. The URL may override
 * this, since its own options come last.
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
  Notices1700000000010,
  AfterSale1700000000011,
  Packing1700000000012,
  UpcomingPrices1700000000013,
  Tax1700000000014,
  Desk1700000000015,
  SalesSums1700000000016,
  SeeingAsClient1700000000017,
  Failover1700000000018,
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
    connectTimeoutMS: timeoutMs === undefined ? COMMAND_CONNECT_MS : requestConnectMs(timeoutMs),
    extra: {
      keepAlive: true,
      maxLifetimeSeconds: CONNECTION_LIFETIME_SECONDS,
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
