import { Readiness } from '../../src/host/health.controller.js';
import { eventually } from '../support/eventually.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** The name of the question, as it stands in the protocol of PostgreSQL. */
const PING = '\0migrations-done\0';
const ASKERS = 200;

describe('The health of a node', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let test: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await TcpProxy.before(database.serviceUrl);
    // So long it waits for a database that is away: first for the answer, then for each connection.
    test = await startTestApp({ databaseTimeoutMs: 2_000 }, { ...database, serviceUrl: proxy.url });
  });
  afterAll(async () => {
    await test.close();
    await proxy.close();
    await database.drop();
  });

  const ask = async (path = '/health/ready') => {
    const answer = await fetch(`${test.url}${path}`);
    return { status: answer.status, body: (await answer.json()) as unknown };
  };

  it('is asked of the database once for everybody who wants to know it', async () => {
    const pings = proxy.count(PING);
    const answers = await Promise.all(Array.from({ length: ASKERS }, () => ask()));
    for (let n = 0; n < ASKERS; n++) answers.push(await ask());
    for (const answer of answers) expect(answer).toEqual({ status: 200, body: { status: 'ok' } });
    expect(pings.times).toBeGreaterThan(0);
    // Once a second, and this took no minute.
    expect(pings.times).toBeLessThan(60);
  });

  it('is not good while the database is away, and good again when it is back', async () => {
    proxy.freeze();
    await eventually(async () => (await ask()).status === 503);
    expect((await ask()).body).toMatchObject({ code: 'unavailable' });
    expect(await ask('/health/live')).toEqual({ status: 200, body: { status: 'ok' } });
    proxy.thaw();
    await eventually(async () => (await ask()).status === 200);
  });

  it('is over at once when the node is told to stop', async () => {
    await eventually(async () => (await ask()).status === 200);
    test.app.get(Readiness).stop();
    expect((await ask()).status).toBe(503);
  });
});
