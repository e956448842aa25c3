import type { DataSourceOptions } from 'typeorm';
import { Schema1700000000000 } from './migrations/1700000000000-schema.js';
import { ChangeTracking1700000000001 } from './migrations/1700000000001-change-tracking.js';
import { Wallet1700000000010 } from './migrations/1700000000010-wallet.js';
import { AutoPay1700000000011 } from './migrations/1700000000011-auto-pay.js';
import { UnpaidLimits1700000000012 } from './migrations/1700000000012-unpaid-limits.js';
import { WhatWasAgreed1700000000013 } from './migrations/1700000000013-what-was-agreed.js';
import { Payments1700000000020 } from './migrations/1700000000020-payments.js';
import { OrderChanges1700000000030 } from './migrations/1700000000030-order-changes.js';
import { Changes1700000000032 } from './migrations/1700000000032-changes.js';
import { OwnTables1700000000040 } from './migrations/1700000000040-own-tables.js';
import { OrdersByPayment1700000000041 } from './migrations/1700000000041-orders-by-payment.js';
import { People1700000000050 } from './migrations/1700000000050-people.js';
import { AuditLog1700000000051 } from './migrations/1700000000051-audit-log.js';
import { Outbox1700000000052 } from './migrations/1700000000052-outbox.js';
import { PersonLinks1700000000053 } from './migrations/1700000000053-person-links.js';
import { StoreRequests1700000000054 } from './migrations/1700000000054-store-requests.js';
import { OwnersTokens1700000000055 } from './migrations/1700000000055-owners-tokens.js';
import { BrowsingOrders1700000000056 } from './migrations/1700000000056-browsing-orders.js';
import { Passbooks1700000000057 } from './migrations/1700000000057-passbooks.js';
import { ClientStandings1700000000058 } from './migrations/1700000000058-client-standings.js';
import { ReleasedAddresses1700000000059 } from './migrations/1700000000059-released-addresses.js';
import { WithdrawnMail1700000000060 } from './migrations/1700000000060-withdrawn-mail.js';
import { OrdersKeyLast1700000000061 } from './migrations/1700000000061-orders-key-last.js';
import { SandboxGateway1700000001000 } from './migrations/1700000001000-sandbox-gateway.js';

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

/** In the order in which they are run. */
const MIGRATIONS = [
  Schema1700000000000,
  ChangeTracking1700000000001,
  Wallet1700000000010,
  AutoPay1700000000011,
  UnpaidLimits1700000000012,
  WhatWasAgreed1700000000013,
  Payments1700000000020,
  OrderChanges1700000000030,
  Changes1700000000032,
  OwnTables1700000000040,
  OrdersByPayment1700000000041,
  People1700000000050,
  AuditLog1700000000051,
  Outbox1700000000052,
  PersonLinks1700000000053,
  StoreRequests1700000000054,
  OwnersTokens1700000000055,
  BrowsingOrders1700000000056,
  Passbooks1700000000057,
  ClientStandings1700000000058,
  ReleasedAddresses1700000000059,
  WithdrawnMail1700000000060,
  OrdersKeyLast1700000000061,
  SandboxGateway1700000001000,
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
