import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Pool } from 'pg';
import request from 'supertest';
import { createApp } from '../../src/host/create-app.js';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import type { Settings } from '../../src/platform/settings/settings.js';
import { SnapshotService } from '../../src/read-model/snapshot/snapshot.service.js';
import { forwardClock, resetClock } from './clock.js';
import { Fixtures, type Store } from './fixtures.js';
import { inTheEnd } from './in-the-end.js';
import { OpenApiConformance } from './openapi-conformance.js';
import './show-unexpected-answers.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { TestPool } from './test-pool.js';

/** The real application, set up as in production, listening on a port of its own, on a database of its own. */
export interface TestApp {
  app: NestExpressApplication;
  url: string;
  database: TestDatabase;
  /** For SQL by hand. */
  pool: Pool;
  /** Makes and changes plans, products, stores and orders in one line each; the app knows of it when the promise resolves. */
  fixtures: Fixtures;
  /** A request with a store's credentials, whose answer must be as the OpenAPI document says. */
  get(store: Store, path: string): request.Test;
  post(store: Store, path: string, body?: object | string): request.Test;
  /** So many seconds pass, as far as the service can tell. */
  timePasses(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export async function startTestApp(
  overrides: Partial<Settings> = {},
  sharedDatabase?: TestDatabase,
): Promise<TestApp> {
  const database = sharedDatabase ?? (await createTestDatabase());
  const settings = {
    ...readSettings({}),
    host: '127.0.0.1',
    snapshotIntervalMs: 50,
    accessLog: 'off' as const,
    databasePoolSize: 8,
    // That the machine is busy with other suites is no fault.
    databaseTimeoutMs: 20_000,
    ...overrides,
  };
  const app = await createApp(settings, database.serviceUrl, { logger: false });
  await app.listen(0, settings.host);
  const url = await app.getUrl();
  const pool = new TestPool({ connectionString: database.url, max: 4 });
  const fixtures = new Fixtures(pool, () => app.get(SnapshotService).refreshNow());
  const conformance = OpenApiConformance.of(app);
  const documented = (test: request.Test) =>
    test.expect(({ status, body }) =>
      conformance.check({ method: test.method, path: new URL(test.url).pathname, status, body }),
    );
  return {
    app,
    url,
    database,
    pool,
    fixtures,
    get: (store, path) => documented(request(url).get(path).set(store.headers)),
    post: (store, path, body) => {
      const post = documented(request(url).post(path).set(store.headers));
      return body === undefined ? post : post.set('Content-Type', 'application/json').send(body);
    },
    timePasses: async (seconds) => {
      forwardClock(seconds);
      await fixtures.seen();
    },
    close: inTheEnd(async () => {
      resetClock();
      await app.close();
      await pool.end();
      if (!sharedDatabase) await database.drop();
    }),
  };
}
