import { chown, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Pool } from 'pg';
import { postgresAccount, run } from '../../src/server/embedded-postgres/programs.js';
import { contradictions } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import { Fixtures, type Store } from '../support/fixtures.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { orderBody } from '../support/order-body.js';
import { printFigures } from '../support/print-figures.js';
import { ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { TestPool } from '../support/test-pool.js';

const FULL = 'The disk of the database is full';

/** A small disk of its own for the database. A container often forbids it, even to root. */
describe('While the disk of the database is full the service', () => {
  let directory: string;
  let hasDisk: boolean;
  let database: TestDatabase;
  let pool: Pool;
  let service: ServiceProcess;
  let store: Store;
  let sku: string;

  const tablespace = `small_${process.pid}`;
  const onServer = async (...statements: string[]) => {
    const admin = new TestPool({
      connectionString: Object.assign(new URL(database.url), { pathname: '/postgres' }).href,
    });
    for (const statement of statements) await admin.query(statement);
    await admin.end();
  };

  beforeAll(async () => {
    directory = await makeOpenDirectory('full-disk-');
    hasDisk = (await run('mount', ['-t', 'tmpfs', '-o', 'size=96m,mode=755', 'tmpfs', directory])).code === 0;
    if (!hasDisk) return;
    const account = await postgresAccount();
    if (account) await chown(directory, account.uid, account.gid);
    database = await createTestDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await onServer(
      `CREATE TABLESPACE ${tablespace} LOCATION '${directory}'`,
      `ALTER DATABASE ${name} SET TABLESPACE ${tablespace}`,
    );
    pool = new TestPool({ connectionString: database.url });
    const fixtures = new Fixtures(pool, () => Promise.resolve());
    store = await fixtures.store();
    ({ sku } = await fixtures.product({ stock: 100_000 }));
    service = await ServiceProcess.start({ DATABASE_URL: database.serviceUrl });
  });

  afterAll(async () => {
    await ServiceProcess.killAll();
    if (hasDisk) {
      await pool.end();
      await database.drop();
      await onServer(`DROP TABLESPACE ${tablespace}`);
      await run('umount', [directory]);
    }
    await rm(directory, { recursive: true });
  });

  const call = async (address: string, init: RequestInit = {}) => {
    const headers = { ...store.headers, 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.url}${address}`, { ...init, headers });
    return { status: answer.status, body: (await answer.json()) as { code?: string; message?: string } };
  };
  const order = () =>
    call('/api/orders', { method: 'POST', body: JSON.stringify(orderBody([{ sku, quantity: 1 }])) });
  const ready = () => call('/health/ready');

  it('says so, is not ready, serves reads, and goes on when there is room', async () => {
    if (!hasDisk) return printFigures('full disk', { skipped: 'only root can mount a small disk' });
    await eventually(async () => (await order()).status === 201);
    await eventually(async () => (await ready()).status === 200);
    const filler = path.join(directory, 'filler');
    const filled = await run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=8k']);
    expect(filled.output).toContain('No space left');

    // Before an order finds out.
    await eventually(async () => (await ready()).status === 503);
    expect((await ready()).body).toMatchObject({
      code: 'unavailable',
      message: `${FULL}. Please repeat the request.`,
    });
    // Pages of the tables may have room for some orders.
    const refused = await eventually(async () => {
      const answer = await order();
      return answer.status === 201 ? undefined : answer;
    });
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: expect.stringContaining(FULL) },
    });
    expect((await call('/health/serving')).status).toBe(200);
    expect((await call(`/api/products/${sku}`)).status).toBe(200);
    expect(service.output).toContain(`"message":"Not ready: ${FULL}. Please repeat the request."`);
    expect(service.output).toContain(`"reason":"${FULL}"`);

    await rm(filler);
    await eventually(async () => (await ready()).status === 200);
    await eventually(async () => (await order()).status === 201);
    expect(await contradictions(pool)).toEqual([]);
  });
});
