import { orderBody } from '../support/order-body.js';
import { type AdminApi, adminApi } from '../support/admin-api.js';
import type { Store } from '../support/fixtures.js';
import { setUpTestApp } from '../support/test-app.js';

describe('Orders of the admin API', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  let erp: AdminApi;
  let packer: AdminApi;
  let store: Store;
  let sku: string;

  beforeAll(async () => {
    [erp, packer] = [await adminApi(test), await adminApi(test, 'packer')];
    ({ sku } = await test.fixtures.product({ stock: 1_000 }));
    store = await test.fixtures.store({ name: 'Mango Market' });
  });

  const place = (quantity = 2) => test.place(store, orderBody([{ sku, quantity }]));
  const paid = async (quantity = 2) => {
    const number = await place(quantity);
    await erp.post(`orders/${number}/pay`, { method: 'Cash' }).expect(200);
    return number;
  };

  it('pays, ships in parts, delivers, takes back and refunds, as the desk does', async () => {
    const number = await paid(3);
    const act = async (action: string, body: object) =>
      (await erp.post(`orders/${number}/${action}`, body).expect(200)).body.data as Record<string, unknown>;
    expect(await act('ship', { courier: 'DTDC', lines: [{ line: 1, quantity: 2 }] })).toMatchObject({
      status: 'pending',
    });
    expect(
      await act('ship', { courier: 'DTDC', tracking_number: 'D2', shipped_at: new Date().toISOString() }),
    ).toMatchObject({ status: 'shipped', parcels: [{}, { tracking_number: 'D2' }] });
    expect(await act('correct', { tracking_number: 'D3' })).toMatchObject({
      tracking: { courier: 'DTDC', tracking_number: 'D3' },
    });
    expect(await act('deliver', {})).toMatchObject({ status: 'delivered' });
    expect(await act('undeliver', { parcel: 2, reason: 'not there' })).toMatchObject({ status: 'shipped' });
    const refunded = await act('refund', { lines: [{ line: 1, quantity: 1 }], reason: 'torn' });
    expect(refunded).toMatchObject({ refunds: [{ kind: 'lines', by: `key ${erp.keyId} (ERP of admin)` }] });
    expect(await act('take-back', { refund: 1, reason: 'a mistake' })).toMatchObject({ refunded_amount: 0 });
  });

  it('records money with its method and number, and pays from the wallet by consent', async () => {
    const pay = async (body: object) =>
      (await erp.post(`orders/${await place()}/pay`, body).expect(200)).body.data as object;
    const money = { method: 'UPI', reference: 'UTR 512345678901' };
    expect(await pay(money)).toMatchObject({ status: 'pending', payment: { method: 'UPI' } });
    const amount = { amount: '500', reason: 'opening' };
    await erp.post(`clients/${store.clientId}/wallet/adjust`, amount).expect(200);
    expect(await pay({ consent: 'Asha by phone' })).toMatchObject({ payment: { method: 'wallet' } });
  });

  it('answers what an action would do, and does nothing', async () => {
    const number = await paid();
    const { body } = await erp
      .post(`orders/${number}/cancel?dry_run=true`, { reason: 'sold out' })
      .expect(200);
    expect(body).toMatchObject({
      success: true,
      dry_run: true,
      data: {
        order_number: number,
        status: 'cancelled',
        refunds: [{ kind: 'cancelled', reason: 'sold out' }],
      },
    });
    expect((await erp.get(`orders/${number}`).expect(200)).body.data).toMatchObject({ status: 'pending' });
    await erp.post(`orders/${number}/deliver?dry_run=true`, {}).expect(409);
  });

  it('refuses an order that was changed since it was read', async () => {
    const number = await paid();
    const { headers } = await erp.get(`orders/${number}`).expect(200);
    const ship = (tag: string) => erp.post(`orders/${number}/ship`, { courier: 'DTDC' }).set('If-Match', tag);
    await erp.post(`orders/${number}/address`, { city: 'Mysuru' }).expect(200);
    const { body } = await ship(headers.etag!).expect(412);
    expect(body).toMatchObject({ code: 'precondition_failed' });
    expect(body.message).toMatch(/changed after you read it: corrected by ERP of admin/);
    for (const noTag of ['""', 'nonsense']) await ship(noTag).expect(422);
    const { headers: now } = await erp.get(`orders/${number}`).expect(200);
    const shipped = await ship(`W/${now.etag!}`).expect(200);
    const deliver = (tag: string) => erp.post(`orders/${number}/deliver`, {}).set('If-Match', tag);
    await deliver(now.etag!).expect(412);
    await deliver(shipped.headers.etag!).expect(200);
    await erp.post(`orders/${number}/undeliver`, { reason: 'typo' }).set('If-Match', '*').expect(200);
  });

  it('does once what is asked twice with one Idempotency-Key', async () => {
    const number = await paid();
    const refund = (amount: string, key: string) =>
      erp.post(`orders/${number}/refund`, { amount, reason: 'late' }).set('Idempotency-Key', key);
    await erp
      .post(`orders/${number}/refund?dry_run=true`, { amount: '3.00', reason: 'late' })
      .set('Idempotency-Key', 'r1')
      .expect(200);
    const first = await refund('1.00', 'r1').expect(200);
    const second = await refund('1.00', 'r1').expect(200);
    expect(second.text).toBe(first.text);
    expect([first, second].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
    expect((await refund('2.00', 'r1').expect(422)).body).toMatchObject({ code: 'idempotency_key_reused' });
    await refund('9999999.00', 'r2').expect(409);
    await refund('9999999.00', 'r2').expect(409);
    const other = (await refund('1.00', 'r3').expect(200)).body.data as { refunds: object[] };
    expect(other.refunds).toHaveLength(2);
    const plain = await erp.post(`orders/${number}/refund`, { amount: '1.00', reason: 'late' }).expect(200);
    expect(plain.body.data.refunds).toHaveLength(3);
    await erp.post(`orders/${number}/refund`, { amount: '1.00', reason: 'late' }).expect(200);
    await test.pool.query(`UPDATE admin_answers SET answer = NULL WHERE idempotency_key = 'r1'`);
    expect((await refund('1.00', 'r1').expect(409)).body.code).toBe('idempotency_key_in_use');
    const { body } = await erp.get(`orders/${number}`).expect(200);
    expect(body.data.refunds).toHaveLength(3);
  });

  it.each([
    ['an unknown field', 'pay', { metod: 'Cash' }, 422, { errors: [{ field: 'metod', meant: 'method' }] }],
    ['several faults', 'ship', { lines: [{ line: 0 }] }, 422, { errors: [{}, {}, {}] }],
    ['a step that does not fit', 'deliver', {}, 409, { code: 'illegal_transition' }],
    ['a missing method', 'pay', {}, 422, { errors: [{ field: 'method', code: 'required' }] }],
    [
      'a missing reference',
      'pay',
      { method: 'UPI' },
      422,
      { errors: [{ field: 'reference', code: 'required' }] },
    ],
    [
      'two ways to pay',
      'pay',
      { consent: 'Asha by phone', reference: '12' },
      422,
      { errors: [{ field: 'reference', code: 'not_combinable' }] },
    ],
    ['a missing reason', 'unpay', {}, 422, { errors: [{ field: 'reason', code: 'required' }] }],
  ])('says %s', async (_, action, body, status, answer) => {
    const number = await place();
    const refused = await erp.post(`orders/${number}/${action}`, body).expect(status);
    expect(refused.body).toMatchObject({
      success: false,
      request_id: expect.any(String) as string,
      ...answer,
    });
  });

  it.each([
    [
      'get',
      'orders?colour=red',
      /^is unknown; these are known: after, limit, status, search, client, .*shipped_to$/,
    ],
    ['get', 'orders?serch=x', /^is unknown; did you mean "search"\?$/],
    ['get', 'returns/1?colour=red', /^is unknown; there are no parameters here$/],
    ['post', 'orders/1/pay', /^is unknown; these are known: method, reference, consent, force$/],
  ] as const)('names the known names: %s %s', async (method, path, message) => {
    const { body } = await erp[method](path, method === 'get' ? undefined : { colour: 'red' }).expect(422);
    expect(body.errors).toMatchObject([
      { code: 'unknown_parameter', message: expect.stringMatching(message) as string },
    ]);
  });

  it('finds an order by its end and by the id of the store, and none that is not there', async () => {
    const number = await place();
    expect((await erp.get(`orders/${number.slice(-11)}`).expect(200)).body.data.order_number).toBe(number);
    expect((await erp.get('orders/WO-20260101-00000-00000').expect(404)).body.code).toBe('order_not_found');
  });

  it('tells two orders with one id of their stores apart by the client', async () => {
    const other = await test.fixtures.store({ name: 'Papaya' });
    const order = orderBody([{ sku, quantity: 2 }], { store_order_id: 'WEB-1001' });
    const [number, second] = [await test.place(store, order), await test.place(other, order)];
    const both = await erp.get('orders/WEB-1001').expect(409);
    expect(both.body).toMatchObject({
      code: 'client_ambiguous',
      message: expect.stringMatching(/Add "client" with its number\.$/) as string,
    });
    expect((await erp.get('orders/WEB-1001?client=Mango').expect(200)).body.data.order_number).toBe(number);
    const pay = (client: string) => erp.post(`orders/WEB-1001/pay?client=${client}`, { method: 'Cash' });
    expect((await pay('Papaya').expect(200)).body.data.order_number).toBe(second);
    expect((await pay('Nobody').expect(404)).body.code).toBe('client_not_found');
    await erp.post('orders/WEB-1001/ship?client=Papaya', { courier: 'DTDC' }).expect(200);
    const lines = [{ line: 1, quantity: 1 }];
    const returned = { order_number: 'WEB-1001', client: String(other.clientId), lines, reason: 'torn' };
    expect((await erp.post('returns', returned).expect(201)).body.data.order_number).toBe(second);
  });

  it('lets a packer ship and deliver, and nothing else', async () => {
    const number = await paid();
    const { body: shipped } = await packer.post(`orders/${number}/ship`, { courier: 'DTDC' }).expect(200);
    expect(shipped.data).toMatchObject({
      status: 'shipped',
      total: null,
      payment: { method: null, reference: null },
      items: [{ unit_price: null, line_total: null }],
    });
    for (const [action, body] of [
      ['refund', { amount: '1', reason: 'x' }],
      ['pay', {}],
      ['cancel', {}],
    ] as const)
      expect((await packer.post(`orders/${number}/${action}`, body).expect(403)).body).toMatchObject({
        code: 'role_missing',
      });
  });

  describe('after an action', () => {
    const MONTH_AGO = new Date(Date.now() - 40 * 86_400_000).toISOString();
    const LAST_WEEK = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const courier = 'DTDC';
    let buyer: Store;
    let pan: string;

    beforeAll(async () => {
      await test.fixtures.seller();
      buyer = await test.fixtures.store({ name: 'Asha Traders', state: '29' });
      const goods = {
        stock: 9_000,
        basePrice: '1000.00',
        deliveryCharge: '50.00',
        hsn: '732393',
        gstRate: '18',
      };
      const product = await test.fixtures.product(goods);
      pan = product.sku;
      // Its rate was another one until five days ago.
      await test.fixtures.sql(
        `WITH schedule AS (INSERT INTO price_schedules (from_at, actor, applied_at, closed_at)
                           VALUES (now() - interval '5 days', 'test', now(), now()) RETURNING id)
         INSERT INTO scheduled_prices (schedule_id, number, product_id, is_rate, value, replaced, state)
         SELECT id, 1, $1, true, 18, 12, 'applied' FROM schedule`,
        [product.id],
      );
    });

    const paidBy = async (quantity = 2) => {
      const number = await test.place(buyer, orderBody([{ sku: pan, quantity }]));
      await erp.post(`orders/${number}/pay`, { method: 'Cash' }).expect(200);
      return number;
    };
    const aged = async () => {
      const number = await paidBy();
      await test.fixtures.age(24 * 60, number);
      return number;
    };
    const packed = async () => {
      const number = await paidBy();
      await erp.post('packing-lists', { orders: [number] }).expect(201);
      return number;
    };
    const shipped = async () => {
      const number = await aged();
      await erp.post(`orders/${number}/ship`, { courier }).expect(200);
      return number;
    };
    const valuable = () => paidBy(60);

    it.each<[string, () => Promise<string>, string, object, RegExp[]]>([
      ['a parcel of today', paidBy, 'ship', { courier }, []],
      [
        'a parcel of an earlier month',
        aged,
        'ship',
        { courier, shipped_at: MONTH_AGO },
        [/^The time of shipping is in an earlier month: .* not of \d{4}-\d\d\.$/],
      ],
      [
        'an old parcel without an invoice',
        aged,
        'ship',
        { courier, shipped_at: MONTH_AGO, no_invoice: 'sample' },
        [/^The delivery charge is not invoiced: no parcel has an invoice\. Refund it, or /],
      ],
      [
        'a valuable parcel',
        valuable,
        'ship',
        { courier },
        [/^\S+\d needs an e-way bill before its goods move\.$/],
      ],
      ['another courier', shipped, 'correct', { courier: 'VRL' }, []],
      [
        'another day',
        shipped,
        'correct',
        { shipped_at: LAST_WEEK },
        [/^\S+\d has the GST rate of another day: issue it again\.$/],
      ],
      ['a payment undone', paidBy, 'unpay', { reason: 'typo' }, []],
      [
        'a payment of a packed order undone',
        packed,
        'unpay',
        { reason: 'typo' },
        [/^Packing list \d+ loses the order: do not pack it\.$/],
      ],
      [
        'a payment undone too late',
        aged,
        'unpay',
        { reason: 'typo' },
        [/^The time to pay the order is over: it expires soon, unless .* at once\.$/],
      ],
      ['a cancelled order', paidBy, 'cancel', { reason: 'unwanted' }, []],
      [
        'a cancelled order that is packed',
        packed,
        'cancel',
        { reason: 'unwanted' },
        [/^Packing list \d+ still has the order: do not pack it\.$/],
      ],
      [
        'a cancelled part of a packed order',
        packed,
        'cancel',
        { reason: 'unwanted', lines: [{ line: 1, quantity: 1 }] },
        [/^Packing list \d+ has the order: print its slip again\.$/],
      ],
      ['another address', paidBy, 'address', { city: 'Mysuru' }, []],
      [
        'another address of a packed order',
        packed,
        'address',
        { city: 'Mysuru' },
        [/^Packing list \d+ has the order: print its slip again\.$/],
      ],
    ])('tells what a person must do now: %s', async (_, prepare, action, body, warnings) => {
      const number = await prepare();
      const trial = await erp.post(`orders/${number}/${action}?dry_run=true`, body).expect(200);
      expect(trial.body.data).not.toHaveProperty('warnings');
      const { body: done } = await erp.post(`orders/${number}/${action}`, body).expect(200);
      expect(done.data.warnings).toEqual(warnings.map((text) => expect.stringMatching(text) as string));
      expect((await erp.get(`orders/${number}`).expect(200)).body.data).not.toHaveProperty('warnings');
    });
  });
});
