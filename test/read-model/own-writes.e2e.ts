import { randomUUID } from 'node:crypto';
import { ClientTokensService } from '../../src/modules/auth/tokens/client-tokens.service.js';
import { OrderExpiryService } from '../../src/modules/orders/lifecycle/order-expiry.service.js';
import { SnapshotService } from '../../src/read-model/snapshot/snapshot.service.js';
import { orderBody } from '../support/order-body.js';
import { readable } from '../support/page-text.js';
import { signIn } from '../support/sign-in.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

describe('A node that does not poll for changes', () => {
  const test = setUpTestApp({ snapshotIntervalMs: 3_600_000 });
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;

  beforeEach(async () => {
    ({ sku } = await test.fixtures.product({ stock: 10 }));
  });

  const sellable = async () =>
    (await test.get(store, `/api/products/${sku}/stock`).expect(200)).body.stock_qty as number;

  const place = async (quantity: number) =>
    (await test.post(store, '/api/orders', orderBody([{ sku, quantity }])).expect(201)).body
      .order_number as string;

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
});
