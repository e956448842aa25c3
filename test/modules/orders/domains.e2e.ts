import type { CreateOrderRequest } from '../../../src/modules/orders/placing/create-order.request.js';
import { contradictions } from '../../support/books.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { placeAndMove } from '../../support/order-steps.js';
import { hiddenFields, readable, rows } from '../../support/page-text.js';
import { answerOf, runCommand, runCommandOn } from '../../support/run-command.js';
import { signIn, signInAtDesk } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { setUpTestApp } from '../../support/test-app.js';

interface Answer {
  status: number;
  order_number?: string;
  same_content?: boolean;
}

describe.each(['full', 'test'] as const)('Two stores of one client, with %s tokens', (kind) => {
  const test = setUpTestApp({ rateLimitPerMinute: 0, returnsByApi: true });
  let sku: string;
  let one: Store;
  let other: Store;
  let foreign: Store;

  beforeAll(async () => ({ sku } = await test.fixtures.product({ stock: 1_000 })));

  beforeEach(async () => {
    const store = await test.fixtures.store();
    one = await test.fixtures.withToken(store, kind);
    other = await test.fixtures.withToken({ ...store, domain: `other-${store.domain}` }, kind);
    foreign = await test.fixtures.withToken(await test.fixtures.store(), kind);
  });
  afterEach(async () => expect(await contradictions(test.pool)).toEqual([]));
  afterAll(endEverything);

  const order = (more: Partial<CreateOrderRequest> = {}) => orderBody([{ sku, quantity: 1 }], more);

  const place = async (by: Store, more: Partial<CreateOrderRequest> = {}, key?: string): Promise<Answer> => {
    const sent = test.post(by, '/api/orders', order(more));
    const { status, body } = await (key === undefined ? sent : sent.set('Idempotency-Key', key));
    return { ...(body as Answer), status };
  };
  const numberOf = async (by: Store, path: string) =>
    ((await test.get(by, path)).body as { order_number?: string }).order_number;
  const listed = async (by: Store, query = '') => {
    const { body } = await test.get(by, `/api/orders${query}`).expect(200);
    return (body as { data: { order_number: string }[] }).data.map(({ order_number }) => order_number);
  };

  it('use the same ids, each for its own orders', async () => {
    const ids = { store_order_id: '1001' };
    const first = await place(one, ids);
    const second = await place(other, { ...ids, notes: 'of the other store' });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await place(one, ids)).toMatchObject({ order_number: first.order_number, same_content: true });
    expect(await place(other, ids)).toMatchObject({ order_number: second.order_number, same_content: false });
    for (const [by, number] of [
      [one, first.order_number!],
      [other, second.order_number!],
    ] as const) {
      expect(await numberOf(by, '/api/orders/1001')).toBe(number);
      expect(await numberOf(by, '/api/orders/1001/status')).toBe(number);
      const { body } = await test.get(by, '/api/orders/status?orders=1001').expect(200);
      expect((body as { data: object[] }).data).toMatchObject([{ order_number: number }]);
      expect(await listed(by, '?store_order_id=1001')).toEqual([number]);
      const quote = await test.post(by, '/api/orders/quote', order(ids)).expect(409);
      expect(quote.body).toMatchObject({ order_number: number });
      const { customer, shipping } = order();
      const moved = await test.put(by, '/api/orders/1001/delivery', { customer, shipping }).expect(200);
      expect(moved.body).toMatchObject({ order_number: number });
    }
    await test.post(other, '/api/orders/1001/cancel').expect(200);
    const statuses = [one, other].map(async (by) => (await test.get(by, '/api/orders/1001/status')).body);
    expect(await Promise.all(statuses)).toMatchObject([
      { status: 'awaiting_payment' },
      { status: 'cancelled' },
    ]);
    expect((await place(foreign, ids)).status).toBe(201);
  });

  it('use the same Idempotency-Key', async () => {
    const first = await place(one, {}, 'key-1');
    const second = await place(other, { notes: 'another content' }, 'key-1');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect((await place(one, {}, 'key-1')).order_number).toBe(first.order_number);
    expect((await place(other, { notes: 'another content' }, 'key-1')).order_number).toBe(
      second.order_number,
    );
  });

  it('find each order by our number, but list and follow only their own', async () => {
    const { body } = await test.get(other, '/api/orders').expect(200);
    const { sync_token: token } = body as { sync_token: string };
    const first = (await place(one, { store_order_id: 'A' })).order_number!;
    const second = (await place(other, { store_order_id: 'B' })).order_number!;
    const last = (await place(one, { store_order_id: 'C' })).order_number!;
    expect(await numberOf(other, `/api/orders/${first}`)).toBe(first);
    await test.get(other, '/api/orders/A').expect(404);
    await test.get(other, '/api/orders/A/documents').expect(404);
    await test.post(other, '/api/orders/A/cancel').expect(404);
    await test
      .post(other, '/api/orders/A/returns', {
        lines: [{ line: 1, quantity: 1 }],
        reason: 'x',
        store_return_id: 'r',
      })
      .expect(404);
    expect(await listed(other)).toEqual([second]);
    expect(await listed(one)).toEqual([last, first]);
    const changed = await test.get(other, `/api/orders?since=${token}`).expect(200);
    expect(changed.body).toMatchObject({ data: [{ order_number: second }], has_more: false });
    await test.get(foreign, `/api/orders/${first}`).expect(404);
  });

  it('share the orders that have no domain, as those of 1.0.0', async () => {
    const old = (await place(one, { store_order_id: 'OLD' })).order_number!;
    await test.pool.query(`BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE orders SET domain = NULL WHERE order_number = '${old}';
      UPDATE test_orders SET domain = NULL WHERE order_number = '${old}'; COMMIT`);
    for (const by of [one, other]) {
      expect(await place(by, { store_order_id: 'OLD' })).toMatchObject({ status: 409, order_number: old });
      expect(await numberOf(by, '/api/orders/OLD/status')).toBe(old);
      expect(await listed(by)).toEqual([old]);
      expect(await listed(by, '?store_order_id=OLD')).toEqual([old]);
    }
  });

  it('get one order each for an id that both send at once, several times', async () => {
    const sent = await Promise.all(
      [one, other, one, other, one, other].map((by) => place(by, { store_order_id: 'RACE' })),
    );
    const made = sent.filter(({ status }) => status === 201);
    expect(made).toHaveLength(2);
    expect(sent.filter(({ status }) => status === 409)).toHaveLength(4);
    const numbers = [one, other].map((by) => numberOf(by, '/api/orders/RACE/status'));
    expect((await Promise.all(numbers)).toSorted()).toEqual(
      made.map(({ order_number: number }) => number).toSorted(),
    );
  });
});

