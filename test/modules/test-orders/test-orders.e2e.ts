import { readFileSync } from 'node:fs';
import { FirmJob } from '../../../src/modules/invoices/firm.job.js';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import { cancelUnits } from '../../../src/modules/orders/actions/cancel.js';
import type { OrderChange } from '../../../src/modules/orders/actions/order-action.js';
import { refundPart } from '../../../src/modules/orders/actions/refund.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { orderReturns } from '../../support/order-returns.js';
import { MetricsServer } from '../../../src/server/observability/metrics-server.js';
import { MAX_TEST_ORDERS } from '../../../src/modules/test-orders/test-orders.repository.js';
import { TestOrdersService } from '../../../src/modules/test-orders/test-orders.service.js';
import { TestOrdersRetention } from '../../../src/modules/test-orders/test-orders-retention.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { orderBody } from '../../support/order-body.js';
import { changeOf, moveOrder, shipping } from '../../support/order-steps.js';
import { addressOf } from '../../support/routes.js';
import { type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';
import { countWaitingFor, lockTable } from '../../support/while-locked.js';

type Body = Record<string, unknown>;

describe('Test orders', () => {
  const test = setUpTestApp({ metricsPort: 0, metricsHost: '127.0.0.1', rateLimitPerMinute: 0 });
  beforeAll(() => test.fixtures.neighbours());
  beforeAll(() => test.fixtures.seller());
  const real = makeBeforeAll(() => test.fixtures.store({ state: '29' }));
  const tester = makeBeforeAll(() => test.fixtures.withToken(real, 'test'));
  let sku: string;
  beforeEach(async () => {
    ({ sku } = await test.fixtures.product({
      stock: 5,
      basePrice: '100.00',
      deliveryCharge: '40.00',
      ...TAXED,
    }));
  });

  const body = (more: object = {}) => ({ ...orderBody([{ sku, quantity: 2 }]), ...more });
  const create = (by: Store, more?: object) => test.post(by, '/api/orders', body(more));
  const numberOf = async (by: Store, more?: object) =>
    (await create(by, more).expect(201)).body.order_number as string;
  const advance = (number: string, step: string, by = tester) =>
    test.post(by, `/api/test/orders/${number}/advance`, { step });
  const documentsOf = async (by: Store, number: string) =>
    (await test.get(by, `/api/orders/${number}/documents`).expect(200)).body.documents as Body[];
  const statusOf = async (by: Store, number: string) =>
    (await test.get(by, `/api/orders/${number}/status`).expect(200)).body as Body;

  it('take another delivery until they leave', async () => {
    const number = await numberOf(tester);
    const delivery = {
      customer: { name: 'Asha', phone: '+91 98765 43211' },
      shipping: { address: '9, Park Street', city: 'Kolkata', state: 'West Bengal', pincode: '700016' },
    };
    const put = () => test.put(tester, `/api/orders/${number}/delivery`, delivery);
    await advance(number, 'paid').expect(200);
    for (const answer of [await put().expect(200), await put().expect(200)])
      expect(answer.body).toMatchObject({ order_number: number, customer: { name: 'Asha' } });
    await advance(number, 'shipped').expect(200);
    expect((await put().expect(409)).body).toMatchObject({ code: 'not_changeable', status: 'shipped' });
  });

  it('are not found with a real token, nor real ones with a test token, and the answer says so', async () => {
    const [number, testNumber] = [await numberOf(real), await numberOf(tester)];
    const read = async (by: Store, name: string) =>
      (await test.get(by, `/api/orders/${name}/status`).expect(404)).body.message as string;
    expect(await read(real, testNumber)).toContain('the number of a test order: use a test token');
    expect(await read(tester, number.toLowerCase())).toContain('the number of a real order');
    for (const by of [real, tester])
      expect(await read(by, 'WEB-0')).toBe('You have no order with this number.');
    expect(
      await read(
        real,
        number.replace(/.$/, (last) => (last === '7' ? '8' : '7')),
      ),
    ).not.toContain('test');
    expect((await statusOf(tester, testNumber.toLowerCase())).order_number).toBe(testNumber);
    const { body: refused } = await test.post(real, `/api/orders/${testNumber}/cancel`).expect(404);
    expect(refused.message).toContain('a test order');
  });

  it('answer as real orders do through a whole flow', async () => {
    const orders = { [await numberOf(real)]: real, [await numberOf(tester)]: tester };
    const [number, testNumber] = Object.keys(orders) as [string, string];
    expect(testNumber).toMatch(/^TEST-\d{8}-\w{5}-\w{5}$/);
    const alike = async () => {
      const [one, other] = [await statusOf(real, number), await statusOf(tester, testNumber)];
      expect(withoutNames(other)).toEqual(withoutNames(one));
    };
    await alike();
    await moveOrder(test, real, number, 'pay');
    await advance(testNumber, 'paid').expect(200);
    await alike();
    await moveOrder(test, real, number, 'ship');
    await advance(testNumber, 'shipped').expect(200);
    await alike();
    await moveOrder(test, real, number, 'deliver');
    await advance(testNumber, 'delivered').expect(200);
    const returns = orderReturns(test.app);
    const requested = { lines: [{ line: 1, quantity: 2 }], reason: 'Test' };
    const returned = await returns.request(
      { clientId: real.clientId, orderNumber: number },
      requested,
      'test',
    );
    await advance(testNumber, 'return_requested').expect(200);
    await alike();
    await returns.refuse(returned, 'refused for a test', 'test');
    await advance(testNumber, 'return_refused').expect(200);
    await alike();
    const key = { clientId: real.clientId, orderNumber: number };
    const one = [{ line: 1, quantity: 1 }];
    const partly = await returns.request(key, { ...requested, key: 'partly' }, 'test');
    await advance(testNumber, 'return_requested').expect(200);
    const note = 'One unit did not arrive, and one is damaged.';
    await returns.receive(partly, { lines: one, restock: [], refund: true, note }, 'test');
    const { body: some } = await advance(testNumber, 'return_partly_received').expect(200);
    expect(some.returns[1]).toMatchObject({
      state: 'partly_received',
      answer: note,
      lines: [{ quantity: 2, received: 1, restocked: 0, written_off: 1, refunded_amount: 100 }],
    });
    await alike();
    const rest = await returns.request(key, { lines: one, reason: 'Test', key: 'rest' }, 'test');
    await advance(testNumber, 'return_requested').expect(200);
    await alike();
    await advance(testNumber, 'return_partly_received').expect(409);
    await returns.receive(rest, { restock: one, refund: true }, 'test');
    expect((await advance(testNumber, 'return_received').expect(200)).body.returns[2].state).toBe('received');
    await alike();
    const summaries = await Promise.all(
      [real, tester].map(async (by) => (await test.get(by, '/api/orders?limit=1')).body.data as Body[]),
    );
    expect(withoutNames(summaries[1]![0]!)).toEqual(withoutNames(summaries[0]![0]!));
    const documents = await documentsOf(tester, testNumber);
    expect(documents.map(withoutNames)).toEqual((await documentsOf(real, number)).map(withoutNames));
    expect(documents.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['invoice', 240],
      ['credit_note', 100],
      ['credit_note', 100],
    ]);
  });

  it('answer as real orders do with two parcels, a cancelled line and refunds', async () => {
    const { sku: other } = await test.fixtures.product({ stock: 5, basePrice: '30.00', ...TAXED });
    const items = [
      { sku, quantity: 2 },
      { sku: other, quantity: 2 },
    ];
    const [number, testNumber] = [await numberOf(real, { items }), await numberOf(tester, { items })];
    const key = { clientId: real.clientId, orderNumber: number };
    const by = { reason: 'test', key: 'test' };
    const steps: [string, OrderChange][] = [
      ['paid', changeOf('pay')],
      ['partly_shipped', shipping({ lines: [{ line: 1, quantity: 1 }] })],
      ['delivered', changeOf('deliver')],
      ['line_cancelled', cancelUnits('sold out', { lines: [{ line: 2, quantity: 2 }], key: 'cancelled' })],
      ['shipped', shipping({ trackingNumber: 'DL124' })],
      ['line_refunded', refundPart({ ...by, kind: 'lines', lines: [{ line: 1, quantity: 1 }] })],
      ['amount_refunded', refundPart({ ...by, kind: 'amount', amount: 100, key: '2' })],
      ['delivered', changeOf('deliver')],
    ];
    for (const [step, change] of steps) {
      await test.app.get(OrderLifecycleService).applyChange(key, change, 'test');
      const { body: answer } = await advance(testNumber, step).expect(200);
      expect([step, withoutNames(answer as Body)]).toEqual([
        step,
        withoutNames(await statusOf(real, number)),
      ]);
    }
    expect(await statusOf(tester, testNumber)).toMatchObject({
      status: 'delivered',
      refunded_amount: 161,
      shipments: [{ lines: [{ line: 1, quantity: 1 }] }, { lines: [{ line: 1, quantity: 1 }] }],
      items: [
        { shipped: 2, refunded: 1 },
        { cancelled: 2, refunded: 2 },
      ],
    });
    const [whole, testWhole] = await Promise.all(
      [real, tester].map(async (who, at) => {
        const path = `/api/orders/${[number, testNumber][at]}`;
        return (await test.get(who, path).expect(200)).body as Record<'documents' | 'refunds', Body[]>;
      }),
    );
    expect(testWhole!.documents.map(withoutNames)).toEqual(whole!.documents.map(withoutNames));
    expect(testWhole!.refunds.map((one) => [one.kind, one.amount, (one.documents as []).length])).toEqual(
      whole!.refunds.map((one) => [one.kind, one.amount, (one.documents as []).length]),
    );
  });

  it('have sample documents, which say that they bill nothing', async () => {
    const number = await numberOf(tester);
    for (const step of ['paid', 'partly_shipped', 'shipped', 'line_refunded'])
      await advance(number, step).expect(200);
    const documents = await documentsOf(tester, number);
    expect(documents.map((one) => [one.number, one.parcel, one.refund, one.against, one.amount])).toEqual([
      [`${number}-INV-1`, 1, null, null, 120],
      [`${number}-INV-2`, 2, null, null, 120],
      [`${number}-CN-1`, null, 1, `${number}-INV-1`, 100],
    ]);
    const day = documents[0]!.date as string;
    const byDay = async (query: string) =>
      (await test.get(tester, `/api/documents?issued_from=${day}&${query}`).expect(200)).body as Body;
    const { data } = await byDay('limit=100');
    expect((data as Body[]).filter((one) => one.order_number === number)).toEqual(
      documents.toSorted((a, b) => ((a.number as string) < (b.number as string) ? -1 : 1)),
    );
    const first = await byDay('limit=1');
    expect(first).toMatchObject({ data: [(data as Body[])[0]], has_more: true });
    expect((await byDay(`limit=1&cursor=${String(first.next_cursor)}`)).data).toEqual([(data as Body[])[1]]);
    expect((await test.get(tester, '/api/documents?issued_to=2026-01-01').expect(200)).body.data).toEqual([]);
    for (const { url, number: name } of documents) {
      const file = await test.get(tester, url as string).expect(200);
      expect(file.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="${String(name)}.pdf"`,
      });
      const { body: refused } = await test.get(real, url as string).expect(404);
      expect(refused.message).toContain('use a test token');
    }
    const { items, facts } = await test.app
      .get(TestOrdersService, { strict: false })
      .findDocument(tester.clientId, `${number}-cn-1`);
    expect([facts.seller.name, items.length]).toEqual(['TEST, NOT A TAX DOCUMENT', 1]);
    for (const other of [`${number}-INV-3`, number, 'INV-1', `${number}%00-INV-1`]) {
      const { body: refused } = await test.get(tester, `/api/documents/${other}`).expect(404);
      expect(refused.code).toBe('document_not_found');
      expect(refused.message.includes('Test tokens read only')).toBe(other === 'INV-1');
    }
  });

  it('are cancelled and refunded as real ones', async () => {
    const [number, testNumber] = [await numberOf(real), await numberOf(tester)];
    await moveOrder(test, real, number, 'pay', 'cancel');
    await advance(testNumber, 'paid');
    await test.post(tester, `/api/orders/${testNumber}/cancel`).expect(409);
    const { body: cancelled } = await advance(testNumber, 'cancelled').expect(200);
    expect(cancelled).toMatchObject({ cancel_reason: 'cancelled by the wholesaler', refunded_amount: 240 });
    expect(withoutNames(await statusOf(tester, testNumber))).toEqual(
      withoutNames(await statusOf(real, number)),
    );
    const unpaid = await numberOf(tester);
    for (const _ of ['first', 'again'])
      expect((await test.post(tester, `/api/orders/${unpaid}/cancel`).expect(200)).body.cancel_reason).toBe(
        'cancelled by the store',
      );
    expect((await advance(await numberOf(tester), 'expired')).body.status).toBe('cancelled');
  });

  it('are not written again by a repeat: each may have hundreds of KB', async () => {
    const orders = [await numberOf(tester), await numberOf(tester), await numberOf(tester)];
    const [waiting, cancelled, left] = orders as [string, string, string];
    for (const step of ['paid', 'shipped']) await advance(left, step).expect(200);
    const { customer, shipping: address } = orderBody([]);
    const lines = [{ line: 1, quantity: 1 }];
    const requested = { store_return_id: 'RET-1', lines, reason: 'torn' };
    const sendAll = async () => {
      await test.put(tester, `/api/orders/${waiting}/delivery`, { customer, shipping: address }).expect(200);
      await test.post(tester, `/api/orders/${cancelled}/cancel`).expect(200);
      await test.post(tester, `/api/orders/${left}/returns`, requested).expect(201);
      const text = 'SELECT xmin FROM test_orders WHERE order_number = ANY ($1) ORDER BY order_number';
      return (await test.pool.query(text, [orders])).rows;
    };
    expect(await sendAll()).toEqual(await sendAll());
  });

  it('are returned by the rules of real ones', async () => {
    const orders = [
      [real, await numberOf(real)],
      [tester, await numberOf(tester)],
    ] as const;
    const [[, number], [, testNumber]] = orders;
    const alike = async (requested: object, status: number) => {
      const ask = async ([by, order]: (typeof orders)[number]) => {
        const { body: answer, headers } = await test
          .post(by, `/api/orders/${order}/returns`, requested)
          .expect(status);
        return { replayed: headers['idempotent-replayed'] as unknown, answer: withoutNames(answer as Body) };
      };
      const [one, other] = await Promise.all(orders.map(ask));
      expect(other).toEqual(one);
      expect(withoutNames(await statusOf(tester, testNumber))).toEqual(
        withoutNames(await statusOf(real, number)),
      );
    };
    const one = {
      store_return_id: 'RET-1',
      lines: [{ line: 1, quantity: 1 }],
      reason: 'torn',
      note: 'At the hem.',
    };
    await alike(one, 409);
    await moveOrder(test, real, number, 'pay', 'ship');
    for (const step of ['paid', 'shipped']) await advance(testNumber, step).expect(200);
    await alike(one, 201);
    await alike(one, 201);
    await alike({ ...one, reason: 'wrong size' }, 409);
    await alike({ ...one, store_return_id: 'RET-2', lines: [{ line: 1, quantity: 2 }] }, 409);
    await alike({ ...one, store_return_id: 'RET-2', lines: [{ line: 9, quantity: 1 }] }, 422);
    await alike({ ...one, store_return_id: 'RET-2' }, 201);
    await alike({ ...one, store_return_id: 'RET-3' }, 409);
    const missing = await test.post(tester, '/api/orders/TEST-1/returns', one).expect(404);
    expect(missing.body.code).toBe('order_not_found');
    await advance(testNumber, 'return_refused').expect(200);
    await test
      .post(tester, `/api/orders/${testNumber}/returns`, { ...one, store_return_id: 'RET-4' })
      .expect(201);
  });

  it('refuse a step that does not fit, and any token but a test token', async () => {
    const number = await numberOf(tester);
    for (const step of ['shipped', 'delivered', 'return_requested', 'return_refused']) {
      const { body: refusal } = await advance(number, step).expect(409);
      expect(refusal).toMatchObject({ code: 'illegal_transition', order_number: number });
    }
    expect((await advance(number, 'eaten').expect(422)).body.errors[0].code).toBe('unknown_value');
    const misspelt = await test
      .post(tester, `/api/test/orders/${number}/advance`, { steps: 'paid' })
      .expect(422);
    expect(misspelt.body.ignored_fields).toEqual([{ field: 'steps', meant: 'step' }]);
    await advance('TEST-1', 'paid').expect(404);
    for (const other of [real, await test.fixtures.withToken(real, 'read_only')]) {
      const { code, message } = (await advance(number, 'paid', other).expect(403)).body;
      expect([code, message]).toEqual(['token_not_allowed', expect.stringContaining('Use a test token.')]);
    }
  });

  it('fail on demand as real orders fail, and place nothing', async () => {
    const failed = async (failure: string, more: object = {}) => {
      const answer = await create(tester, { store_order_id: 'FAIL', ...more }).set('X-Test-Failure', failure);
      return { status: answer.status, body: answer.body as Body, headers: answer.headers };
    };
    const { sku: none } = await test.fixtures.product({ stock: 0, basePrice: '100.00' });
    const soldOut = await create(real, { items: [{ sku: none, quantity: 2 }] }).expect(422);
    const { body: demanded } = await failed('sold_out');
    expect(withoutNames({ ...demanded, errors: [{ ...errorOf(demanded), sku: none }] })).toEqual(
      withoutNames(soldOut.body as Body),
    );
    const changed = await create(real, { expected_total: 241 }).expect(409);
    const { body: price } = await failed('price_changed', { expected_total: 240 });
    expect(price).toMatchObject({ code: 'price_changed', total: 241, expected_total: 240 });
    expect(Object.keys(price)).toEqual(Object.keys(changed.body as Body));
    expect((await failed('price_changed', { expected_total: 241 })).status).toBe(409);
    const quoted = async (by: Store, failure: string | undefined, more: object) => {
      const sent = test.post(by, '/api/orders/quote', body(more));
      if (failure !== undefined) sent.set('X-Test-Failure', failure);
      return (await sent.expect(200)).body as { orderable: boolean; errors: Body[]; items: Body[] };
    };
    const short = await quoted(real, undefined, { items: [{ sku: none, quantity: 2 }] });
    const demandedShort = await quoted(tester, 'sold_out', {});
    expect(demandedShort.orderable).toBe(false);
    expect(demandedShort.errors.map((one) => ({ ...one, sku: none }))).toEqual(short.errors);
    expect(demandedShort.items[0]!.stock).toEqual(short.items[0]!.stock);
    const dearer = await quoted(tester, 'price_changed', { expected_total: 240 });
    expect(dearer).toMatchObject({ orderable: false, errors: [{ code: 'price_changed', total: 241 }] });
    expect(errorOf((await failed('price_changed')).body)).toMatchObject({
      field: 'expected_total',
      code: 'required',
    });
    for (const [failure, status, wait] of [
      ['rate_limited', 429, '1'],
      ['unavailable', 503, '2'],
    ] as const) {
      for (const path of ['/api/orders', '/api/stock?skus=X', '/api/account']) {
        const refused = await test.get(tester, path).set('X-Test-Failure', failure).expect(status);
        expect([refused.headers['retry-after'], refused.body.code]).toEqual([wait, failure]);
      }
      expect(await failed(failure)).toMatchObject({ status, body: { code: failure } });
    }
    await test.get(tester, '/api/orders').set('X-Test-Failure', 'sold_out').expect(200);
    await test.get(tester, '/api/orders/FAIL/status').expect(404);
    await create(tester, { store_order_id: 'FAIL' }).expect(201);
    expect((await failed('sold_out')).body.code).toBe('duplicate_order');
    const metrics = await fetch(`http://127.0.0.1:${test.app.get(MetricsServer).port}/metrics`);
    expect(await metrics.text()).not.toMatch(/http_request_duration_seconds_count{[^}]*status="503"/);
  });

  it('refuse an unknown failure, and a failure of a token that places real orders', async () => {
    const unknown = await test.get(tester, '/api/orders').set('X-Test-Failure', 'sold out').expect(422);
    expect(errorOf(unknown.body as Body)).toMatchObject({ field: 'X-Test-Failure', code: 'unknown_value' });
    for (const by of [real, await test.fixtures.withToken(real, 'read_only')]) {
      const refused = await test.get(by, '/api/orders').set('X-Test-Failure', 'sold_out').expect(403);
      expect(refused.body).toMatchObject({
        code: 'token_not_allowed',
        message: 'X-Test-Failure works with a test token only. Nothing was done.',
      });
    }
    await create(real, { store_order_id: 'MIXED' }).set('X-Test-Failure', 'sold_out').expect(403);
    await test.get(real, '/api/orders/MIXED/status').expect(404);
  });

  it('follow the rules of real orders', async () => {
    const [small, odd] = [{ expected_total: 1 }, { items: [{ sku: 'NOPE', quantity: 1 }] }];
    const many = { items: [{ sku, quantity: 6 }] };
    const warned = { shipping: { ...body().shipping, state: 'Kerala', pincode: '560038' } };
    for (const more of [small, odd, many, warned, { customer: {} }])
      for (const path of ['/api/orders', '/api/orders/quote']) {
        const [one, other] = await Promise.all(
          [real, tester].map(async (by) => {
            const { status, body: answer } = await test.post(by, path, body(more));
            return { status, answer: withoutNames(answer as Body) };
          }),
        );
        expect(other).toEqual(one);
      }
  });

  it('are repeated by their id or key, apart from real orders', async () => {
    const id = { store_order_id: 'WEB-1' };
    const number = await numberOf(real, id);
    const sent = await Promise.all([1, 2, 3].map(() => create(tester, id)));
    expect(sent.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const first = sent.find(({ status }) => status === 201)!.body.order_number as string;
    const { body: repeated } = await create(tester, { ...id, notes: 'other' }).expect(409);
    expect(repeated).toMatchObject({ code: 'duplicate_order', order_number: first, same_content: false });
    await test.post(tester, '/api/orders/quote', body(id)).expect(409);
    const keyed = () => create(tester).set('Idempotency-Key', 'a key');
    const { body: one } = await keyed().expect(201);
    const { body: two, headers } = await keyed().expect(201);
    expect([two, headers['idempotent-replayed']]).toEqual([one, 'true']);
    await create(tester, { notes: 'other' }).set('Idempotency-Key', 'a key').expect(422);
    await test.post(tester, `/api/orders/${one.order_number}/cancel`).expect(200);
    const { body: dead } = await keyed().expect(409);
    expect(dead).toMatchObject({ status: 'cancelled', cancel_reason: 'cancelled by the store' });
    await test.post(tester, `/api/orders/${first}/cancel`).expect(200);
    for (const path of ['/api/orders', '/api/orders/quote']) {
      const { body: gone } = await test.post(tester, path, body(id)).expect(409);
      expect(gone).toMatchObject({ cancel_reason: 'cancelled by the store', same_content: true });
    }
    expect([await statusOf(real, 'WEB-1'), await statusOf(tester, 'WEB-1')]).toMatchObject([
      { order_number: number },
      { order_number: first },
    ]);
    await test.get(real, `/api/orders/${first}/status`).expect(404);
    await test.get(tester, `/api/orders/${number}/status`).expect(404);
  });

  it('have a list and a feed of their own', async () => {
    const store = await test.fixtures.store();
    const own = await test.fixtures.withToken(store, 'test');
    const numbers: string[] = [];
    for (const n of [1, 2, 3]) numbers.unshift(await numberOf(own, { store_order_id: `WEB-${n}` }));
    const list = async (query: string, by = own) =>
      (await test.get(by, `/api/orders?${query}`).expect(200)).body as {
        data: { order_number: string }[];
        next_cursor: string;
        sync_token: string;
      };
    const listed = async (query: string) => (await list(query)).data.map((order) => order.order_number);
    const page = await list('limit=2');
    expect(page.data.map((order) => order.order_number)).toEqual(numbers.slice(0, 2));
    expect(await listed(`limit=2&cursor=${page.next_cursor}`)).toEqual(numbers.slice(2));
    await test.fixtures.neighbours();
    await advance(numbers[2]!, 'paid', own).expect(200);
    const changed = await list(`since=${page.sync_token}`);
    expect(changed.data.map((order) => order.order_number)).toContain(numbers[2]);
    expect(await listed('status=pending')).toEqual([numbers[2]]);
    expect(await listed('payment_status=unpaid&store_order_id=WEB-2')).toEqual([numbers[1]]);
    expect(await listed('created_from=2099-01-01')).toEqual([]);
    expect(await listed('created_to=2099-01-01')).toEqual(numbers);
    const { body: statuses } = await test.get(own, `/api/orders/status?orders=WEB-1,${numbers[0]},X`);
    expect([statuses.data.length, statuses.unknown]).toEqual([2, ['X']]);
    expect((await list('limit=9', store)).data).toEqual([]);
    await test.get(store, `/api/orders?since=${page.sync_token}`).expect(410);
    await test.get(own, `/api/orders?since=${(await list('', store)).sync_token}`).expect(410);
  });

  it('are listed by their heads, and those of 1.0.0 by their contents', async () => {
    const own = await test.fixtures.withToken(await test.fixtures.store(), 'test');
    const read = async (query = '') =>
      (await test.get(own, `/api/orders${query}`).expect(200)).body as { data: Body[]; sync_token: string };
    const { sync_token: before } = await read();
    const numbers = [await numberOf(own, { metadata: { till: '1' } }), await numberOf(own)];
    for (const number of numbers)
      for (const step of ['paid', 'shipped', 'line_refunded']) await advance(number, step, own).expect(200);
    const feeds = ['', '?status=shipped&payment_status=paid', `?since=${before}`];
    const listed = async () => (await Promise.all(feeds.map(read))).map(({ data }) => data);
    const expected = await listed();
    expect(expected.map((data) => data.length)).toEqual([2, 2, 2]);
    await test.fixtures.sql('ALTER TABLE test_orders DISABLE TRIGGER head, DISABLE TRIGGER stamp');
    await test.fixtures.sql('UPDATE test_orders SET head = NULL WHERE order_number = $1', [numbers[0]]);
    await test.fixtures.sql(`UPDATE test_orders SET content = '{}' WHERE order_number = $1`, [numbers[1]]);
    await test.fixtures.sql(
      'ALTER TABLE test_orders ENABLE ALWAYS TRIGGER head, ENABLE ALWAYS TRIGGER stamp',
    );
    expect(await listed()).toEqual(expected);
  });

  it('share the slots of their client, so that it never holds more connections', async () => {
    const numbers = await Promise.all([1, 2, 3, 4].map(() => numberOf(tester)));
    const release = await lockTable(test.pool, 'test_orders');
    let isWaiting = true;
    const waiting = () => countWaitingFor(test.pool, 'test_orders');
    const placed = Promise.all(numbers.map(() => create(tester)));
    await eventually(async () => (await waiting()) === 4);
    const moved = Promise.all(numbers.map((number) => advance(number, 'paid')));
    const answered = Promise.all([placed, moved]).finally(() => (isWaiting = false));
    const waits: number[] = [];
    while (isWaiting) waits.push(await waiting());
    await release();
    expect(new Set((await answered).flat().map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...waits)).toBe(4);
  });

  it('are removed after 30 days, and beyond the newest 1,000', async () => {
    const number = await numberOf(tester);
    await test.pool.query(
      `INSERT INTO test_orders (client_id, order_number, content_hash, placed_at, content)
       SELECT client_id, 'TEST-' || n, content_hash, placed_at - n * interval '1 second', content
         FROM test_orders, generate_series(1, $2) AS n WHERE order_number = $1`,
      [number, MAX_TEST_ORDERS],
    );
    await numberOf(tester);
    const count = async () =>
      (await test.pool.query('SELECT FROM test_orders WHERE client_id = $1', [real.clientId])).rows.length;
    expect(await count()).toBe(MAX_TEST_ORDERS);
    await test.pool.query(
      `UPDATE test_orders SET placed_at = now() - interval '31 days' WHERE order_number <> $1`,
      [number],
    );
    await test.app.get(TestOrdersRetention).run();
    expect(await count()).toBe(1);
  });

  it('change nothing real, however many there are', async () => {
    await numberOf(real, { store_order_id: 'REAL' });
    const people = [await signIn(test, real.clientId), await signInAtDesk(test)] as const;
    // Pages learn the name of the seller by a job.
    await test.app.get(FirmJob, { strict: false }).run();
    // The first reader of a packing list marks its slips as printed.
    await installation(...people);
    const before = await installation(...people);
    const made = await inTurn(100, async (n) => numberOf(tester, { store_order_id: `T-${n}` }));
    for (const step of ['paid', 'shipped', 'delivered', 'return_requested'])
      await inTurn(20, (n) => advance(made[n]!, step).expect(200));
    await inTurn(20, (n) => advance(made[20 + n]!, 'expired').expect(200));
    await inTurn(20, () => create(tester, { items: [{ sku, quantity: 9 }] }).expect(422));
    const after = await installation(...people);
    const changed = Object.entries(before).flatMap(([name, text]) => {
      const at = [...text].findIndex((sign, index) => after[name]![index] !== sign);
      return after[name] === text
        ? []
        : [[name, text.slice(at - 60, at + 60), after[name]!.slice(at - 60, at + 60)]];
    });
    expect(changed).toEqual([]);
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 5, held: 2 });
  }, 120_000);

  it('are marked in the log of requests, and have no page to lead to', async () => {
    const number = await numberOf(tester);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    const { text } = await (await signIn(test, real.clientId)).get('/dashboard/requests?outcome=done');
    expect(text).toContain('<span class="state info">Test</span>');
    // The failures that tests above asked for are none of ours. Those beside the locked table are.
    expect(text).toContain('8 calls failed since yesterday because of our error');
    const { rows } = await test.pool.query<{ id: string }>(
      `SELECT id FROM store_requests WHERE code = 'unavailable' LIMIT 1`,
    );
    const { text: demanded } = await (
      await signIn(test, real.clientId)
    ).get(`/dashboard/requests/${rows[0]!.id}`);
    expect(demanded).toContain('This test call asked for a failure: unavailable');
    expect(demanded).toContain('X-Test-Failure');
    expect(text).toContain(`title="${number}"`);
    expect(text).not.toContain(`orders/${number}"`);
  });

  /** The rows of all tables, the pages and files of API, dashboard and desk, and the metrics, by their names. */
  async function installation(owner: SignedIn, admin: SignedIn<DeskPerson>): Promise<Record<string, string>> {
    await test.app.get(RequestLog, { strict: false }).writeAll();
    const { rows: tables } = await test.pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`,
    );
    const displayed: Record<string, string> = {};
    for (const { name } of tables.filter((table) => !OWN_TABLES.has(table.name))) {
      const { rows } = await test.pool.query<{ text: string }>(
        `SELECT coalesce(string_agg(row::text, E'\\n' ORDER BY row::text), '') AS text FROM ${name} AS row`,
      );
      displayed[name] = rows[0]!.text;
    }
    for (const [area, person] of [
      ['dashboard', owner],
      ['desk', admin],
    ] as const)
      for (const path of pagesOf(area)) {
        const { text, status } = await person.get(path);
        expect({ path, isFailure: status >= 500 }).toEqual({ path, isFailure: false });
        displayed[path] = withoutTimes(text ?? '', person.person);
      }
    const metrics = await fetch(`http://127.0.0.1:${test.app.get(MetricsServer).port}/metrics`);
    const figures = (await metrics.text()).split('\n').filter((line) => /^[a-z_]*order/.test(line));
    displayed.metrics = figures.filter((line) => !line.includes('test_orders')).join('\n');
    return displayed;
  }

  function pagesOf(area: string): string[] {
    return readFileSync(new URL(`../../web/${area}/roles.txt`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => / GET +/.test(line) && !/sign|link|token|api-access|requests|session/.test(line))
      .map((line) =>
        addressOf(line.replace(/^\w+ +GET +/, 'GET '), { id: String(real.clientId), sku, number: 'REAL' }),
      );
  }
});

const errorOf = ({ errors }: Body) => (errors as Body[])[0]!;

/** The rate of samples. */
const TAXED = { hsn: '61091000', gstRate: '18.00', unit: 'PCS' };

/** The log of calls and tokens have the calls; people of this suite sign in. */
const OWN_TABLES = new Set([
  'test_orders',
  'store_requests',
  'store_request_counts',
  'token_uses',
  'people',
  'sessions',
  'past_histories',
  'history',
]);

async function inTurn<Made>(count: number, make: (n: number) => PromiseLike<Made>): Promise<Made[]> {
  const made: Made[] = [];
  for (let n = 0; n < count; n += 20)
    made.push(...(await Promise.all(Array.from({ length: 20 }, (_, each) => make(n + each)))));
  return made;
}

/** Numbers, times, couriers and reasons are made up. */
function withoutNames(answer: Body): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) =>
    OTHER.has(key) && value !== null && value !== undefined ? 'some' : value,
  );
  return JSON.parse(text);
}

const OTHER = new Set([
  'order_number',
  'number',
  'return_number',
  'against',
  'url',
  'refusal_reason',
  'created_at',
  'changed_at',
  'status_changed_at',
  'shipped_at',
  'delivered_at',
  'payment_due_at',
  'courier',
  'tracking_number',
  'tracking_url',
  'cancel_reason',
  'message',
  'request_id',
]);

function withoutTimes(text: string, { email, id }: { email: string; id: number }): string {
  return text
    .replaceAll(email, '')
    .replaceAll(`/people/${id}`, '')
    .replaceAll(/<time.*?<\/time>|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d\d:\d\d(:\d\d)?/g, '');
}
