import { readSyncToken } from '../../src/read-model/synced-lists/sync-token.js';
import { ScheduledPricesJob } from '../../src/modules/plans/scheduled-prices-job.service.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { setUpTestApp, startTestApp, type TestApp } from '../support/test-app.js';

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
