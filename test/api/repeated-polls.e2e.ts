import type { Store } from '../support/fixtures.js';
import { moveOrder } from '../support/order-steps.js';
import { OwnAddress } from '../../src/platform/http/own-address.js';
import { orderBody } from '../support/order-body.js';
import { setUpTestApp } from '../support/test-app.js';

/** Polls repeat word for word, and the service keeps what it knows of the last one. */
describe('a poll that repeats', () => {
  const test = setUpTestApp();
  let store: Store;

  beforeEach(async () => {
    await test.fixtures.clear();
    store = await test.fixtures.store({ planId: (await test.fixtures.plan({ discount: '10' })).id });
    await test.fixtures.product({ sku: 'MUG', basePrice: '100', stock: 5 });
  });

  const read = (path: string, by = store) => test.get(by, path);
  const priceOf = async (by = store) =>
    (await read('/api/products/MUG', by)).body.data.pricing.wholesale_price;
  const stockOf = async () => (await read('/api/products/MUG/stock')).body.stock_qty;

  it('is told of an ignored parameter each time, and never of that of another route', async () => {
    for (const query of ['?limit=1&brand=x', '?limit=1', '?limit=1&brand=x']) {
      const { body, headers } = await read(`/api/products${query}`).expect(200);
      expect(headers['x-ignored-parameters']).toBe(query === '?limit=1' ? undefined : 'brand');
      expect(body.ignored_parameters).toEqual(query === '?limit=1' ? undefined : ['brand']);
      const { headers: other } = await read(`/api/products/MUG${query}`).expect(200);
      expect(other['x-ignored-parameters']).toBe(query === '?limit=1' ? 'limit' : 'limit, brand');
    }
  });

  it('is refused each time if a parameter is misspelt or wrong', async () => {
    for (const query of ['limt=5', 'limit=0', 'limt=5', 'limit=0', `search=${'x'.repeat(301)}`])
      await read(`/api/products?${query}`).expect(422);
  });

  it('shows a price and a stock at once, to each plan its own', async () => {
    const other = await test.fixtures.store({ planId: (await test.fixtures.plan({ discount: '50' })).id });
    const pageOf = async (by: Store) =>
      (await read('/api/products?limit=1', by)).body.data[0].pricing.wholesale_price;
    for (const [change, ours, theirs] of [
      [() => Promise.resolve(), 90, 50],
      [() => test.fixtures.discount(store.planId, '20'), 80, 50],
      [() => test.fixtures.fixedPrice(other.planId, 'MUG', '7'), 80, 7],
      [() => test.fixtures.changeProduct('MUG', { basePrice: '200' }), 160, 7],
    ] as const) {
      await change();
      for (const prices of [
        [await priceOf(), await priceOf(other)],
        [await pageOf(store), await pageOf(other)],
      ])
        expect(prices).toEqual([ours, theirs]);
    }
    expect(await stockOf()).toBe(5);
    await test.fixtures.count('MUG', 3);
    expect(await stockOf()).toBe(3);
  });

  it('shows another plan of the client at once', async () => {
    expect(await priceOf()).toBe(90);
    const { id } = await test.fixtures.plan({ discount: '30' });
    await test.fixtures.sql('UPDATE subscriptions SET plan_id = $1 WHERE client_id = $2', [
      id,
      store.clientId,
    ]);
    expect(await priceOf()).toBe(70);
  });

  it('ends at once with its token, or when its client is suspended', async () => {
    const suspended = await test.fixtures.store();
    await read('/api/products/MUG').expect(200);
    await read('/api/products/MUG', suspended).expect(200);
    await test.fixtures.revoke(store.tokenId);
    await test.fixtures.suspend(suspended.clientId);
    for (const by of [store, store, suspended]) await read('/api/products/MUG', by).expect(401);
  });

  it('shows a changed address of the service at once', async () => {
    await test.fixtures.sql(`UPDATE products SET images = '{/pictures/${'a'.repeat(64)}.jpg}'`);
    const own = test.app.get(OwnAddress);
    for (const origin of ['https://a.example', 'https://b.example']) {
      Object.defineProperty(own, 'publicUrl', { value: origin, configurable: true });
      const { body } = await read('/api/products/MUG').expect(200);
      expect(body.data.images).toEqual([`${origin}/pictures/${'a'.repeat(64)}.jpg`]);
    }
    Reflect.deleteProperty(own, 'publicUrl');
  });

  it('shows each change of an order at once', async () => {
    const body = orderBody([{ sku: 'MUG', quantity: 2 }], { store_order_id: 'WEB-1' });
    const number = await test.place(store, body);
    const statusOf = async (id: string) => (await read(`/api/orders/${id}/status`)).body.status;
    for (const [action, status] of [
      [undefined, 'awaiting_payment'],
      ['pay', 'pending'],
      ['ship', 'shipped'],
    ] as const) {
      if (action) await moveOrder(test, store, number, action);
      for (const id of [number, 'WEB-1', number, number.toLowerCase()])
        expect(await statusOf(id)).toBe(status);
    }
  });
});
