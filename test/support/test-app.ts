import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Pool, QueryResultRow } from 'pg';
import request from 'supertest';
import { createApp } from '../../src/server/create-app.js';
import type {
  CreateOrderRequest,
  OrderItemRequest,
} from '../../src/modules/orders/placing/create-order.request.js';
import { readSettings } from '../../src/platform/settings/settings.js';
import type { Settings } from '../../src/platform/settings/settings.js';
import { SnapshotService } from '../../src/read-model/snapshot/snapshot.service.js';
import { forwardClock, resetClock } from './clock.js';
import { endCommands, serveCommands } from './command-service.js';
import { Fixtures, type Store } from './fixtures.js';
import { makeBeforeAll } from './suite-hooks.js';
import { atSuiteEnd } from './suite-end.js';
import { OpenApiConformance } from './openapi-conformance.js';
import { orderBody } from './order-body.js';
import { hashQuickly } from './quick-scrypt.js';
import { SERVICE_LOG } from './service-log.js';
import './show-unexpected-answers.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { TestPool } from './test-pool.js';
import { stopWorkClock } from './work-clock.js';

/** The real application as in production, on its own port and its own database. */
export interface TestApp {
  app: NestExpressApplication;
  url: string;
  database: TestDatabase;
  /** For direct SQL. */
  pool: Pool;
  /** The rows of a direct query. */
  query<Row extends QueryResultRow>(sql: string, ...values: unknown[]): Promise<Row[]>;
  /**
   * Creates and changes plans, products, stores and orders. The app knows the change when the promise
   * resolves.
   */
  fixtures: Fixtures;
  /** A request with the credentials of a store. Its answer must match the OpenAPI document. */
  get(store: Store, path: string): request.Test;
  post(store: Store, path: string, body?: object | string): request.Test;
  put(store: Store, path: string, body: object): request.Test;
  /** Places an order of these items, or this order, and returns its number. */
  place(store: Store, order: OrderItemRequest[] | CreateOrderRequest): Promise<string>;
  /** Columns of the entries of the audit log that meet this SQL condition, in their order. */
  audited<Row extends QueryResultRow = Record<string, unknown>>(
    columns: string,
    where: string,
    ...values: unknown[]
  ): Promise<Row[]>;
  /** Moves the clock of the service forward. */
  timePasses(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export async function startTestApp(
  overrides: Partial<Settings> = {},
  sharedDatabase?: TestDatabase,
): Promise<TestApp> {
  hashQuickly();
  stopWorkClock();
  const database = sharedDatabase ?? (await createTestDatabase());
  const settings = {
    ...readSettings({}),
    host: '127.0.0.1',
    accessLog: 'off' as const,
    isOnTrial: false,
    databasePoolSize: 8,
    // A busy machine must not cause timeouts.
    databaseTimeoutMs: 20_000,
    // Tests move the clock of the service.
    maxClockSkewSeconds: Infinity,
    ...overrides,
  };
  const app = await createApp(settings, database.serviceUrl, { logger: SERVICE_LOG });
  await app.listen(0, settings.host);
  const url = await app.getUrl();
  for (const each of [database.url, database.serviceUrl]) serveCommands(each, { app, url });
  const pool = new TestPool({ connectionString: database.url, max: 4 });
  const query: TestApp['query'] = async <Row extends QueryResultRow>(sql: string, ...values: unknown[]) =>
    (await pool.query<Row>(sql, values)).rows;
  const fixtures = new Fixtures(pool, () => app.get(SnapshotService).refreshNow());
  // On demand: many suites of pages and commands ask no store's address.
  let conformance: OpenApiConformance | undefined;
  const documented = (test: request.Test) =>
    test.expect(({ status, body }) =>
      (conformance ??= OpenApiConformance.of(app)).check({
        method: test.method,
        path: new URL(test.url).pathname,
        status,
        body,
      }),
    );
  const post: TestApp['post'] = (store, path, body) => {
    const test = documented(request(url).post(path).set(store.headers));
    return body === undefined ? test : test.set('Content-Type', 'application/json').send(body);
  };
  return {
    app,
    url,
    database,
    pool,
    query,
    fixtures,
    get: (store, path) => documented(request(url).get(path).set(store.headers)),
    post,
    put: (store, path, body) => documented(request(url).put(path).set(store.headers)).send(body),
    place: async (store, order) => {
      const body = Array.isArray(order) ? orderBody(order) : order;
      const answer = await untilServed(() => post(store, '/api/orders', body));
      if (answer.status !== 201) throw new Error(`expected 201, got ${answer.status}: ${answer.text}`);
      return (answer.body as { order_number: string }).order_number;
    },
    audited: (columns, where, ...values) =>
      query(`SELECT ${columns} FROM audit_log WHERE ${where} ORDER BY id`, ...values),
    timePasses: async (seconds) => {
      forwardClock(seconds);
      await fixtures.observed();
    },
    close: atSuiteEnd(async () => {
      resetClock();
      for (const each of [database.url, database.serviceUrl]) endCommands(each);
      await app.close();
      await pool.end();
      if (!sharedDatabase) await database.drop();
    }),
  };
}

/** The application of a suite: starts before its first test, and closes after its last. */
export function setUpTestApp(overrides: Partial<Settings> = {}): TestApp {
  return makeBeforeAll(() => startTestApp(overrides));
}

/** Sends again, as stores do, what waited two seconds for its turn on a busy machine and was answered 503. */
export async function untilServed(send: () => request.Test): Promise<request.Response> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
  }
}
