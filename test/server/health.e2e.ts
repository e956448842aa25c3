import { Readiness } from '../../src/server/health.controller.js';
import { VERSION } from '../../src/platform/version.js';
import { eventually } from '../support/eventually.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { watchLog } from '../support/watch-log.js';

/** The name of the prepared statement in the protocol of PostgreSQL. */
const PING = '\0migrations-done\0';
const READERS = 200;

describe('The health of a node', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let test: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await TcpProxy.before(database.serviceUrl);
    // The service waits for an unreachable database this long: first for the answer, then for each
    // connection.
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

  it('takes one query a second for all callers together', async () => {
    const pings = proxy.count(PING);
    const answers = await Promise.all(Array.from({ length: READERS }, () => ask()));
    for (let n = 0; n < READERS; n++) answers.push(await ask());
    for (const answer of answers) expect(answer).toEqual({ status: 200, body: { status: 'ok' } });
    expect(pings.times).toBeGreaterThan(0);
    // The limit is one query a second, and this took less than a minute.
    expect(pings.times).toBeLessThan(60);
  });

  it('is bad while the database is away, and good when it is back', async () => {
    proxy.freeze();
    await eventually(async () => (await ask()).status === 503);
    expect((await ask()).body).toMatchObject({ code: 'unavailable' });
    expect(await ask('/health/serving')).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await ask('/health/live')).toEqual({ status: 200, body: { status: 'ok', version: VERSION } });
    proxy.thaw();
    await eventually(async () => (await ask()).status === 200);
  });

  it('is logged once for each time that the database is away', async () => {
    const log = watchLog();
    const notice = (words: string) => log.filter((message) => message.startsWith(words)).length;
    let faults = 0;
    for (const times of [1, 2]) {
      proxy.freeze();
      await eventually(async () => (await ask()).status === 503);
      proxy.thaw();
      await eventually(async () => (await ask()).status === 200);
      await eventually(async () => (await ask()).status === 200);
      expect(notice('Not ready: ')).toBeGreaterThan(faults);
      faults = notice('Not ready: ');
      expect(notice('The database works again.')).toBe(times);
    }
  });

  it.each([
    [
      'can only be read',
      'ALTER DATABASE $ SET default_transaction_read_only = on',
      'RESET ALL',
      'The database can only be read right now. Please repeat the request.',
    ],
    [
      'does not let it in',
      'ALTER DATABASE $ CONNECTION LIMIT 0',
      'CONNECTION LIMIT -1',
      'The database has no connection left. Please repeat the request.',
    ],
    [
      'has no room for a file',
      'ALTER DATABASE $ SET temp_file_limit = 0',
      'RESET ALL',
      'The database has reached a limit of its settings. Please repeat the request.',
    ],
  ])('is bad while the database %s, and says so', async (_, close, open, message) => {
    const admin = test.pool;
    const { rows } = await admin.query<{ name: string }>('SELECT current_database() AS name');
    await admin.query(close.replace('$', rows[0]!.name));
    proxy.cutAll();
    await eventually(async () => (await ask()).status === 503);
    await eventually(async () => {
      expect((await ask()).body).toMatchObject({ code: 'unavailable', message });
      return true;
    });
    await admin.query(`SET transaction_read_only = off; ALTER DATABASE ${rows[0]!.name} ${open}`);
    proxy.cutAll();
    await eventually(async () => (await ask()).status === 200);
  });

  it('is logged once for each kind of error while the database is away', async () => {
    const log = watchLog();
    const notice = () => log.filter((message) => message.startsWith('Not ready: '));
    await eventually(async () => (await ask()).status === 200);
    await test.pool.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 0', current_database()); END $$`,
    );
    proxy.cutAll();
    const FULL = 'Not ready: The database has no connection left. Please repeat the request.';
    await eventually(async () => (await ask()).status === 503 && notice().includes(FULL));
    proxy.freeze();
    await eventually(async () => (await ask()).status === 503 && notice().at(-1) !== FULL);
    expect(notice().filter((message) => message === FULL)).toHaveLength(1);
    await test.pool.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT -1', current_database()); END $$`,
    );
    proxy.thaw();
    await eventually(async () => (await ask()).status === 200);
  });

  it('is bad as soon as the node starts to stop', async () => {
    await eventually(async () => (await ask()).status === 200);
    test.app.get(Readiness).stop();
    for (const path of ['/health/ready', '/health/serving']) expect((await ask(path)).status).toBe(503);
    expect((await ask('/health/live')).status).toBe(200);
  });
});

describe('A node whose memory is too old for reads', () => {
  it('serves no longer, and again when the database is back', async () => {
    const database = await createTestDatabase();
    const proxy = await TcpProxy.before(database.serviceUrl);
    const test = await startTestApp({ snapshotMaxAgeSeconds: 1 }, { ...database, serviceUrl: proxy.url });
    const serving = async () => (await fetch(`${test.url}/health/serving`)).status;
    await eventually(async () => (await serving()) === 200);
    proxy.freeze();
    await eventually(async () => (await serving()) === 503);
    proxy.thaw();
    await eventually(async () => (await serving()) === 200);
    await test.close();
    await proxy.close();
    await database.drop();
  });
});