describe('An id that two stores of one client have', () => {
  const test = setUpTestApp();
  let one: Store;
  let other: Store;
  /** Paid orders with the id, the first one of the store without the other domain. */
  let numbers: string[];

  beforeAll(async () => {
    const { sku } = await test.fixtures.product({ stock: 100 });
    one = await test.fixtures.store({ name: 'Mango Market' });
    other = await test.fixtures.withToken({ ...one, domain: 'kids.example.com' }, 'full');
    numbers = [];
    for (const by of [one, other])
      numbers.push(
        await placeAndMove(test, by, orderBody([{ sku, quantity: 1 }], { store_order_id: 'WEB-7' }), 'pay'),
      );
  });

  it('is shown with both domains on the dashboard, which lists one of them', async () => {
    const owner = await signIn(test, one.clientId);
    const page = async (path: string) => (await owner.get(`/dashboard/orders${path}`).expect(200)).text;
    const list = await page('?search=WEB-7');
    for (const text of ['All domains', one.domain, other.domain]) expect(readable(list)).toContain(text);
    expect(rows(list)).toHaveLength(2);
    expect(rows(await page(`?domain=${other.domain}`))).toEqual([expect.stringContaining(other.domain)]);
    expect(rows(await page('?domain=foreign.example.com'))).toHaveLength(2);
    expect(readable(await page(`/${numbers[1]}`))).toContain(`Your WEB-7, placed on ${other.domain}`);
    const { text } = await owner.get(`/dashboard/orders.csv?domain=${one.domain}`).expect(200);
    const [heading, ...lines] = text.trim().split(/\r?\n/);
    expect(heading).toMatch(/,Currency,Domain$/);
    expect(lines).toEqual([expect.stringMatching(`^${numbers[0]},WEB-7,.*,${one.domain}$`)]);
  });

  it('shows no domains to a client with one store', async () => {
    const { clientId } = await test.fixtures.store();
    const owner = await signIn(test, clientId);
    expect((await owner.get('/dashboard/orders?search=x').expect(200)).text).not.toContain('All domains');
  });

  it('names no order in a command, a file or a pasted line', async () => {
    const { clientId } = one;
    for (const more of [[], ['--client', String(clientId)]]) {
      const args = ['order', 'show', 'WEB-7', ...more, '--json'];
      const { exitCode, stderr } = await runCommand(test.database.serviceUrl, ...args);
      expect([exitCode, JSON.parse(stderr)]).toEqual([
        1,
        {
          code: 'order_ambiguous',
          message: expect.stringMatching(
            `^Several orders have the number "WEB-7": .*${other.domain}.*Use the whole number.$`,
          ),
        },
      ]);
    }
    expect(await answerOf(test.database.serviceUrl, 'order', 'show', numbers[1]!)).toMatchObject({
      store_order_id: 'WEB-7',
      domain: other.domain,
    });
    const file = 'order_number,courier,tracking_number\nWEB-7,DTDC,A1\n';
    const args = ['shipment', 'import', '-', '--json'];
    const { stdout } = await runCommandOn(file, test.database.serviceUrl, ...args);
    expect(JSON.parse(stdout)).toMatchObject({
      updated: 0,
      failed: [
        {
          column: 'order_number',
          message: `fits several orders (${numbers.toSorted().join(', ')}): use the whole number ("WEB-7")`,
        },
      ],
    });
    const packer = await signInAtDesk(test, 'packer');
    const pasted = { courier: 'DTDC', orders: 'WEB-7 A1', step: 'check' };
    const { text } = await packer.post('/desk/packing/ship', pasted).expect(422);
    expect(readable(text)).toContain(
      `fits several orders (${numbers
        .map((number, at) => `${number} (Mango Market, ${[one, other][at]!.domain})`)
        .toSorted()
        .join(', ')}): use the whole number`,
    );
  });

  it('is searched and scanned at the desk, which shows both', async () => {
    const staff = await signInAtDesk(test, 'staff');
    const found = readable((await staff.get('/desk/search?q=WEB-7').expect(200)).text);
    const list = readable((await staff.get('/desk/orders?status=all&search=WEB-7').expect(200)).text);
    const { key } = hiddenFields((await staff.get('/desk/packing').expect(200)).text);
    const made = await staff.post('/desk/packing', { orders: '2', key: key! }).expect(303);
    const scan = await staff.get(`${made.headers.location}?code=WEB-7`).expect(200);
    expect(rows(scan.text)).toHaveLength(2);
    for (const number of numbers) for (const text of [found, list]) expect(text).toContain(number.slice(-5));
    const order = readable((await staff.get(`/desk/orders/${numbers[1]}`).expect(200)).text);
    expect(order).toContain(`Order WEB-7 of Mango Market , placed on ${other.domain}`);
  });
});
