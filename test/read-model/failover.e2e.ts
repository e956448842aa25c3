import { randomUUID } from 'node:crypto';
import { ClientTokensService } from '../../src/modules/auth/tokens/client-tokens.service.js';
import { OrderExpiryService } from '../../src/modules/orders/lifecycle/order-expiry.service.js';
import { ScheduledPricesJob } from '../../src/modules/plans/scheduled-prices-job.service.js';
import { SnapshotConnection } from '../../src/read-model/snapshot/snapshot-connection.js';
import { SnapshotService } from '../../src/read-model/snapshot/snapshot.service.js';
import { readSyncToken, writeSyncToken } from '../../src/read-model/synced-lists/sync-token.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { readable } from '../support/page-text.js';
import { signIn } from '../support/sign-in.js';
import { endEverything } from '../support/suite-end.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp, startTestApp, type TestApp } from '../support/test-app.js';

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

  /** The connections to the old server end. */
  async function takeOver(system?: string): Promise<void> {
    const [previousSystem, timeline, database] = (await server()).split('/');
    await test.pool.query(`
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

  it.each<[string, () => Promise<unknown>]>([
    ['on another timeline', () => takeOver()],
    ['on another system', () => takeOver('1')],
    ['after a restored dump', () => test.pool.query('UPDATE history SET table_oid = 1').then(reconnect)],
  ])('gets 410 %s, even if nothing was lost, and the next one brings what follows', async (_, happen) => {
    const known = await tokens();
    for (const token of known) await since(token).expect(200);
    await happen();
    for (const token of known)
      expect((await since(token).expect(410)).body).toMatchObject({ code: 'sync_token_expired' });
    const next = await tokens();
    const number = await order();
    await test.fixtures.observed();
    const [products, stock, orders] = await Promise.all(
      next.map(async (token) => ((await since(token).expect(200)).body as { data: object[] }).data),
    );
    expect([products, stock]).toMatchObject([[{ sku }], [{ sku }]]);
    expect(orders).toMatchObject([{ order_number: number }]);
  });

  afterAll(endEverything);
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

  beforeAll(() => test.fixtures.product({ stock: 10 }));

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

  afterAll(endEverything);
});

describe('A node that does not poll for changes', () => {
  const test = setUpTestApp({ snapshotIntervalMs: 3_600_000 });
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;

  beforeEach(async () => ({ sku } = await test.fixtures.product({ stock: 10 })));

  const sellable = async () =>
    (await test.get(store, `/api/products/${sku}/stock`).expect(200)).body.stock_qty as number;

  const place = (quantity: number) => test.place(store, [{ sku, quantity }]);

  it.each([
    ['a failover', '1 minute', false],
    ['a recovery to a point in time', '3 minutes', true],
  ])('holds documents after %s, if no node was seen for %s: %s', async (_, silence, isHeld) => {
    await test.pool.query(`
      UPDATE history SET restored_at = NULL, proven_at = now() - interval '${silence}',
             server = regexp_replace(server, '/[0-9]+/', '/0/')`);
    const starting = new SnapshotConnection(test.database.serviceUrl);
    await starting.beginGenerationIfForeign(true);
    starting.close();
    const { rows } = await test.pool.query('SELECT restored_at IS NOT NULL AS held FROM history');
    expect(rows).toEqual([{ held: isHeld }]);
  });

  it('does not show changes of others', async () => {
    await test.pool.query(
      'UPDATE stock_items SET on_hand = 3 WHERE product_id = (SELECT id FROM products WHERE sku = $1)',
      [sku],
    );
    expect(await sellable()).toBe(10);
    await test.fixtures.observed();
    expect(await sellable()).toBe(3);
  });

  it('lets each read of the client wait, in the API and in the dashboard, and no other client', async () => {
    const snapshot = test.app.get(SnapshotService);
    const owner = await signIn(test, store.clientId);
    const neighbour = await signIn(test, (await test.fixtures.store({ planId: store.planId })).clientId);
    const available = async ({ get }: typeof owner) =>
      /Available (\d+)/.exec(readable((await get(`/dashboard/catalog/${sku}`).expect(200)).text))?.[1];
    const { pendingRefreshOf } = snapshot;
    snapshot.pendingRefreshOf = (clientId) =>
      clientId === store.clientId ? snapshot.refreshNow() : undefined;
    try {
      for (const [onHand, read] of [
        [7, () => available(owner)],
        [6, sellable],
      ] as const) {
        await test.pool.query(
          'UPDATE stock_items SET on_hand = $2 WHERE product_id = (SELECT id FROM products WHERE sku = $1)',
          [sku, onHand],
        );
        expect(await available(neighbour)).toBe(String(onHand === 7 ? 10 : 7));
        expect(String(await read())).toBe(String(onHand));
      }
    } finally {
      snapshot.pendingRefreshOf = pendingRefreshOf;
    }
  });

  it('shows the stock that its own orders hold, as soon as they are answered', async () => {
    await place(3);
    expect(await sellable()).toBe(7);
    const answers = await Promise.all(
      [1, 1, 1].map(async (quantity) => {
        await place(quantity);
        return sellable();
      }),
    );
    expect(Math.min(...answers)).toBe(4);
    expect(await sellable()).toBe(4);
  });

  it('shows the stock that a cancelled order releases, as soon as it is answered', async () => {
    const number = await place(10);
    expect(await sellable()).toBe(0);
    await test.post(store, `/api/orders/${number}/cancel`).expect(200);
    expect(await sellable()).toBe(10);
  });

  it('shows the stock that an order releases when it is cancelled in the dashboard', async () => {
    const owner = await signIn(test, store.clientId);
    const number = await place(10);
    await owner.post(`/dashboard/orders/${number}/cancel`).expect(303);
    expect(await sellable()).toBe(10);
  });

  it('knows a new token at once, and refuses it at once after its revocation', async () => {
    const owner = await signIn(test, store.clientId);
    const tokens = test.app.get(ClientTokensService, { strict: false });
    const { token_id: tokenId, token } = await tokens.create(owner.person, {
      name: 'Shop',
      domain: store.domain,
      key: randomUUID(),
    });
    const headers = { Authorization: `Bearer ${token}`, 'X-Client-Domain': store.domain };
    const status = async () => (await fetch(`${test.url}/api/account`, { headers })).status;
    expect(await status()).toBe(200);
    await tokens.revoke(owner.person, tokenId);
    expect(await status()).toBe(401);
  });

  it('shows the stock that expired orders release after the next refresh', async () => {
    const number = await place(10);
    await test.fixtures.age(72, number);
    await test.app.get(OrderExpiryService).run();
    await test.fixtures.observed();
    expect(await sellable()).toBe(10);
  });

  afterAll(endEverything);
});

const SHIRT = [{ name: 'Size', values: ['S', 'M'] }];

/** Products that were changed in every way: A to D stay on sale. */
const SKUS = ['A', 'B', 'C', 'C-NEW', 'D', 'HIDDEN', 'DRAFT', 'GONE'];

/** Any other transaction, such as one of autovacuum, holds back the horizon of a node that reads during it. */
function withTokenRead(body: string): string {
  return body.replace(/(?<="sync_token":")[^"]+/, (token) => {
    const { watermark, ...known } = readSyncToken(token)!;
    expect(watermark).toBeLessThanOrEqual(known.highestVersion + 1);
    return JSON.stringify(known);
  });
}

describe('A node that starts with existing data', () => {
  const running = setUpTestApp();
  let stores: Store[];
  let tokens: Map<string, string>;

  beforeAll(async () => {
    const { fixtures } = running;
    const [gold, silver] = [await fixtures.plan({ discount: '10' }), await fixtures.plan({ discount: '5' })];
    stores = [
      await fixtures.store({ planId: gold.id }),
      await fixtures.store({ planId: silver.id }),
      await fixtures.store({ planId: gold.id, from: 5 }),
      await fixtures.store({ planId: gold.id, from: -9, until: -2 }),
      await fixtures.store({ until: null }),
      await fixtures.store({ name: 'Suspended' }),
      await fixtures.store({ name: 'Revoked' }),
    ];
    const [first, second, , , , suspended, revoked] = stores as Required<typeof stores>;
    await fixtures.products(
      ['A', 'B', 'C', 'HIDDEN', 'GONE'].map((sku) => ({ sku, basePrice: '100', category: `Of ${sku}` })),
    );
    await fixtures.product({ sku: 'D', variations: SHIRT, stock: { 'Size:S': 2, 'Size:M': 3 } });
    await fixtures.product({ sku: 'DRAFT', active: false });
    tokens = new Map();
    for (const store of [first!, second!])
      for (const path of ['/api/products', '/api/stock'])
        tokens.set(`${store.planId}${path}`, (await running.get(store, path)).body.sync_token as string);
    await fixtures.fixedPrice(gold.id, 'A', '70');
    await fixtures.fixedPrice(gold.id, 'B', '60');
    await fixtures.fixedPrice(gold.id, 'B', null);
    await fixtures.fixedPrice(silver.id, 'GONE', '50');
    await fixtures.fixedPrice(silver.id, 'D', '12.34');
    await fixtures.discount(silver.id, '7.5');
    await fixtures.changeProduct('C', { sku: 'C-NEW', name: 'Renamed' });
    await fixtures.changeProduct('HIDDEN', { active: false });
    await fixtures.removeProducts('GONE');
    await fixtures.subscription(first!.clientId, silver.id, 40, 50);
    await fixtures.suspend(suspended!.clientId);
    await fixtures.revoke(revoked!.tokenId);
    await fixtures.sql(`UPDATE tokens SET ends_at = now() + interval '1 day' WHERE id = $1`, [
      second!.tokenId,
    ]);
    // One change of prices runs, another waits.
    await fixtures.sql(
      `WITH made AS (
         INSERT INTO price_schedules (actor, from_at, to_at)
         VALUES ('asha', now() - interval '1 hour', now() + interval '1 hour'),
                ('asha', now() + interval '2 hours', NULL) RETURNING id)
       INSERT INTO scheduled_prices (schedule_id, number, plan_id, product_id, value)
       SELECT made.id, 1, $1, (SELECT id FROM products WHERE sku = 'A'), 40 FROM made`,
      [gold.id],
    );
    await running.app.get(ScheduledPricesJob, { strict: false }).runSoon();
    await running.post(first!, '/api/orders', orderBody([{ sku: 'A', quantity: 3 }])).expect(201);
    await running.post(second!, '/api/orders', orderBody([{ sku: 'D', quantity: 1, variation: 'Size:M' }]));
    await fixtures.observed();
  });

  const pathsOf = ({ planId }: Store) => [
    '/api/account',
    '/api/plan',
    ...['', '?limit=2', '?search=renamed', '?category=Of%20A', '?expand=variations,delivery_charge'].map(
      (query) => `/api/products${query}`,
    ),
    ...SKUS.flatMap((sku) => [`/api/products/${sku}`, `/api/products/${sku}/stock`]),
    '/api/stock',
    ...['/api/products', '/api/stock'].flatMap((path) => {
      const since = tokens.get(`${planId}${path}`);
      return since === undefined ? [] : [`${path}?since=${since}`];
    }),
    '/api/orders',
  ];

  const ITEMS = [
    { sku: 'A', quantity: 2 },
    { sku: 'D', quantity: 1, variation: 'Size:S' },
    { sku: 'HIDDEN', quantity: 1 },
  ];

  /** All answers of a node, with their ETags. */
  const answersOf = async (node: TestApp) => {
    const message = new Map<string, [status: number, tag: string | undefined, body: string]>();
    for (const [index, store] of stores.entries()) {
      const requested = pathsOf(store).map((path) => [path, node.get(store, path)] as const);
      const quote = ['quote', node.post(store, '/api/orders/quote', { items: ITEMS })] as const;
      for (const [path, request] of [...requested, quote]) {
        const { status, headers, text } = await request.set('X-Request-Id', 'the-same-request');
        message.set(`${index} ${path}`, [status, headers.etag, withTokenRead(text)]);
      }
    }
    return message;
  };

  it('answers the same bytes as the node that saw each change, also after the next ones', async () => {
    const started = await startTestApp({}, running.database);
    const before = await answersOf(running);
    expect(await answersOf(started)).toEqual(before);
    // The running change of prices ends here.
    await running.fixtures.sql(`UPDATE price_schedules SET to_at = now() WHERE applied_at IS NOT NULL`);
    await started.app.get(ScheduledPricesJob, { strict: false }).runSoon();
    await running.fixtures.changeProduct('HIDDEN', { active: true });
    await running.fixtures.observed();
    await started.fixtures.observed();
    const after = await answersOf(running);
    expect(await answersOf(started)).toEqual(after);
    const [, , first] = before.get('0 /api/products/A')!;
    const [, , last] = after.get('0 /api/products/A')!;
    expect([first, last]).toEqual([
      expect.stringContaining('"wholesale_price":40,'),
      expect.stringContaining('"wholesale_price":70,'),
    ]);
    await started.close();
  });
});
