import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { contradictions } from '../support/books.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { runCommand } from '../support/run-command.js';
import { endEverything } from '../support/suite-end.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database.js';
import { askBuild } from './ask-build.js';
import { missingRows } from './states.js';

const RELEASE = '1.0.0';

type Answers = Awaited<ReturnType<typeof askBuild>>;

/** `npm run upgrade:dump` makes both files with the build of the release. */
const readPacked = async (ending: string) =>
  gunzipSync(await readFile(new URL(`${RELEASE}.${ending}.gz`, import.meta.url))).toString();

/** The commands of 1.0.0 had amounts as texts, and empty texts. */
const factsIn = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (_, value: unknown) => {
    if (value === '') return null;
    return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  });

/** Runs SQL in a session of its own, because a dump sets the search path. */
async function runSql(url: string, sql: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

describe(`The data of ${RELEASE}`, () => {
  let database: TestDatabase;
  let test: TestApp;
  let missing: string[];
  let headers: Store['headers'];
  let before: Answers;
  let after: Answers;

  beforeAll(async () => {
    const made = JSON.parse(await readPacked('json')) as { headers: Store['headers']; answers: Answers };
    headers = made.headers;
    before = made.answers;
    database = await createEmptyDatabase();
    await runSql(database.url, await readPacked('sql'));
    const client = new Client(database.url);
    await client.connect();
    missing = await missingRows(client);
    await client.end();
    await migrate(database.url);
    // The owner runs the service: the dump has no rights of the role of these suites.
    test = await startTestApp({}, { ...database, serviceUrl: database.url });
    after = await askBuild({ ...test, headers });
  });
  afterAll(async () => {
    await endEverything();
    await database.drop();
  });

  const asStore = (path: string, body?: object) =>
    fetch(`${test.url}${path}`, {
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });

  it('has rows in every table, and every state of every list', () => {
    expect(missing).toEqual([]);
  });

  it.each(['reports', 'series', 'statuses', 'stock', 'pdfs'] as const)('gives the same %s', (what) => {
    expect(factsIn(after[what])).toEqual(factsIn(before[what]));
  });

  it('is consistent', async () => expect(await contradictions(test.pool)).toEqual([]));

  it('counts as restored: a sync token of before is refused, and the next one works', async () => {
    expect(before.changesSince).toBe(200);
    const answer = await asStore(`/api/stock?since=${before.syncToken}`);
    expect([answer.status, await answer.json()]).toMatchObject([410, { code: 'sync_token_expired' }]);
    expect(after.changesSince).toBe(200);
  });

  it('takes an order, its payment and its invoice, which has the next number', async () => {
    const answer = await asStore('/api/orders', orderBody([{ sku: 'UPGRADE', quantity: 2 }]));
    const { order_number: number } = (await answer.json()) as { order_number: string };
    expect(answer.status).toBe(201);
    const run = async (line: string) => {
      const { exitCode, stderr } = await runCommand(database.url, ...line.split(' '));
      return exitCode === 0 ? 'done' : stderr;
    };
    expect(await run(`order pay ${number} --method upi --reference 1`)).toBe('done');
    const ship = `order ship ${number} --courier Delhivery --tracking-number 77`;
    expect(await run(ship)).toContain('"invoice continue-after"');
    const { rows: last } = await test.pool.query<{ number: string }>(
      `SELECT max(number) AS number FROM tax_documents WHERE kind = 'invoice'`,
    );
    expect(await run(`invoice continue-after ${last[0]!.number} --yes`)).toBe('done');
    expect(await run(ship)).toBe('done');
    const { rows: next } = await test.pool.query<{ number: string }>(
      'SELECT number FROM tax_documents WHERE order_number = $1',
      [number],
    );
    // Numbers begin again in each financial year.
    const [, year, serial] = /^(.*)-(\d+)$/.exec(last[0]!.number)!;
    const [, yearNow, serialNow] = /^(.*)-(\d+)$/.exec(next[0]!.number)!;
    expect(Number(serialNow)).toBe(yearNow === year ? Number(serial) + 1 : 1);
    const status = await asStore(`/api/orders/${number}/status`);
    expect(await status.json()).toMatchObject({ status: 'shipped' });
  });
});
