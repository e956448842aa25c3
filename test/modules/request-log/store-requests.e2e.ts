import {
  lastDays,
  lastHours,
  RequestFigures,
} from '../../../src/modules/request-log/kept-requests/request-figures.repository.js';
import {
  type RequestFilter,
  RequestHistory,
} from '../../../src/modules/request-log/kept-requests/request-history.repository.js';
import { RequestLogRetention } from '../../../src/modules/request-log/recording/request-log-retention.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import {
  type LogBatch,
  RequestLogRepository,
} from '../../../src/modules/request-log/recording/request-log.repository.js';
import { unavailable } from '../../../src/platform/errors/domain-error.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { printFigures } from '../../support/print-figures.js';
import { answerOf } from '../../support/run-command.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';
import { withMethods } from '../../support/with-methods.js';

const test = setUpTestApp({ rateLimitPerMinute: 0 });

describe('What the stores’ requests did', () => {
  beforeAll(() => test.fixtures.neighbours());
  const other = makeBeforeAll(() => startTestApp({ rateLimitPerMinute: 0 }, test.database));
  let sku: string;

  beforeAll(async () => ({ sku } = await test.fixtures.product({ stock: 1_000 })));

  async function written(): Promise<void> {
    for (const { app } of [test, other]) await app.get(RequestLog, { strict: false }).writeAll();
  }

  async function history({ clientId }: Store, filter: RequestFilter = {}, cursor?: string) {
    await written();
    return test.app.get(RequestHistory, { strict: false }).list(clientId, filter, cursor);
  }

  async function figures({ clientId }: Store) {
    await written();
    return test.app.get(RequestFigures, { strict: false }).since(clientId, new Date(Date.now() - 3_600_000));
  }

  const order = (store: Store, more: object = {}, quantity = 1) =>
    test.post(store, '/api/orders', orderBody([{ sku, quantity }], more));

  describe('is kept', () => {
    it('of an order that was placed, with its number', async () => {
      const store = await test.fixtures.store();
      const { body, headers } = await order(store, { store_order_id: 'WEB-1' }).expect(201);
      const { requests } = await history(store);
      expect(requests).toEqual([
        {
          id: expect.any(String),
          clientId: store.clientId,
          answeredAt: expect.any(Date),
          requestId: headers['x-request-id'],
          tokenId: store.tokenId,
          domain: store.domain,
          method: 'POST',
          route: '/api/orders',
          path: '/api/orders',
          parameters: [],
          status: 201,
          code: '',
          faults: [],
          asked: null,
          storeOrderId: 'WEB-1',
          orderNumber: (body as { order_number: string }).order_number,
          milliseconds: expect.any(Number),
        },
      ]);
      expect(requests[0]!.milliseconds).toBeGreaterThan(0);
    });

    it('of one that is there already, with the number of the order that is', async () => {
      const store = await test.fixtures.store();
      const { body } = await order(store, { store_order_id: 'WEB-1' }).expect(201);
      await order(store, { store_order_id: 'WEB-1' }).expect(409);
      const { requests } = await history(store, { failed: true });
      const { order_number: orderNumber } = body as { order_number: string };
      expect(requests).toMatchObject([
        { status: 409, code: 'duplicate_order', storeOrderId: 'WEB-1', orderNumber },
      ]);
    });

    it('of one that was refused, with what was wrong in each field', async () => {
      const store = await test.fixtures.store();
      const items = [
        { sku: 'NONE', quantity: 1 },
        { sku, quantity: 0 },
      ];
      await test.post(store, '/api/orders', { ...orderBody(items), shipping: {} }).expect(422);
      await order(store, {}, 1_001).expect(422);
      const [short, wrong] = (await history(store, { failed: true })).requests;
      expect(short!.faults).toEqual([
        {
          field: 'items[0].quantity',
          code: 'insufficient_stock',
          message: expect.stringMatching(/^only \d+ can be sold now, but the order needs 1001$/),
          sku,
          requested: 1_001,
          available: expect.any(Number),
        },
      ]);
      expect(wrong!.code).toBe('validation_failed');
      expect(wrong!.faults).toEqual(
        expect.arrayContaining([
          { field: 'items[1].quantity', code: 'too_small', message: 'must be at least 1', sku },
          {
            field: 'items[0].sku',
            code: 'unknown_sku',
            message: 'is not the SKU of an active product',
            sku: 'NONE',
          },
          { field: 'shipping.pincode', code: 'required' },
        ]),
      );
    });

    it('of every refusal of a known token', async () => {
      const store = await test.fixtures.store();
      const expired = await test.fixtures.store({ from: -9, until: -1 });
      const otherPlace = {
        ...store,
        headers: { ...store.headers, 'X-Client-Domain': 'https://www.Other.example.com/' },
      };
      const nowhere = { ...store, headers: { Authorization: store.headers.Authorization! } };
      await test.get(otherPlace, '/api/products').expect(403);
      await test.get(nowhere, '/api/products').expect(403);
      await test.get(store, '/api/orders?limit=0&cursor=AAAA&customer=Ravi').expect(422);
      await test.get(store, '/api/order/WEB-1').expect(404);
      await test.post(store, '/api/products', {}).expect(405);
      await test.post(store, '/api/orders', '{"items": [').expect(400);
      await test.get(expired, '/api/products').expect(403);
      expect((await history(store)).requests.toReversed()).toMatchObject([
        { status: 403, code: 'domain_mismatch', domain: 'other.example.com', route: '/api/products' },
        { status: 403, code: 'domain_missing', domain: null },
        { status: 422, code: 'validation_failed', parameters: ['limit', 'cursor'] },
        { status: 404, code: 'route_not_found', route: '(none)', path: '/api/order/…' },
        { status: 405, code: 'method_not_allowed', method: 'POST', path: '/api/products' },
        { status: 400, code: 'malformed_json', storeOrderId: null },
      ]);
      expect((await history(expired)).requests).toMatchObject([{ code: 'subscription_inactive' }]);
    });

    it('of a token that was good once: its store may not know that it is not any more', async () => {
      const [revoked, suspended] = [await test.fixtures.store(), await test.fixtures.store()];
      await test.fixtures.revoke(revoked.tokenId);
      await test.fixtures.suspend(suspended.clientId);
      for (const store of [revoked, suspended]) {
        await test.get(store, '/api/products').expect(401);
        const [request, ...more] = (await history(store)).requests;
        expect(more).toEqual([]);
        expect(request).toMatchObject({ status: 401, code: 'token_invalid', tokenId: store.tokenId });
      }
    });

    it('of a store that asks too much', async () => {
      const limited = await startTestApp({ rateLimitPerMinute: 2 }, test.database);
      const store = await test.fixtures.store();
      await limited.fixtures.observed();
      for (const status of [200, 200, 429]) await limited.get(store, '/api/account').expect(status);
      await limited.close();
      expect((await history(store)).requests).toMatchObject([{ status: 429, code: 'rate_limited' }]);
      expect(await figures(store)).toEqual({ succeeded: 2, refused: 1, failed: 0, leftOut: 0 });
    });

    it('of unknown tokens', async () => {
      const before = await test.pool.query('SELECT * FROM store_request_counts');
      const outsider = { headers: { Authorization: `Bearer wha_${'x'.repeat(40)}` } } as unknown as Store;
      await test.get(outsider, '/api/products').expect(401);
      await written();
      const after = await test.pool.query('SELECT * FROM store_request_counts');
      expect(after.rows).toHaveLength(before.rows.length);
    });

    it('by the hour of reads that went well, and not one by one', async () => {
      const store = await test.fixtures.store();
      const { headers } = await test.get(store, '/api/products').expect(200);
      await test.get(store, '/api/products').set('If-None-Match', headers.etag!).expect(304);
      await fetch(`${test.url}/api/products`, { method: 'HEAD', headers: store.headers });
      await other.fixtures.observed();
      for (let n = 0; n < 5; n++) await other.get(store, `/api/products/${sku}/stock`).expect(200);
      await test.get(store, '/api/products/NONE/stock').expect(404);
      expect((await history(store)).requests).toMatchObject([
        { status: 404, path: '/api/products/NONE/stock' },
      ]);
      const { rows } = await test.pool.query(
        `SELECT method, route, status_class, code, requests::int, kept FROM store_request_counts
          WHERE client_id = $1 ORDER BY route, code`,
        [store.clientId],
      );
      expect(rows).toEqual([
        { method: 'GET', route: '/api/products', status_class: 2, code: '', requests: 3, kept: 0 },
        { method: 'GET', route: '/api/products/:sku/stock', status_class: 2, code: '', requests: 5, kept: 0 },
        {
          method: 'GET',
          route: '/api/products/:sku/stock',
          status_class: 4,
          code: 'product_not_found',
          requests: 1,
          kept: 1,
        },
      ]);
    });

    it('of each of two stores by itself, though they did the same in the same moment', async () => {
      const [one, two] = [await test.fixtures.store(), await test.fixtures.store()];
      const calls = (store: Store, count: number) =>
        Array.from({ length: count }, () => [
          test.get(store, '/api/products').expect(200),
          test.get(store, '/api/products/NONE/stock').expect(404),
        ]).flat();
      await Promise.all([...calls(one, 2), ...calls(two, 3)]);
      await written();
      for (const [store, count] of [
        [one, 2],
        [two, 3],
      ] as const) {
        expect(await figures(store)).toEqual({ succeeded: count, refused: count, failed: 0, leftOut: 0 });
        const { requests } = await history(store);
        expect(requests.map(({ clientId }) => clientId)).toEqual(Array(count).fill(store.clientId));
      }
    });

    it('not at all where the settings say so', async () => {
      const silent = await startTestApp({ requestLogDays: 0 }, test.database);
      const store = await test.fixtures.store();
      await silent.fixtures.observed();
      await silent.post(store, '/api/orders', {}).expect(422);
      await silent.app.get(RequestLog, { strict: false }).writeAll();
      await silent.close();
      expect((await history(store)).requests).toEqual([]);
      expect(await figures(store)).toEqual({ succeeded: 0, refused: 0, failed: 0, leftOut: 0 });
    });
  });

  it('holds nothing of customers and no token, wherever they were sent', async () => {
    const store = await test.fixtures.store();
    const secrets = {
      name: 'Ravindranath',
      phone: '+91 55555 12345',
      email: 'ravindranath@customers.example',
      address: 'Seventeen Hidden Lane',
      city: 'Secretabad',
      notes: 'Behind the blue door',
      token: store.token,
    };
    const { name, phone, email, address, city, notes } = secrets;
    const customer = { name, phone, email };
    const shipping = { address, city, state: city, pincode: 'no PIN!', country: city };
    const body = { ...orderBody([{ sku, quantity: 1 }]), customer, shipping, notes };
    await test.post(store, '/api/orders', body).expect(422);
    await test.post(store, '/api/orders/quote', { ...body, customer: { ...customer, email: name } });
    await test
      .post(store, '/api/orders', { ...body, items: [{ sku: store.token, quantity: 1 }] })
      .expect(422);
    await test
      .post(store, '/api/orders', { ...body, shipping: { ...shipping, pincode: '560038', country: 'India' } })
      .expect(201);
    await test.post(store, '/api/orders', { ...body, store_order_id: store.token }).expect(422);
    const sent = Object.values(secrets).map(encodeURIComponent);
    for (const text of sent) {
      await test.get(store, `/api/orders?search=${text}&${text}=1&limit=0`).expect(422);
      for (const path of [`/api/customers/${text}`, `/api/${text}`, `/api/orders/${text}/${text}`])
        await test.get(store, path).expect(404);
    }
    for (const text of [email, address, phone, notes, store.token].map(encodeURIComponent))
      await test.get(store, `/api/orders/${text}/status`).expect(404);
    await written();

    const { rows } = await test.pool.query<{ kept: string }>(
      `SELECT r::text AS kept FROM store_requests r WHERE client_id = $1
       UNION ALL SELECT c::text FROM store_request_counts c WHERE client_id = $1`,
      [store.clientId],
    );
    expect(rows.length).toBeGreaterThan(30);
    const kept = rows.map((row) => row.kept).join('\n');
    for (const text of [...Object.values(secrets), ...sent, 'no PIN!']) expect(kept).not.toContain(text);
  });

  describe('is bounded', () => {
    /** More than there is room for. */
    const SENT = 400;

    async function flood(store: Store, path = '/api/nowhere', status = 404): Promise<void> {
      await other.fixtures.observed();
      const urls = Array.from({ length: SENT }, (_, n) => `${(n % 2 ? test : other).url}${path}`);
      const answers = await Promise.all(urls.map((url) => fetch(url, { headers: store.headers })));
      expect(answers.filter((answer) => answer.status === status)).toHaveLength(SENT);
    }

    it('in an hour, and the rest is counted', async () => {
      const store = await test.fixtures.store();
      await flood(store);
      await flood(store);
      const { refused, leftOut } = await figures(store);
      const { rows } = await test.pool.query<{ kept: number }>(
        'SELECT count(*)::int AS kept FROM store_requests WHERE client_id = $1',
        [store.clientId],
      );
      const { kept } = rows[0]!;
      printFigures('refused requests in an hour', { sent: 2 * SENT, kept, 'left out': leftOut });
      expect([refused, leftOut]).toEqual([2 * SENT, 2 * SENT - kept]);
      expect(leftOut).toBeGreaterThan(0);
    });

    it('so that nothing else is hidden: no other result, not the next hour, no other store', async () => {
      const [hostile, honest] = [await test.fixtures.store(), await test.fixtures.store()];
      await flood(hostile);
      await flood(hostile, '/api/products?limit=0', 422);
      await flood(hostile, '/api/products/NONE');
      await order(hostile).expect(201);
      await test.get(honest, '/api/nowhere').expect(404);
      expect((await history(hostile, { code: '' })).requests).toHaveLength(1);
      expect((await history(honest)).requests).toHaveLength(1);
      await test.timePasses(3_600);
      await test.get(hostile, '/api/nowhere?next').expect(404);
      const { requests } = await history(hostile, { since: new Date(Date.now() - 60_000) });
      expect(requests).toHaveLength(1);
    });

    it('of one request too', async () => {
      const store = await test.fixtures.store();
      const items = Array.from({ length: 100 }, (_, n) => ({
        sku: `NONE-${n}-${'x'.repeat(50)}`,
        quantity: 0,
      }));
      await test
        .post(store, '/api/orders', orderBody(items, { store_order_id: 'x'.repeat(65) }))
        .set('X-Client-Domain', store.domain)
        .expect(422);
      const [request] = (await history(store)).requests;
      expect(request!.storeOrderId).toBeNull();
      expect(request!.faults.at(-1)).toMatchObject({
        code: 'not_kept',
        message: expect.stringMatching(/^and \d+ more$/),
      });
      expect(JSON.stringify(request).length).toBeLessThan(7_000);
    });
  });

  it('counts only open connections: a closed one delays no other', async () => {
    const [gone, here] = [await test.fixtures.store(), await test.fixtures.store()];
    await test.get(gone, '/api/nowhere').expect(404);
    await test.get(here, '/api/nowhere').expect(404);
    for (const table of ['subscriptions', 'tokens', 'wallets'])
      await test.fixtures.rewrite(`DELETE FROM ${table} WHERE client_id = $1`, [gone.clientId]);
    await test.fixtures.sql('DELETE FROM clients WHERE id = $1', [gone.clientId]);
    expect((await history(here)).requests).toHaveLength(1);
    expect((await history(gone)).requests).toEqual([]);
    expect(test.app.get(RequestLog, { strict: false }).outcomes.lost).toBe(0);
  });

  it('is written once when the answer of the database to its commit is lost', async () => {
    const store = await test.fixtures.store();
    await written();
    const repository = test.app.get(RequestLogRepository, { strict: false });
    const write = repository.write.bind(repository);
    const loseAnswer = async (batch: LogBatch) => {
      await write(batch);
      throw unavailable();
    };
    await withMethods(repository, { write: loseAnswer }, async () => {
      await test.get(store, '/api/nowhere').expect(404);
      await written();
    });
    expect((await history(store)).requests).toHaveLength(1);
    expect(await figures(store)).toMatchObject({ refused: 1 });
  });

  it('is forgotten by whole days, once, by any node', async () => {
    const { clientId } = await test.fixtures.store();
    const days = 30;
    await keep(clientId, 2_500, days, 'before');
    await keep(clientId, 10, days - 1, 'before');
    await keep(clientId, 10, days, 'after');
    const [here, there] = [test, other].map(({ app }) => app.get(RequestLogRetention, { strict: false }));
    const forgotten = await Promise.all([here!.run(), there!.run(), here!.run(), there!.run()]);
    await here!.run();
    expect(forgotten.reduce((sum, count) => sum + count)).toBe(2_500);
    const { rows } = await test.pool.query<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM store_requests WHERE client_id = $1) AS requests,
              (SELECT count(*)::int FROM store_request_counts WHERE client_id = $1) AS hours`,
      [clientId],
    );
    expect(rows).toEqual([{ requests: 20, hours: 2 }]);
  });

  /** Refusals at one moment: a second before or after midnight UTC, so many days ago by the database's clock. */
  async function keep(clientId: number, count: number, daysAgo: number, side: 'before' | 'after') {
    const { rows } = await test.pool.query<{ now: Date }>('SELECT now()');
    const today = Math.floor(rows[0]!.now.getTime() / 86_400_000);
    const at = new Date((today - daysAgo) * 86_400_000 + (side === 'before' ? -1_000 : 1_000));
    await test.fixtures.sql(
      `INSERT INTO store_requests (client_id, answered_at, request_id, token_id, method, route, path,
        parameters, status, code, faults, milliseconds)
       SELECT $1, $2, 'request-' || n, 1, 'GET', '/api/products/:sku', '/api/products/' || n, '{}', 404,
         'product_not_found', '[]', 1
         FROM generate_series(1, $3::int) AS n`,
      [clientId, at, count],
    );
    await test.fixtures.sql(
      `INSERT INTO store_request_counts (client_id, hour, method, route, status_class, code, requests, kept)
       VALUES ($1, date_trunc('hour', $2::timestamptz, 'UTC'), 'GET', '/api/products/:sku', 4,
         'product_not_found', $3::int, $3::int)`,
      [clientId, at, count],
    );
  }

  describe('can be looked through', () => {
    let store: Store;
    let outsider: Store;

    beforeAll(async () => {
      [store, outsider] = [await test.fixtures.store(), await test.fixtures.store()];
      await keep(store.clientId, 120, 2, 'after');
      await keep(outsider.clientId, 120, 2, 'after');
      await order(store).expect(201);
      await test.get(store, '/api/orders/NONE/status').set('X-Request-Id', 'a-request-of-mine').expect(404);
      await test.get(store, '/api/account').expect(200);
    });

    it('page by page, newest first, each once, and only its own', async () => {
      const observed: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await history(store, {}, cursor);
        expect(page.requests.every(({ clientId }) => clientId === store.clientId)).toBe(true);
        observed.push(...page.requests.map(({ id }) => id));
        cursor = page.older;
      } while (cursor !== undefined);
      expect([observed.length, new Set(observed).size]).toEqual([122, 122]);
      expect(observed).toEqual(observed.toSorted((a, b) => Number(b) - Number(a)));
    });

    it.each<[string, RequestFilter, number]>([
      ['those that failed', { failed: true }, 50],
      ['those of one code', { code: 'order_not_found' }, 1],
      ['those that were done', { code: '' }, 1],
      ['those of one route', { route: '/api/orders' }, 1],
      ['those of one request id', { id: 'a-request-of-mine' }, 1],
      ['those of the last day', { since: new Date(Date.now() - 86_400_000) }, 2],
    ])('only %s', async (_, filter, count) => {
      expect((await history(store, filter)).requests).toHaveLength(count);
    });

    it('one by one, and another client’s is not there', async () => {
      const requests = test.app.get(RequestHistory, { strict: false });
      const { id } = (await history(store, { id: 'a-request-of-mine' })).requests[0]!;
      expect(await requests.find(store.clientId, id)).toMatchObject({ path: '/api/orders/NONE/status' });
      const gone = expect.objectContaining({ code: 'request_not_found' });
      await expect(requests.find(outsider.clientId, id)).rejects.toEqual(gone);
      for (const wrong of ['x', '', '1e3', '-1', '9'.repeat(30)])
        await expect(requests.find(store.clientId, wrong)).rejects.toEqual(gone);
    });

    it('from no place that is none', async () => {
      for (const wrong of ['x', '', '1-', '-1', `${'9'.repeat(16)}-1`, '1-1; DROP'])
        await expect(history(store, {}, wrong)).rejects.toMatchObject({ code: 'invalid_value' });
    });

    it('by the hour and by the day, with what was done and what was not', async () => {
      await written();
      const book = test.app.get(RequestFigures, { strict: false });
      const hours = await book.byPeriod(store.clientId, lastHours(24, Date.now()));
      expect(hours).toHaveLength(24);
      // The hour or the day may have ended meanwhile.
      const sum = (of: 'succeeded' | 'refused' | 'failed' | 'leftOut') =>
        hours.slice(-2).reduce((all, hour) => all + hour[of], 0);
      expect([sum('succeeded'), sum('refused'), sum('failed'), sum('leftOut')]).toEqual([2, 1, 0, 0]);
      expect(hours[0]).toMatchObject({ succeeded: 0, refused: 0, failed: 0, leftOut: 0 });
      const days = await book.byPeriod(store.clientId, lastDays(14, Date.now(), 'UTC'));
      expect(days.map(({ refused }) => refused).join()).toMatch(/,120,0,(0,)?1(,0)?$/);
      expect(await book.readOutcomes(store.clientId)).toEqual({
        routes: ['/api/orders', '/api/orders/:order_number/status', '/api/products/:sku'],
        codes: ['order_not_found', 'product_not_found'],
      });
    });
  });
});

interface Refused {
  refused_at: string;
  client_id: number;
  client: string;
  store_order_id: string | null;
  code: string;
  asked: { sku: string | null; quantity: number | null }[];
  reasons: Record<string, unknown>[];
}

/** More long refusals than the log keeps in one hour. */
const SENT = 60;

/** A request that is wrong in every line. */
const nonsense = (n: number) =>
  orderBody(
    Array.from({ length: 100 }, (_, line) => ({ sku: `NONE-${line}`, quantity: 1 })),
    { store_order_id: `NONSENSE-${n}` },
  );

describe('The list of refused orders', () => {
  async function refused(...args: string[]): Promise<Refused[]> {
    await test.app.get(RequestLog, { strict: false }).writeAll();
    return answerOf<Refused[]>(test.database.serviceUrl, 'order', 'refused', ...args);
  }

  const ofClient = ({ clientId }: Store) => refused('--client', String(clientId));

  it('shows the requested items and the reasons, and no data of the customer', async () => {
    const { sku } = await test.fixtures.product({ stock: 3 });
    const store = await test.fixtures.store();
    const items = [{ sku, quantity: 5 }];
    await test.post(store, '/api/orders', orderBody(items, { store_order_id: 'WEB-1' })).expect(422);
    const [line] = items;
    await test
      .post(store, '/api/orders', orderBody([{ ...line!, quantity: 1 }], { store_order_id: 'WEB-2' }))
      .expect(201);
    await test.post(store, '/api/orders', orderBody(items, { store_order_id: 'WEB-2' })).expect(409);
    const { customer } = orderBody(items);
    await test
      .post(store, '/api/orders', { ...orderBody(items), customer: { ...customer, email: 'Ravi at home' } })
      .expect(422);
    await test.post(store, '/api/orders', '{"items": [').expect(400);
    await test.post(store, '/api/orders/quote', orderBody([])).expect(422);
    await test.get(store, '/api/orders/WEB-1/status').expect(404);

    const listed = await ofClient(store);
    expect(listed).toMatchObject([
      { store_order_id: null, code: 'malformed_json', asked: [], reasons: [] },
      {
        code: 'validation_failed',
        asked: items,
        reasons: expect.arrayContaining([{ field: 'customer.email', code: 'invalid_email' }]),
      },
      {
        store_order_id: 'WEB-2',
        code: 'duplicate_order',
        asked: items,
        reasons: [
          { field: '', code: 'duplicate_order', message: expect.stringContaining('already have an order') },
        ],
      },
      {
        client_id: store.clientId,
        store_order_id: 'WEB-1',
        code: 'validation_failed',
        asked: items,
        reasons: [
          { field: 'items[0].quantity', code: 'insufficient_stock', sku, requested: 5, available: 3 },
        ],
      },
    ]);
    expect(JSON.stringify(listed)).not.toContain('Ravi');
  });

  it('shows each client its own refusals and their number when the log keeps only some', async () => {
    const [hostile, honest, other] = [
      await test.fixtures.store(),
      await test.fixtures.store(),
      await test.fixtures.store(),
    ];
    for (let n = 0; n < SENT; n++) {
      const stores = n ? [hostile, other] : [hostile, honest, other];
      await Promise.all(stores.map((store) => test.post(store, '/api/orders', nonsense(n)).expect(422)));
    }

    expect(await ofClient(honest)).toMatchObject([{ store_order_id: 'NONSENSE-0' }]);
    for (const store of [hostile, other]) {
      const listed = await ofClient(store);
      const leftOut = listed.filter(({ code }) => code === 'not_kept');
      const kept = listed.length - leftOut.length;
      expect(kept).toBeGreaterThan(5);
      const message = `${SENT - kept} more were refused in this hour`;
      expect(leftOut).toMatchObject([
        { client_id: store.clientId, store_order_id: null, asked: [], reasons: [{ field: '', message }] },
      ]);
    }
  });

  it('starts at the requested time', async () => {
    const store = await test.fixtures.store();
    await test.post(store, '/api/orders', orderBody([])).expect(422);
    const [{ refused_at: at } = { refused_at: '' }] = await ofClient(store);
    const just = new Date(Date.parse(at) + 1).toISOString();
    expect(await refused('--client', String(store.clientId), '--from', at)).toHaveLength(1);
    expect(await refused('--client', String(store.clientId), '--from', just)).toEqual([]);
    const { clientId } = await test.fixtures.neighbours();
    const ofNeighbour = await refused('--client', String(clientId));
    expect(ofNeighbour.map(({ code }) => code).toSorted()).toEqual(['insufficient_stock', 'not_kept']);
  });
});
