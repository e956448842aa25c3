import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const REQUESTS = '/dashboard/requests';

describe('The page of requests', () => {
  const test = setUpTestApp();
  const neighbours = makeBeforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let viewer: SignedIn;
  let sku: string;

  beforeAll(async () => ({ sku } = await test.fixtures.product({ stock: 1_000 })));
  beforeEach(async () => {
    store = await test.fixtures.store();
    viewer = await signIn(test, store.clientId, 'viewer');
  });

  async function page(query = ''): Promise<string> {
    await test.app.get(RequestLog, { strict: false }).writeAll();
    const { text } = await viewer.get(`${REQUESTS}${query}`).expect(200);
    return text;
  }

  const idsIn = (text: string) =>
    [...text.matchAll(/href="\/dashboard\/requests\/(\d+)"/g)].map(([, id]) => id!);

  it('tells a store that has not called how it does', async () => {
    const text = await page();
    expect(text).toContain('<h1>Your store has not called since yesterday</h1>');
    expect(text).toContain(`X-Client-Domain: ${store.domain}`);
    expect(text).not.toContain(store.token);
  });

  it('tells of calls that went well, and draws them', async () => {
    for (let n = 0; n < 3; n++) await test.get(store, '/api/products').expect(200);
    const text = await page();
    expect(text).toContain('<h1>All calls since yesterday succeeded</h1>');
    expect(text).toContain('3 calls succeeded, 0 were refused, 0 failed');
    expect(text).toContain('<summary>As a table</summary>');
    expect(text).toContain('No writes, refusals or failures.');
  });

  it('tells what was written and what was refused, why, and what it was in detail', async () => {
    const items = [{ sku, quantity: 1 }];
    const { body } = await test
      .post(store, '/api/orders', orderBody(items, { store_order_id: 'WEB-<b>1' }))
      .expect(201);
    const refused = orderBody([{ sku: 'NONE', quantity: 1 }], { notes: 'Ring twice' });
    const answer = await test.post(store, '/api/orders', refused).expect(422);
    const text = await page();
    expect(text).toContain('<h1>1 call was refused since yesterday</h1>');
    const number = (body as { order_number: string }).order_number;
    for (const message of [number, 'items[0].sku', 'is not the SKU of an active product', 'POST /api/orders'])
      expect(text).toContain(message);

    const [first, second] = idsIn(text);
    const failed = await viewer.get(`${REQUESTS}/${first}`).expect(200);
    for (const message of [
      'This call was refused: validation failed',
      'Fields are missing or invalid',
      'NONE',
      answer.headers['x-request-id']!,
      store.token.slice(0, 12),
    ])
      expect(failed.text).toContain(message);
    expect(failed.text).not.toContain('Ring twice');
    const placed = await viewer.get(`${REQUESTS}/${second}`).expect(200);
    expect(placed.text).toContain(`href="/dashboard/orders/${number}"`);
    expect(placed.text).toContain('WEB-&lt;b>1');
  });

  it('finds a call by its request id, whenever it was', async () => {
    await test.get(store, '/api/orders/NONE/status').set('X-Request-Id', 'mine-and-only-mine').expect(404);
    await test.get(store, '/api/nowhere').expect(404);
    await page();
    await test.fixtures.sql(
      `UPDATE store_requests SET answered_at = answered_at - interval '3 days' WHERE client_id = $1`,
      [store.clientId],
    );
    expect(idsIn(await page())).toHaveLength(0);
    expect(idsIn(await page('?span=all'))).toHaveLength(2);
    expect(idsIn(await page('?request_id=mine-and-only-mine'))).toHaveLength(1);
    expect(await page('?request_id=nobodys')).toContain('No calls match this filter.');
  });

  it('is looked at by outcome, code and route, fifty at a time', async () => {
    await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }])).expect(201);
    for (let n = 0; n < 60; n++) await test.get(store, '/api/nowhere').expect(404);
    await test.get(store, '/api/orders/NONE/status').expect(404);
    const unreadable = test.post(store, '/api/orders').set('Content-Type', 'application/json').send('{');
    await unreadable.expect(400);
    expect(idsIn(await page('?outcome=done'))).toHaveLength(1);
    expect(idsIn(await page('?code=order_not_found'))).toHaveLength(1);
    expect(idsIn(await page('?route=%2Fapi%2Forders'))).toHaveLength(2);
    const first = await page('?outcome=failed');
    expect(idsIn(first)).toHaveLength(50);
    const older = /href="([^"]*after=[^"]*)"/.exec(first)![1]!.replaceAll('&amp;', '&');
    const { text } = await viewer.get(older).expect(200);
    expect(idsIn(text)).toHaveLength(12);
    expect(text).toContain('Newest');
    const choices = [...first.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value);
    const outcomes =
      'malformed_json order_not_found route_not_found /api/orders /api/orders/:order_number/status';
    expect(choices.filter((value) => /_|\//.test(value!)).join(' ')).toBe(outcomes);
  });

  it('says how many calls it does not list', async () => {
    await page();
    await test.fixtures.sql(
      `INSERT INTO store_request_counts (client_id, hour, method, route, status_class, code, requests,
        left_out)
       VALUES ($1, date_trunc('hour', now(), 'UTC'), 'GET', '(none)', 4, 'route_not_found', 1500, 1500)`,
      [store.clientId],
    );
    expect(await page()).toContain('1,500 calls are counted above but not listed below');
  });

  it('has nothing of another client, and takes no nonsense', async () => {
    expect(idsIn(await page('?span=all'))).toEqual([]);
    const { rows } = await test.pool.query<{ id: string }>(
      'SELECT id FROM store_requests WHERE client_id = $1',
      [neighbours.clientId],
    );
    await viewer.get(`${REQUESTS}/${rows[0]!.id}`).expect(404);
    for (const id of ['0', 'x', '-1', '9'.repeat(30)]) await viewer.get(`${REQUESTS}/${id}`).expect(404);
    await viewer.get(`${REQUESTS}?span=never&outcome=odd&code=%00&route=x&route=y&after=nowhere`).expect(200);
  });

  it('says so where nothing is kept', async () => {
    const silent = await startTestApp({ requestLogDays: 0 }, test.database);
    const person = await signIn(silent, store.clientId);
    expect((await person.get(REQUESTS).expect(200)).text).toContain('Calls are not logged');
    await silent.close();
  });
});
