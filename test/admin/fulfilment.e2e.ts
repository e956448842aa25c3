import { type AdminApi, adminApi, dataOf, faultsOf, readPages, refusalOf } from '../support/admin-api.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { moveOrder, placeAndMove } from '../support/order-steps.js';
import { setUpTestApp } from '../support/test-app.js';

const SEND = { send_to: 'Acme, 12 MG Road\nPune', send_by: '2099-12-31' };

describe('Packing lists and returns of the admin API', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  let staff: AdminApi;
  let packer: AdminApi;
  let store: Store;
  let neighbour: Store;
  let sku: string;

  beforeAll(async () => {
    [staff, packer] = [await adminApi(test, 'staff'), await adminApi(test, 'packer')];
    ({ sku } = await test.fixtures.product({ stock: 1_000, basePrice: '10', deliveryCharge: '0' }));
    store = await test.fixtures.store({ name: 'Mango' });
    neighbour = await test.fixtures.store({ name: 'Neighbour' });
  });

  const paid = (of = store) => placeAndMove(test, of, orderBody([{ sku, quantity: 3 }]), 'pay');
  const requested = async (quantity = 2) => {
    const order_number = await paid();
    await moveOrder(test, store, order_number, 'ship');
    const body = { order_number, lines: [{ line: 1, quantity }], reason: 'damaged' };
    return dataOf(staff.post('returns', body), 201);
  };

  it('makes lists of chosen, of a client’s and of all orders, shows, pages and drops them', async () => {
    const [one, two, other] = [await paid(), await paid(), await paid(neighbour)];
    const chosen = await dataOf(
      packer.post('packing-lists', { orders: [two] }).set('Idempotency-Key', 'p'),
      201,
    );
    expect(chosen).toMatchObject({ orders: 1 });
    const repeated = packer.post('packing-lists', { orders: [two] }).set('Idempotency-Key', 'p');
    expect(await dataOf(repeated, 201)).toEqual(chosen);
    expect(await dataOf(packer.get(`packing-lists/${String(chosen.packing_list)}`))).toMatchObject({
      actor: `key ${packer.keyId} (ERP of packer)`,
      to_ship: 1,
      rows: [{ order_number: two, status: 'pending' }],
    });
    const ofClient = await dataOf(packer.post('packing-lists', { client: 'Mango' }), 201);
    expect(ofClient).toMatchObject({ orders: 1 });
    const all = await dataOf(packer.post('packing-lists', { limit: 5 }), 201);
    expect((await dataOf(packer.get(`packing-lists/${String(all.packing_list)}`))).rows).toMatchObject([
      { order_number: other },
    ]);
    expect(await dataOf(packer.post('packing-lists', {}), 201)).toEqual({ packing_list: null, orders: 0 });
    expect((await readPages(packer, 'packing-lists')).map((list) => list.packing_list)).toEqual(
      [all, ofClient, chosen].map((list) => list.packing_list),
    );
    const files = `packing-lists/${String(chosen.packing_list)}`;
    const csv = await packer.get(files).set('Accept', 'text/csv').expect(200);
    expect(csv.text.split('\r\n')).toEqual([
      expect.stringMatching(/^packing_list,order_number,.*shelf/),
      expect.stringContaining(two),
      '',
    ]);
    for (const layout of ['page', 'label']) {
      const slips = await packer
        .get(`${files}?order=${two.slice(-11)}&layout=${layout}`)
        .set('Accept', 'application/pdf');
      expect([slips.status, (slips.body as Buffer).subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    }
    await packer.get(`${files}?order=${one}`).set('Accept', 'application/pdf').expect(409);
    expect((await dataOf(packer.get(`${files}?order=${one}`))).rows).toEqual([]);
    expect(await faultsOf(packer.get(`${files}?layout=a0`))).toEqual(['layout']);
    const dropped = `packing-lists/${String(ofClient.packing_list)}`;
    expect(await dataOf(packer.delete(dropped))).toMatchObject({ freed: 1 });
    await packer.delete(dropped).expect(409);
    expect((await dataOf(packer.post('packing-lists', { orders: [one] }), 201)).orders).toBe(1);
  });

  it('adds a return once for each key, and once without a key', async () => {
    const order_number = await paid();
    await moveOrder(test, store, order_number, 'ship');
    const body = { order_number, lines: [{ line: 1, quantity: 1 }], reason: 'torn' };
    const add = async (key?: string) =>
      dataOf(
        key ? staff.post('returns', body).set('Idempotency-Key', key) : staff.post('returns', body),
        201,
      );
    const plain = await add();
    expect(plain).toMatchObject({ is_new: true, state: 'requested', awaits_answer: true });
    expect(await add()).toMatchObject({ number: plain.number, is_new: false });
    const keyed = await add('r1');
    expect(keyed).toMatchObject({ is_new: true });
    expect(await add('r1')).toEqual(keyed);
    expect(keyed.number).not.toBe(plain.number);
  });

  it('accepts and receives a return, tries it first, and leaves the refund to staff', async () => {
    const { number, order_number } = await requested();
    const path = `returns/${number as string}`;
    expect(await dataOf(packer.post(`${path}/accept`, SEND))).toMatchObject(SEND);
    const receipt = { restock: [{ line: 1, quantity: 1 }], note: 'one is broken' };
    expect(await dataOf(staff.post(`${path}/receive?dry_run=true`, { ...receipt, refund: true }))).toEqual({
      number,
      lines: [{ line: 1, received: 2, restocked: 1 }],
      refund: 20,
    });
    expect(await dataOf(packer.get(path))).toMatchObject({ state: 'requested', refunded: null });
    await packer.post(`${path}/receive`, { refund: true }).expect(403);
    expect(await dataOf(packer.post(`${path}/receive`, receipt))).toMatchObject({
      state: 'received',
      decision: 'one is broken',
      refund_open: true,
      lines: [{ received: 2, restocked: 1, refunded: null }],
    });
    expect(await dataOf(staff.post(`${path}/refund?dry_run=true`, {}))).toMatchObject({ refund: 20 });
    expect(await dataOf(staff.post(`${path}/refund`, {}))).toMatchObject({
      refunded: 20,
      refund_open: false,
    });
    await staff.post(`${path}/refund`, {}).expect(409);
    expect(await dataOf(staff.get(`orders/${order_number as string}`))).toMatchObject({
      refunded_amount: 20,
    });
  });

  it('refuses a return, and closes one without a refund', async () => {
    const refused = await requested();
    const path = `returns/${refused.number as string}`;
    expect(await dataOf(packer.post(`${path}/refuse`, { reason: 'seal broken' }))).toMatchObject({
      state: 'refused',
      decision: 'seal broken',
    });
    expect((await packer.post(`${path}/accept`, SEND).expect(409)).body.code).toBe('conflict');
    const closed = `returns/${(await requested()).number as string}`;
    await packer.post(`${closed}/receive`, {}).expect(200);
    expect(await dataOf(staff.post(`${closed}/refund`, { none: 'replaced' }))).toMatchObject({
      refunded: 0,
      refund_open: false,
    });
  });

  it('lists returns in pages, the newest first, of a client, a state and a time', async () => {
    const all = (await packer.get('returns').expect(200)).body.data as { requested_at: string }[];
    expect(all).toHaveLength(5);
    expect(await readPages(packer, 'returns')).toEqual(all);
    const times = all.map((each) => each.requested_at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await readPages(packer, 'returns?state=refused&client=Mango')).toMatchObject([
      { state: 'refused' },
    ]);
    expect(await readPages(packer, 'returns?client=Neighbour')).toEqual([]);
    expect(await readPages(packer, 'returns?from=2099-01-01')).toEqual([]);
  });

  it('names all faults at once', async () => {
    const { post, get } = staff;
    expect(await faultsOf(post('packing-lists', { orders: [], limit: 0 }))).toEqual(['limit', 'orders']);
    const faults = ['lines[0].quantity', 'order', 'order_number', 'reason'];
    expect(await faultsOf(post('returns', { order: 'x', lines: [{ line: 1 }] }))).toEqual(faults);
    const path = `returns/${(await requested()).number as string}`;
    expect(await faultsOf(post(`${path}/accept`, { send_to: 'x', send_by: 'soon' }))).toEqual(['send_by']);
    expect(await faultsOf(post(`${path}/receive`, { lines: 1, refund: 'yes' }))).toEqual(['lines', 'refund']);
    expect(await faultsOf(post(`${path}/refuse`, {}))).toEqual(['reason']);
    expect(await faultsOf(get('returns?state=lost&from=soon'))).toEqual(['from', 'state']);
  });

  it.each([
    ['get packing-lists/9999', '404 packing_list_not_found'],
    ['delete packing-lists/x', '404 packing_list_not_found'],
    ['get returns/RT-20260101-AAAAA-AAAAA', '404 return_not_found'],
    ['get returns?client=Nobody', '404 client_not_found'],
    ['post returns', '403 role_missing'],
    ['post returns/1/refund', '403 role_missing'],
  ])('refuses a packer: %s', async (route, refusal) => {
    expect(await refusalOf(packer, route)).toBe(refusal);
  });
});
