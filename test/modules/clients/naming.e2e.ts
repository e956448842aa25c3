import { adminApi, dataOf } from '../../support/admin-api.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('A client', () => {
  const test = setUpTestApp();
  const admin = makeBeforeAll(() => adminApi(test));
  let anaya: number;

  const add = (name: string, email: string, domain: string, force = false) =>
    admin.post('clients', { name, email, domain, plan: 'gold', until: '2099-12-31', force });
  const added = async (...who: Parameters<typeof add>) =>
    (await dataOf(add(...who), 201)).client_id as number;
  const found = async (name: string) =>
    (await dataOf(admin.get(`clients/${encodeURIComponent(name)}`))).client_id;
  const notFound = async (name: string) =>
    (await admin.get(`clients/${encodeURIComponent(name)}`)).body as { code: string; message: string };

  beforeAll(async () => {
    await test.fixtures.neighbours();
    await test.fixtures.plan({ code: 'gold' });
    anaya = await added('Anaya Home', 'anaya@example.com', 'anaya.example.com');
  });

  it.each([
    ['at the domain of another', ['Other', 'other@example.com', 'https://www.Anaya.example.com/']],
    ['with name and e-mail of another', ['anaya home', 'Anaya@Example.com', 'second.example.com']],
  ])('%s is not added without force', async (_, [name, email, domain]) => {
    const { body } = await add(name!, email!, domain!).expect(409);
    expect(body).toMatchObject({ code: 'conflict' });
    expect(body.message).toMatch(new RegExp(`client ${anaya}\\b.*use “force”`, 'i'));
  });

  it('is added once by two who add it at the same moment', async () => {
    const twice = await Promise.all([1, 2].map(() => add('Twin', 'twin@example.com', 'twin.example.com')));
    expect(twice.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it('gets a token for the domain of another with force only; a revoked one blocks no other', async () => {
    const issue = (client: string | number, force = false) =>
      admin.post(`clients/${client}/tokens`, { domain: 'anaya.example.com', force });
    await issue('twin@example.com').expect(409);
    const { token_id: forced } = await dataOf(issue('twin@example.com', true), 201);
    await admin.delete(`tokens/${forced as number}`).expect(200);
    const { token_id: second } = await dataOf(issue(anaya), 201);
    await admin.delete(`tokens/${second as number}`).expect(200);
  });

  it('is found by its name, e-mail address and domain, in any spelling, by all that takes a client', async () => {
    for (const called of [
      'anaya home',
      'ANAYA@example.com',
      'https://www.anaya.example.com/',
      ' Anaya.example.com ',
    ]) {
      expect(await found(called)).toBe(anaya);
      const [path, query] = [`clients/${encodeURIComponent(called)}`, encodeURIComponent(called)];
      expect(await dataOf(admin.get(`${path}/wallet`))).toMatchObject({ client_id: anaya });
      expect((await admin.get(`${path}/tokens`)).body.data).toHaveLength(2);
      for (const list of ['orders', 'transfers', 'payments'])
        expect((await admin.get(`${list}?client=${query}`).expect(200)).body.data).toEqual([]);
    }
  });

  it('needs its number where several have one name, and is unknown by a domain whose token has ended', async () => {
    const second = await added('Anaya Home', 'anaya@example.com', 'anaya2.example.com', true);
    const { code, message } = await notFound('Anaya Home');
    expect(code).toBe('client_ambiguous');
    expect(message).toContain(`${anaya} (Anaya Home, anaya@example.com), `);
    expect(await found('anaya2.example.com')).toBe(second);
    await test.fixtures.sql('UPDATE tokens SET ends_at = now() WHERE domain = $1', ['anaya2.example.com']);
    expect(await notFound('anaya2.example.com')).toMatchObject({ code: 'client_not_found' });
  });

  it('is found by the start of its name if only one name starts so', async () => {
    const zoya = await added('Zoya Linen', 'zoya@example.com', 'zoya.example.com');
    await added('Zoya_Linen & Sons', 'zoya-sons@example.com', 'zoya-sons.example.com');
    expect(await found('zoya l')).toBe(zoya);
    // An exact name wins, though another name starts with it.
    const short = await added('Zoya', 'zoya-short@example.com', 'zoya-short.example.com');
    expect(await found('ZOYA')).toBe(short);
    expect(await notFound('zoy')).toMatchObject({
      code: 'client_ambiguous',
      message:
        `The names of several clients begin with "zoy": ${zoya} (Zoya Linen, zoya@example.com), ` +
        `${zoya + 1} (Zoya_Linen & Sons, zoya-sons@example.com), ` +
        `${short} (Zoya, zoya-short@example.com). Name the client by its number.`,
    });
    for (const none of ['oya', 'zoya%', 'missing.example.com'])
      expect(await notFound(none)).toMatchObject({
        code: 'client_not_found',
        message: `There is no client "${none}".`,
      });
  });

  describe('with orders', () => {
    let [store, other]: [Store?, Store?] = [];
    let number: string;
    const show = (order: string) => admin.get(`orders/${encodeURIComponent(order)}`);

    beforeAll(async () => {
      store = await test.fixtures.store({ domain: 'orders.example.com', name: 'Orders' });
      other = await test.fixtures.store({ domain: 'others.example.com', name: 'Others' });
      const { sku } = await test.fixtures.product();
      const body = (id: string) => orderBody([{ sku, quantity: 2 }], { store_order_id: id });
      await test.place(other, body('WEB-1001'));
      await test.place(store, body('ONLY-7'));
      number = await test.place(store, body('WEB-1001'));
    });

    it('has them found by its own ids, unless two clients have an order with that id', async () => {
      expect(await dataOf(show(' ONLY-7 '))).toMatchObject({ client_id: store!.clientId });
      expect(await dataOf(show(number.toLowerCase()))).toMatchObject({ order_number: number });
      for (const { body } of [
        await show('WEB-1001').expect(409),
        await admin.post('orders/WEB-1001/deliver', {}).expect(409),
        await admin.post('wallet-payments', { orders: ['WEB-1001'], consent: 'Asha' }).expect(409),
      ]) {
        expect(body.code).toBe('client_ambiguous');
        for (const [client, name] of [
          [store, 'Orders'],
          [other, 'Others'],
        ] as const)
          expect(body.message).toContain(`${client!.clientId} (${name}, `);
      }
      expect((await show('ONLY-8').expect(404)).body.code).toBe('order_not_found');
    });

    it('is listed with its balance and its unpaid orders', async () => {
      const listed = (await admin.get('clients?search=Others').expect(200)).body.data as object[];
      const { rows } = await test.pool.query<{ total: number }>(
        'SELECT total::float8 AS total FROM orders WHERE client_id = $1',
        [other!.clientId],
      );
      const unpaid = { balance: 0, unpaid_orders: 1, unpaid_total: rows[0]!.total };
      expect(listed).toMatchObject([{ client_id: other!.clientId, ...unpaid }]);
    });
  });
});
