import { eventually } from '../support/eventually.js';
import { SnapshotService } from '../../src/read-model/snapshot/snapshot.service.js';
import { readSyncToken, writeSyncToken } from '../../src/read-model/synced-lists/sync-token.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

const LISTS = ['/api/products', '/api/stock', '/api/orders'];

describe('When another server has taken over the database, a sync token', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;

  beforeAll(async () => {
    ({ sku } = await test.fixtures.product({ stock: 1_000 }));
    await order();
  });

  const order = () => test.place(store, [{ sku, quantity: 1 }]);

  const tokens = async () =>
    Promise.all(
      LISTS.map(async (path) => {
        const { body } = await test.get(store, path).expect(200);
        return [path, (body as { sync_token: string }).sync_token] as const;
      }),
    );

  const since = ([path, token]: readonly [string, string]) => test.get(store, `${path}?since=${token}`);

  const proof = async () =>
    (
      await test.pool.query<{ below: number; next: number }>(
        `SELECT seen_below::float8 AS below, pg_snapshot_xmax(pg_current_snapshot())::text::float8 AS next
         FROM history`,
      )
    ).rows[0]!;

  /** Waits until a node has written down that all that happened so far has ended. */
  async function proven(): Promise<void> {
    const { next } = await proof();
    await eventually(async () => {
      await test.pool.query('SELECT pg_current_xact_id()');
      return (await proof()).below >= next;
    });
  }

  /** The proof of what happened since is lost with the old server. Its connections end. */
  async function takeOver(visibleBelow: number, system?: string): Promise<void> {
    const [previousSystem, timeline, database] = (await server()).split('/');
    await test.pool.query(`
      UPDATE history SET seen_below = ${visibleBelow};
      CREATE OR REPLACE FUNCTION this_server() RETURNS text LANGUAGE sql STABLE
        AS $$ SELECT '${system ?? previousSystem}/${Number(timeline) + 1}/${database}' $$;`);
    await reconnect();
  }

  const server = async () =>
    (await test.pool.query<{ server: string }>('SELECT this_server() AS server')).rows[0]!.server;

  async function reconnect(): Promise<void> {
    await test.pool.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'wholesale-order-api snapshot'`,
    );
    await eventually(() =>
      test.app
        .get(SnapshotService, { strict: false })
        .refreshNow()
        .then(() => true),
    );
  }

  const codeOf = async (answer: ReturnType<typeof since>) => (await answer.expect(410)).body as object;

  it('goes on with all that changed since, on every list', async () => {
    const known = await tokens();
    await proven();
    const { below } = await proof();
    const number = await order();
    await takeOver(below);
    const [products, stock, orders] = await Promise.all(
      known.map(async (token) => ((await since(token).expect(200)).body as { data: object[] }).data),
    );
    expect(products).toMatchObject([{ sku }]);
    expect(stock).toMatchObject([{ sku }]);
    expect(orders).toMatchObject([{ order_number: number }]);
  });

  it('goes on over two of them', async () => {
    const known = await tokens();
    for (const _ of [1, 2]) {
      await proven();
      await takeOver((await proof()).below);
      for (const token of await tokens()) await since(token).expect(200);
    }
    for (const token of known) await since(token).expect(200);
  });

  it('gets 410 if its store may know what was lost, and the next one goes on', async () => {
    await proven();
    const { below } = await proof();
    await order();
    const ahead = await tokens();
    await takeOver(below);
    for (const token of ahead)
      expect(await codeOf(since(token))).toMatchObject({ code: 'sync_token_expired' });
    for (const token of await tokens()) await since(token).expect(200);
  });

  it('gets 410 on another system, whose transactions have other numbers', async () => {
    const known = await tokens();
    await proven();
    await takeOver((await proof()).below, '1');
    for (const token of known) await since(token).expect(410);
    expect((await test.pool.query('SELECT FROM past_histories JOIN history USING (epoch)')).rowCount).toBe(0);
  });

  it('gets 410 after a restored dump, even if a past history would go on', async () => {
    const known = await tokens();
    await proven();
    await takeOver((await proof()).below);
    for (const token of await tokens()) await since(token).expect(200);
    await test.pool.query('UPDATE history SET table_oid = 1');
    await reconnect();
    for (const token of known) await since(token).expect(410);
    const later = await tokens();
    const number = await order();
    const orders = (await since(later[2]!).expect(200)).body as { data: object[] };
    expect(orders.data).toMatchObject([{ order_number: number }]);
  });
});

describe('When the database was put back without the service, a sync token of the lost time', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());

  const identity = async () =>
    (await test.pool.query<{ identity: string }>('SELECT identity FROM history_identity()')).rows[0]!
      .identity;

  /** The token of a later time, as a node of the history would have written it. */
  const ahead = async (path: string, key: string) => {
    const { body } = await test.get(store, path).expect(200);
    const token = readSyncToken((body as { sync_token: string }).sync_token)!;
    return `${path}?since=${writeSyncToken({ ...token, watermark: 2 ** 40, highestVersion: 2 ** 40 }, key)}`;
  };

  beforeAll(async () => {
    await test.fixtures.product({ stock: 10 });
  });

  it.each(LISTS)('of %s gets 410 and begins a new history', async (path) => {
    const before = await identity();
    const { body } = await test.get(store, path).expect(200);
    await test.get(store, await ahead(path, before)).expect(410);
    expect(await identity()).not.toBe(before);
    // A token of the time before, too: its stamps may come again.
    await test.get(store, `${path}?since=${(body as { sync_token: string }).sync_token}`).expect(410);
    const next = (await test.get(store, path).expect(200)).body as { sync_token: string };
    await test.get(store, `${path}?since=${next.sync_token}`).expect(200);
  });

  it.each(LISTS)('of %s that a store made up begins none', async (path) => {
    const before = await identity();
    await test.get(store, await ahead(path, before.slice(0, 12))).expect(410);
    expect(await identity()).toBe(before);
  });
});
