import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { setUpTestApp } from '../support/test-app.js';

interface Placed {
  order_number: string;
}

describe('A client', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let anaya: { client_id: number };

  const run = (...args: string[]) => runCommand(test.database.url, ...args);
  const answer = <Value>(...args: string[]) => answerOf<Value>(test.database.url, ...args);
  const add = (name: string, email: string, domain: string, ...more: string[]) => {
    const who = ['--name', name, '--email', email, '--domain', domain];
    return run('client', 'add', ...who, '--plan', 'gold', '--until', '2099-12-31', '--json', ...more);
  };

  beforeAll(async () => {
    await answer('plan', 'set', 'gold');
    const { stdout } = await add('Anaya Home', 'anaya@example.com', 'anaya.example.com');
    anaya = JSON.parse(stdout) as { client_id: number };
  });

  it.each([
    ['at the domain of another', ['Other', 'other@example.com', 'https://www.Anaya.example.com/']],
    ['with name and e-mail of another', ['anaya home', 'Anaya@Example.com', 'second.example.com']],
  ])('%s is not added without --force', async (_, [name, email, domain]) => {
    const refused = await add(name!, email!, domain!);
    expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
    const { code, message } = JSON.parse(refused.stderr) as { code: string; message: string };
    expect(code).toBe('conflict');
    expect(message).toMatch(new RegExp(`client ${anaya.client_id}\\b.*use “force”`, 'i'));
    expect(await answer<object[]>('client', 'list')).toHaveLength(2);
  });

  it('is added once by two who add it at the same moment', async () => {
    const twice = await Promise.all([1, 2].map(() => add('Twin', 'twin@example.com', 'twin.example.com')));
    expect(twice.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 1]);
  });

  it('gets a token for the domain of another with --force only', async () => {
    const issue = (...more: string[]) =>
      run('token', 'issue', 'twin@example.com', '--domain', 'anaya.example.com', '--json', ...more);
    expect((await issue()).exitCode).toBe(1);
    const { exitCode, stdout } = await issue('--force');
    expect(exitCode).toBe(0);
    // A revoked token blocks no other client.
    await answer('token', 'revoke', String((JSON.parse(stdout) as { token_id: number }).token_id));
    const second = await answer<{ token_id: number }>(
      'token',
      'issue',
      String(anaya.client_id),
      '--domain',
      'anaya.example.com',
    );
    await answer('token', 'revoke', String(second.token_id));
  });

  it('is listed with the domains of its tokens that are good', async () => {
    const listed = await answer<{ client_id: number }[]>('client', 'list');
    expect(listed.find(({ client_id }) => client_id === anaya.client_id)).toMatchObject({
      domains: ['anaya.example.com'],
    });
    expect((await run('client', 'list')).stdout).toMatch(/DOMAINS[\s\S]*anaya\.example\.com/);
  });

  it.each(['anaya home', 'ANAYA@example.com', 'https://www.anaya.example.com/', ' Anaya.example.com '])(
    'is found by %j in every command that takes a client',
    async (called) => {
      expect(await answer('client', 'show', called)).toMatchObject({ client_id: anaya.client_id });
      expect(await answer('wallet', 'show', called)).toMatchObject({ client_id: anaya.client_id });
      expect(await answer<object[]>('token', 'list', called)).toHaveLength(2);
      expect(await answer('order', 'list', '--client', called)).toEqual([]);
      expect(
        await answer('subscription', 'set', called, '--plan', 'gold', '--until', '2099-06-30'),
      ).toMatchObject({
        client_id: anaya.client_id,
      });
    },
  );

  it('shows the start of a subscription in the time zone of the settings', async () => {
    const set = ['subscription', 'set', 'Anaya Home', '--plan', 'gold', '--from', '2099-01-01'];
    const { stdout } = await run(...set, '--until', '2099-06-30');
    expect(stdout).toContain('has plan gold from 2099-01-01 00:00:00 until 2099-06-30.');
  });

  it('needs its number where several have one name, and unknown where none is', async () => {
    await add('Anaya Home', 'anaya@example.com', 'anaya2.example.com', '--force');
    const { exitCode, stderr } = await run('client', 'show', 'Anaya Home', '--json');
    const { code, message } = JSON.parse(stderr) as { code: string; message: string };
    expect([exitCode, code]).toEqual([1, 'client_ambiguous']);
    expect(message).toContain(`${anaya.client_id} (Anaya Home, anaya@example.com), `);
    expect(await answer('client', 'show', 'anaya2.example.com')).toMatchObject({
      domains: ['anaya2.example.com'],
    });
    // The domain of a token that has ended names its client no more.
    await test.fixtures.sql('UPDATE tokens SET ends_at = now() WHERE domain = $1', ['anaya2.example.com']);
    const ended = await run('client', 'show', 'anaya2.example.com', '--json');
    expect(JSON.parse(ended.stderr)).toMatchObject({ code: 'client_not_found' });
    const unknown = await run('order', 'list', '--client', 'missing.example.com', '--json');
    expect(JSON.parse(unknown.stderr)).toEqual({
      code: 'client_not_found',
      message: 'There is no client "missing.example.com".',
    });
  });

  it('is found by the start of its name if only one name starts so', async () => {
    const added = async (name: string, place: string) => {
      const { stdout } = await add(name, `${place}@example.com`, `${place}.example.com`);
      const { client_id } = JSON.parse(stdout) as typeof anaya;
      return { client_id };
    };
    const zoya = await added('Zoya Linen', 'zoya');
    await added('Zoya_Linen & Sons', 'zoya-sons');
    expect(await answer('client', 'show', 'zoya l')).toMatchObject(zoya);
    // An exact name wins, though another name starts with it.
    const short = await added('Zoya', 'zoya-short');
    expect(await answer('wallet', 'show', 'ZOYA')).toMatchObject(short);

    const several = await run('client', 'show', 'zoy', '--json');
    expect([several.exitCode, JSON.parse(several.stderr)]).toEqual([
      1,
      {
        code: 'client_ambiguous',
        message:
          `The names of several clients begin with "zoy": ${zoya.client_id} (Zoya Linen, zoya@example.com), ` +
          `${zoya.client_id + 1} (Zoya_Linen & Sons, zoya-sons@example.com), ` +
          `${short.client_id} (Zoya, zoya-short@example.com). Name the client by its number.`,
      },
    ]);
    for (const none of ['oya', 'zoya%', '']) {
      const unknown = await run('client', 'show', none, '--json');
      expect(JSON.parse(unknown.stderr)).toEqual({
        code: 'client_not_found',
        message: `There is no client "${none}".`,
      });
    }
  });

  it.each(['twin', 'tw', 'twin.example.com'])(
    'is named by %j for its transfers and payments too',
    async (called) => {
      const utr = `N3242611200047${called.length}`;
      expect(await answer('transfer', 'announce', called, '5000', utr)).toMatchObject({ utr, amount: 5000 });
      const transfers = await answer<{ utr: string }[]>('transfer', 'list', '--client', called);
      expect(transfers[0]).toMatchObject({ utr });
      expect(await answer('payment', 'list', '--client', called)).toEqual([]);
      const unknown = await run('payment', 'list', '--client', `${called}x`, '--json');
      expect(JSON.parse(unknown.stderr)).toMatchObject({ code: 'client_not_found' });
    },
  );

  describe('with orders', () => {
    let store: Store;
    let other: Store;
    let number: string;

    beforeAll(async () => {
      store = await test.fixtures.store({ domain: 'orders.example.com', name: 'Orders' });
      other = await test.fixtures.store({ domain: 'others.example.com', name: 'Others' });
      const { sku } = await test.fixtures.product();
      const body = orderBody([{ sku, quantity: 1 }], { store_order_id: 'WEB-1001' });
      await test.post(other, '/api/orders', body).expect(201);
      const only = orderBody([{ sku, quantity: 2 }], { store_order_id: 'ONLY-7' });
      await test.post(store, '/api/orders', only).expect(201);
      number = ((await test.post(store, '/api/orders', body).expect(201)).body as Placed).order_number;
    });

    it('has them found by its own ids', async () => {
      const whose = ['--client', 'orders.example.com'];
      expect(await answer('order', 'show', 'WEB-1001', ...whose)).toMatchObject({ order_number: number });
      expect(await answer('order', 'show', number.toLowerCase(), ...whose)).toMatchObject({
        order_number: number,
      });
      await answer('wallet', 'adjust', 'Orders', '1000', '--reason', 'advance');
      expect(await answer('wallet', 'pay', 'WEB-1001', ...whose)).toMatchObject([
        { order_number: number, status: 'pending' },
      ]);
      expect(await answer('order', 'ship', 'WEB-1001', ...whose, '--courier', 'X')).toMatchObject({
        status: 'shipped',
      });
    });

    it('is asked for only if two clients have an order with that id', async () => {
      expect(await answer('order', 'show', ' ONLY-7 ')).toMatchObject({
        client_id: store.clientId,
        store_order_id: 'ONLY-7',
      });
      expect(await answer('order', 'cancel', 'ONLY-7', '--reason', 'a test')).toMatchObject({
        status: 'cancelled',
        store_order_id: 'ONLY-7',
      });
      for (const command of [
        ['order', 'show'],
        ['order', 'deliver'],
        ['wallet', 'pay'],
      ]) {
        const { exitCode, stderr } = await run(...command, 'WEB-1001', '--json');
        const { rows } = await test.pool.query<{ email: string }>(
          'SELECT email FROM clients WHERE id = ANY ($1) ORDER BY id',
          [[store.clientId, other.clientId]],
        );
        const [email, another] = rows.map((row) => row.email);
        expect([exitCode, JSON.parse(stderr)]).toEqual([
          1,
          {
            code: 'client_ambiguous',
            message:
              `Several clients have an order "WEB-1001": ${store.clientId} (Orders, ${email}), ` +
              `${other.clientId} (Others, ${another}). Add --client with its number.`,
          },
        ]);
      }
      const unknown = await run('order', 'show', 'ONLY-8', '--json');
      expect(JSON.parse(unknown.stderr)).toEqual({
        code: 'order_not_found',
        message: 'There is no order ONLY-8.',
      });
    });

    it('is found with its orders by all that names them', async () => {
      const { sku } = await test.fixtures.product();
      const { customer, shipping, ...order } = orderBody([{ sku, quantity: 1 }], {
        store_order_id: 'FIND/9',
      });
      const body = {
        ...order,
        customer: { ...customer, name: 'Zubin Contractor', phone: '+91 90000 12345' },
        shipping: { ...shipping, city: 'Udhagamandalam' },
      };
      const placed = (await test.post(store, '/api/orders', body).expect(201)).body as Placed;
      await answer('order', 'pay', 'FIND/9');
      await answer('order', 'ship', 'FIND/9', '--courier', 'X', '--tracking-number', 'DL-4711 IN');
      for (const text of [
        'zubin',
        'contractor',
        '0 90000-12345',
        'udhaga',
        'dl-4711',
        'FIND/9',
        placed.order_number,
      ])
        expect([text, await answer('order', 'list', '--search', text)]).toEqual([
          text,
          [
            expect.objectContaining({
              order_number: placed.order_number,
              client: 'Orders',
              customer_name: 'Zubin Contractor',
              city: 'Udhagamandalam',
              tracking_number: 'DL-4711 IN',
            }),
          ],
        ]);
      expect(await answer('order', 'list', '--search', 'zubin', '--client', 'Others')).toEqual([]);
      expect(await answer('order', 'list', '--search', 'zubin', '--status', 'pending')).toEqual([]);
      expect(await answer('order', 'list', '--status', 'shipped', '--client', 'Orders')).toHaveLength(2);
      expect(await answer('order', 'list', '--since', '2099-01-01')).toEqual([]);
      const { stdout } = await run('order', 'list', '--search', 'zubin');
      expect(stdout).toMatch(
        / CUSTOMER NAME +CITY +TRACKING NUMBER\n.* Zubin Contractor +Udhagamandalam +DL-4711 IN\n$/,
      );
    });

    it('is listed with its balance and its unpaid orders', async () => {
      const { rows } = await test.pool.query<{ total: number }>(
        'SELECT total::float8 AS total FROM orders WHERE client_id = $1',
        [other.clientId],
      );
      const [unpaid] = rows;
      const listed = await answer<{ client_id: number }[]>('client', 'list');
      expect(listed.filter(({ client_id }) => client_id >= store.clientId)).toMatchObject([
        { client_id: store.clientId, balance: 1000 - unpaid!.total, unpaid_orders: 0, unpaid_total: 0 },
        { client_id: other.clientId, balance: 0, unpaid_orders: 1, unpaid_total: unpaid!.total },
      ]);
      expect(await answer('client', 'show', 'Others')).toMatchObject({ unpaid_total: unpaid!.total });
      const { stdout } = await run('client', 'list');
      expect(stdout).toMatch(/ BALANCE +UNPAID ORDERS +UNPAID TOTAL\n/);
      expect(stdout).toMatch(new RegExp(`Others .* 0 +1 +${unpaid!.total}\\n`));
    });

    it('has none by an id or a number that is not its own', async () => {
      for (const [name, client] of [
        ['WEB-1002', 'orders.example.com'],
        [number, 'others.example.com'],
      ] as const) {
        const { exitCode, stderr } = await run('order', 'show', name, '--client', client, '--json');
        expect([exitCode, JSON.parse(stderr)]).toMatchObject([1, { code: 'order_not_found' }]);
      }
    });
  });
});
