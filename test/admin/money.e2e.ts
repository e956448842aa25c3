import { SandboxBrowser } from '../support/sandbox-browser.js';
import { type AdminApi, adminApi } from '../support/admin-api.js';
import { Buyer } from '../support/buyer.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

describe('Money of the admin API', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  const admin = makeBeforeAll(() => adminApi(test));
  const staff = makeBeforeAll(() => adminApi(test, 'staff'));
  const packer = makeBeforeAll(() => adminApi(test, 'packer'));
  let store: Store;
  let other: Store;
  let wallet: string;
  let made = 0;
  beforeEach(async () => {
    store = await test.fixtures.store({ name: `Mango ${++made}` });
    other = await test.fixtures.store({ name: `Papaya ${made}` });
    wallet = `clients/${store.clientId}/wallet`;
  });

  const utr = () => `N${String(++made).padStart(15, '0')}`;
  const dataOf = async (sent: ReturnType<AdminApi['get']>, status = 200) =>
    (await sent.expect(status)).body.data as Record<string, never> & Record<string, unknown>[];
  const balance = async () => (await dataOf(staff.get(wallet))).balance;
  const pages = async (path: string, key: string) => {
    const [first] = [(await staff.get(`${path}&limit=1`).expect(200)).body];
    const second = (await staff.get(`${path}&limit=1&after=${first.next}`).expect(200)).body;
    expect([first.has_more, second.next]).toEqual([true, null]);
    return [first, second].map(({ data }) => data[0][key] as unknown);
  };

  it('corrects a wallet once, pays money out, and lists the entries', async () => {
    const adjust = () =>
      admin.post(`clients/${`Mango ${made}`}/wallet/adjust`, { amount: 250, reason: 'opening' });
    for (let time = 0; time < 2; time++)
      expect(await dataOf(adjust().set('Idempotency-Key', `a${made}`))).toEqual({
        client_id: store.clientId,
        balance: 250,
        reserved: 0,
      });
    const reference = utr();
    await admin.post(`${wallet}/pay-out`, { amount: '50.50', reference, bank: 'HDFC' }).expect(200);
    expect(
      (await admin.post(`${wallet}/pay-out`, { amount: '50.50', reference }).expect(409)).body.code,
    ).toBe('conflict');
    expect(await balance()).toBe(199.5);
    expect(await pages(`${wallet}/entries?from=2020-01-01`, 'amount')).toEqual([-50.5, 250]);
    expect(await dataOf(staff.get(`${wallet}/entries?kind=adjustment`))).toEqual([
      {
        entry: 1,
        created_at: expect.any(String) as string,
        kind: 'adjustment',
        against: 'adjustments',
        amount: 250,
        balance_after: 250,
        order_number: null,
        payment_id: null,
        actor: `key ${admin.keyId} (ERP of admin)`,
        note: 'opening',
      },
    ]);
    expect((await dataOf(staff.get(`clients/${other.clientId}/wallet`))).balance).toBe(0);
  });

  it('shows and changes auto-pay', async () => {
    const set = (body: object) => dataOf(admin.post(`${wallet}/auto-pay`, body));
    expect(await set({ enabled: true, order_cap: 2000, day_cap: '10000' })).toMatchObject({
      enabled: true,
      order_cap: 2000,
      day_cap: 10_000,
    });
    await set({ order_cap: 'none' });
    expect(await set({})).toMatchObject({ enabled: true, order_cap: null, day_cap: 10_000 });
  });

  it('pays orders of several clients from their wallets, all or none', async () => {
    const { sku } = await test.fixtures.product({ stock: 100, basePrice: '100.00', deliveryCharge: '0' });
    const orders = [
      await test.place(store, orderBody([{ sku, quantity: 1 }])),
      await test.place(other, orderBody([{ sku, quantity: 1 }])),
    ];
    await admin.post(`${wallet}/adjust`, { amount: '150', reason: 'a' }).expect(200);
    const pay = () => staff.post('wallet-payments', { orders, consent: 'Asha Rao, by phone' });
    expect((await pay().expect(409)).body.code).toBe('insufficient_balance');
    expect(await balance()).toBe(150);
    await admin.post(`clients/${other.clientId}/wallet/adjust`, { amount: '100', reason: 'a' }).expect(200);
    expect(await dataOf(pay())).toMatchObject(
      orders.map((order_number) => ({ order_number, status: 'pending', payment_status: 'paid' })),
    );
    expect(await balance()).toBe(50);
    const order = orderBody([{ sku, quantity: 1 }], { store_order_id: `M-${made}` });
    const [number] = [await test.place(store, order), await test.place(other, order)];
    await admin.post(`${wallet}/adjust`, { amount: '50', reason: 'a' }).expect(200);
    const named = { orders: [`M-${made}`] };
    expect((await staff.post('wallet-payments', named).expect(409)).body.code).toBe('client_ambiguous');
    expect(await dataOf(staff.post('wallet-payments', { ...named, client: store.clientId }))).toMatchObject([
      { order_number: number, payment_status: 'paid' },
    ]);
    expect((await pay().expect(409)).body.code).toBe('illegal_transition');
  });

  it('records transfers and cheques, confirms with another amount, and refuses', async () => {
    const client = String(store.clientId);
    const announce = (body: object) => staff.post('transfers', { client, ...body });
    const number = utr();
    const { transfer_id: id } = await dataOf(announce({ amount: 500, utr: number, payer: 'Asha' }), 201);
    const repeated = await announce({ amount: 500, utr: number }).expect(422);
    expect(repeated.body).toMatchObject({ errors: [{ field: 'utr', code: 'conflict', transfer: id }] });
    const cheque = await dataOf(announce({ amount: '75.00', kind: 'cheque', utr: '123 HDFC' }), 201);
    expect(cheque).toMatchObject({ utr: 'CHEQUE 123 HDFC', status: 'announced' });
    const less = await staff.post(`transfers/${id}/confirm`, { amount: 490 }).expect(422);
    expect(less.body.errors).toMatchObject([{ field: 'reason' }]);
    expect(
      await dataOf(staff.post(`transfers/${id}/confirm`, { amount: 490, tds: '5.00', reason: 'charges' })),
    ).toMatchObject({ status: 'confirmed', received: 490, tds: 5 });
    expect(await balance()).toBe(495);
    await staff.post(`transfers/${id}/confirm`, {}).expect(409);
    await staff.post(`transfers/${String(cheque.transfer_id)}/refuse`, { reason: 'bounced' }).expect(200);
    expect(await balance()).toBe(495);
    expect(await pages(`transfers?client=${client}`, 'status')).toEqual(['refused', 'confirmed']);
    expect(await dataOf(staff.get(`transfers?client=${client}&status=confirmed&utr=${number}`))).toHaveLength(
      1,
    );
  });

  it('gives payments up, settles them with the gateway, and sends their money back once', async () => {
    const buyer = await Buyer.of(test, store.clientId);
    const payment = await buyer.topUp('20.00');
    const [open, paid] = [(await buyer.topUp('10.00')).paymentId, payment.paymentId];
    await staff.post(`payments/${open}/give-up`).expect(200);
    expect((await staff.post(`payments/${open}/give-up`).expect(409)).body.code).toBe('conflict');
    await new SandboxBrowser(test).press(payment, 'webhook_lost');
    expect(await dataOf(staff.post(`payments/${paid}/settle`))).toMatchObject({ status: 'paid', amount: 20 });
    const refund = () => admin.post(`payments/${paid}/refund`, { amount: 5 }).set('Idempotency-Key', paid);
    expect(await dataOf(refund())).toMatchObject({ refunds: [{ amount: 5 }] });
    expect((await dataOf(refund())).refunds).toHaveLength(1);
    expect(await balance()).toBe(15);
    const resolve = () => staff.post(`payments/${paid}/resolve`, { note: 'looked' });
    expect((await resolve().expect(409)).body.code).toBe('conflict');
    const concern = "UPDATE payments SET concern = 'no_answer', next_check_at = NULL WHERE payment_id = $1";
    await test.fixtures.sql(concern, [paid]);
    await resolve().expect(200);
    expect(await pages(`payments?client=${store.clientId}`, 'payment_id')).toEqual([open, paid]);
    expect(await dataOf(staff.get(`payments/${paid}`))).toMatchObject({ receipts: [{ refundable: 15 }] });
    expect(await dataOf(staff.get('payments?needs_person=true'))).toEqual([]);
  });

  it.each([
    ['GET', 'clients/:id/wallet', 'packer', 'clients/999999999/wallet', {}, 404, 'client_not_found'],
    ['GET', 'clients/:id/wallet/entries', 'packer', 'clients/:id/wallet/entries?after=x', {}, 422, 'after'],
    ['POST', 'clients/:id/wallet/adjust', 'staff', '', { amount: 0 }, 422, 'amount,reason'],
    [
      'POST',
      'clients/:id/wallet/pay-out',
      'staff',
      '',
      { amount: 'x', reference: '1' },
      422,
      'amount,reference',
    ],
    [
      'POST',
      'clients/:id/wallet/auto-pay',
      'staff',
      '',
      { order_cap: -1, enabeld: true },
      422,
      'enabeld,order_cap',
    ],
    ['GET', 'clients/:id/wallet', 'packer', 'clients/%00/wallet', {}, 400, 'malformed_request'],
    ['GET', 'transfers', 'packer', 'transfers?after=99999999999', {}, 422, 'after'],
    ['GET', 'transfers', 'packer', 'transfers?client=', {}, 422, 'client'],
    [
      'POST',
      'clients/:id/wallet/auto-pay',
      'packer',
      'clients/99/wallet/auto-pay',
      {},
      404,
      'client_not_found',
    ],
    ['GET', 'clients/:id/wallet', 'packer', 'clients/99/wallet/entries', {}, 404, 'client_not_found'],
    ['GET', 'clients/:id/wallet', 'packer', 'clients/1/wallet/entries?from=0000-01-01', {}, 422, 'from'],
    ['GET', 'reports/register', 'packer', 'reports/register?from=0000-01-01', {}, 422, 'from'],
    ['POST', 'wallet-payments', 'packer', '', { orders: [], consent: 1 }, 422, 'orders,consent'],
    ['GET', 'payments', 'packer', 'payments?status=lost', {}, 422, 'status'],
    ['GET', 'payments/:id', 'packer', 'payments/1', {}, 404, 'payment_not_found'],
    ['POST', 'payments/:id/settle', 'packer', 'payments/1/settle', {}, 404, 'payment_not_found'],
    ['POST', 'payments/:id/give-up', 'packer', 'payments/1/give-up', {}, 404, 'payment_not_found'],
    ['POST', 'payments/:id/refund', 'staff', '', { amount: '1.234' }, 422, 'amount'],
    ['POST', 'payments/:id/resolve', 'packer', '', {}, 422, 'note'],
    ['GET', 'transfers', 'packer', 'transfers?client=nobody', {}, 404, 'client_not_found'],
    ['POST', 'transfers', 'packer', '', { amount: '-5', kind: 'gold' }, 422, 'client,amount,utr,kind'],
    ['POST', 'transfers/:id/confirm', 'packer', 'transfers/x/confirm', {}, 404, 'transfer_not_found'],
    ['POST', 'transfers/:id/refuse', 'packer', '', {}, 422, 'reason'],
  ])('%s %s refuses a %s, and a mistake', async (method, path, role, wrongPath, body, status, fault) => {
    const send = (by: AdminApi, to: string) => {
      const real = to.replace(':id', String(store.clientId));
      return method === 'GET' ? by.get(real) : by.post(real, body);
    };
    expect((await send(role === 'staff' ? staff : packer, path).expect(403)).body.code).toBe('role_missing');
    const { body: refused } = await send(admin, wrongPath || path).expect(status);
    const fields = (refused.errors as { field: string }[] | undefined)?.map(({ field }) => field).join();
    expect(status === 422 ? fields : refused.code).toBe(fault);
    expect(await balance()).toBe(0);
  });
});
