import type { Command } from 'commander';
import { createCli } from '../../src/cli/create-cli.js';
import { orderReturns } from '../support/order-returns.js';
import { BankTransfersService } from '../../src/modules/payments/bank-transfers.service.js';
import { RequestLog } from '../../src/modules/request-log/recording/request-log.js';
import { monthAt } from '../../src/platform/time/time.js';
import { openCompany } from '../browser/support/company.js';
import { Buyer } from '../support/buyer.js';
import { withoutTriggers } from '../support/direct-changes.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { moveOrder } from '../support/order-steps.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { endEverything } from '../support/suite-end.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

describe('A list of the commands', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());

  beforeAll(async () => {
    await test.fixtures.store();
    await test.fixtures.store();
    const { sku } = await test.fixtures.product({ stock: 9 });
    for (const amount of ['10', '20', '30']) {
      await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }])).expect(201);
      await test.post(store, '/api/orders', orderBody([{ sku: 'NONE', quantity: 1 }])).expect(422);
      await test.app.get(RequestLog, { strict: false }).writeAll();
      await run('wallet', 'adjust', String(store.clientId), amount, '--reason', 'a test');
      await run('transfer', 'announce', String(store.clientId), amount, `UTR00000000${amount}`);
      const email = `person-${amount}@example.com`;
      await run('person', 'invite', String(store.clientId), '--email', email, '--role', 'viewer');
      await test.fixtures.sql(
        `INSERT INTO outbox (mail_id, recipient, subject, body, useful_until)
         VALUES (gen_random_uuid(), 'a@example.com', 'A mail', 'A text', now() + interval '1 day')`,
        [],
      );
    }
  });

  const run = (...args: string[]) => runCommand(test.database.serviceUrl, ...args);

  const LISTS = [
    ['order', 'list'],
    ['wallet', 'history', 'CLIENT'],
    ['transfer', 'list'],
    ['order', 'refused'],
    ['client', 'list'],
    ['person', 'list'],
    ['mail', 'list'],
  ];

  const named = (list: string[]) => list.map((word) => (word === 'CLIENT' ? String(store.clientId) : word));
  const more = (count: number) =>
    count === 0 ? '' : `${count} more. --limit <count> shows more of them, --all shows all.`;

  it.each(LISTS.map((list) => [list.join(' '), list] as const))(
    'shows as many rows of %s as it may, and says how many more there are',
    async (_, list) => {
      for (const [limit, left] of [
        [2, 1],
        [3, 0],
        [4, 0],
      ] as const) {
        const { stdout, stderr } = await run(...named(list), '--limit', String(limit));
        expect(stdout.trimEnd().split('\n')).toHaveLength(1 + 3 - left);
        expect(stderr.trim()).toBe(more(left));
        const asJson = await run(...named(list), '--limit', String(limit), '--json');
        expect(asJson.exitCode).toBe(0);
        expect(JSON.parse(asJson.stdout)).toHaveLength(3 - left);
        expect(asJson.stderr.trim()).toBe(
          left === 0 ? '' : JSON.stringify({ code: 'more', message: more(left) }),
        );
      }
      const { stdout, stderr } = await run(...named(list), '--limit', '1', '--all');
      expect(stdout.trimEnd().split('\n')).toHaveLength(4);
      expect(stderr).toBe('');
    },
  );

  it('has 50 rows unless it is told otherwise, in every list', async () => {
    const { stdout } = await run('order', 'list', '--help');
    expect(stdout).toMatch(/--limit <count>\s+how many rows to show \(default: 50\)/);
  });

  afterAll(endEverything);
});

type Row = Record<string, unknown>;

const HOUR_MS = 3_600_000;
/** Between the orders of `openCompany`, and between the rows that `makeOld` moves and the others. */
const MIDDLE = new Date(Date.now() - 40 * HOUR_MS).toISOString();
const MONTH = monthAt(Date.now(), 'Asia/Kolkata');

/** Commands that list, export or add up rows. */
const LIST = / (list|export|refused|history|totals|sales|sales-export)$/;

const CLIENTS = ['CLIENT', 'OTHER'];
const TIMES = { '--from': [MIDDLE], '--to': [MIDDLE] };
const ORDER_TIMES = {
  ...TIMES,
  '--paid-from': [MIDDLE],
  '--paid-to': [MIDDLE],
  '--shipped-from': [MIDDLE],
  '--shipped-to': [MIDDLE],
};

/** Each filter of a command, with values that choose other rows each. */
const FILTERS: Record<string, Record<string, string[]>> = {
  'order list': {
    ...ORDER_TIMES,
    '--client': CLIENTS,
    '--status': ['pending', 'shipped', 'delivered', 'awaiting_payment', 'cancelled'],
    '--search': ['Kochi', 'Hyderabad'],
  },
  'order export --status pending': {
    '--client': CLIENTS,
    ...TIMES,
    '--paid-from': [MIDDLE],
    '--paid-to': [MIDDLE],
  },
  'order export': { '--status': ['shipped', 'delivered'] },
  'order export --status shipped': { '--shipped-from': [MIDDLE], '--shipped-to': [MIDDLE] },
  'order refused': { '--client': CLIENTS, '--since': [MIDDLE] },
  'order sales-export': { ...ORDER_TIMES, '--client': CLIENTS },
  'order totals --by day': { ...ORDER_TIMES, '--client': CLIENTS },
  'return list': {
    '--client': CLIENTS,
    '--state': ['requested', 'received', 'refused'],
    '--since': [MIDDLE],
  },
  'invoice list': {
    '--client': CLIENTS,
    '--kind': ['invoice', 'credit_note'],
    '--month': [MONTH, '2025-05'],
    '--search': ['Other Shop', 'Anaya'],
  },
  [`invoice export --month ${MONTH}`]: { '--client': CLIENTS, '--kind': ['invoice', 'credit_note'] },
  'payment list': { '--client': CLIENTS, '--status': ['open', 'failed'], '--needs-person': [] },
  'transfer list': { '--client': CLIENTS, '--status': ['announced', 'refused'] },
  'report sales --by day': { ...TIMES, '--client': CLIENTS },
  'mail list': { '--state': ['waiting', 'sent'] },
  'changes list': { '--subject': ['plan', 'subscription'], '--since': [MIDDLE], '--to': [MIDDLE] },
  'audit list': {
    '--client': CLIENTS,
    '--person': ['OWNER', 'BUYER'],
    '--action': ['order.', 'person.'],
    '--subject': ['order ', 'person '],
    '--since': [MIDDLE],
    '--to': [MIDDLE],
  },
  'stock history TEA-250': { '--since': [MIDDLE] },
};

/** The table and the time of rows. The first row of each becomes old. */
const TIMES_OF = {
  order_returns: 'requested_at',
  audit_log: 'happened_at',
  changes: 'changed_at',
  stock_movements: 'moved_at',
};

describe('Each filter of a list of the commands', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  const company = makeBeforeAll(() => openCompany(test));
  const words = new Map<string, string>();

  beforeAll(async () => {
    const other = await test.fixtures.store({ name: 'Other Shop', state: '29' });
    words.set('CLIENT', String(company.store.clientId)).set('OTHER', String(other.clientId));
    const orders = [];
    for (let n = 0; n < 4; n++) orders.push(await test.place(other, [{ sku: 'TEA-250', quantity: 2 }]));
    const [, oldPending, shipped, oldShipped] = orders as [string, string, string, string];
    for (const number of orders) await moveOrder(test, other, number, 'pay');
    for (const number of [shipped, oldShipped]) await moveOrder(test, other, number, 'ship');
    for (const number of [oldPending, oldShipped]) await test.fixtures.age(80, number);
    const returns = orderReturns(test.app);
    const sentBack = { lines: [{ line: 1, quantity: 1 }], reason: 'Wrong item' };
    const { number } = await returns.add(shipped, sentBack, 'test');
    await returns.refuse(number, 'worn', 'test');
    const buyer = await Buyer.of(test, other.clientId);
    await buyer.topUp('500');
    words.set('BUYER', String(buyer.person.id)).set('OWNER', String(company.owner.person.id));
    await test.fixtures.sql(
      `INSERT INTO payments (client_id, payment_id, provider, gateway_order_id, amount, currency, status, actor,
                             concern)
       VALUES ($1, gen_random_uuid(), 'sandbox', 'order_1', 100, 'INR', 'failed', 'test', 'amount_differs')`,
      [other.clientId],
    );
    const transfers = test.app.get(BankTransfersService, { strict: false });
    const transfer = await transfers.announce(other.clientId, '5', 'N1234567890', 'test');
    await transfers.refuse(transfer.transfer_id, 'no such transfer', 'test');
    for (const store of [company.store, company.store, other])
      await test.post(store, '/api/orders', { items: [{ sku: 'NONE', quantity: 1 }] }).expect(422);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    await test.pool.query(
      withoutTriggers(`
        INSERT INTO outbox (mail_id, recipient, subject, body, useful_until, next_try_at, sent_at)
        VALUES (gen_random_uuid(), 'a@example.com', 'A mail', 'A text', now() + interval '1 day', now(), NULL),
               (gen_random_uuid(), 'a@example.com', 'A mail', NULL, now() + interval '1 day', NULL, now());
        UPDATE store_requests SET answered_at = answered_at - interval '3 days'
         WHERE id = (SELECT min(id) FROM store_requests WHERE route = '/api/orders' AND status = 422);
        UPDATE tax_documents SET issued_at = '2025-05-10', issued_on = '2025-05-10'
         WHERE number = (SELECT min(number) FROM tax_documents WHERE kind = 'invoice');
        ${Object.entries(TIMES_OF)
          .map(
            ([table, time]) => `UPDATE ${table} SET ${time} = ${time} - interval '3 days'
              WHERE ctid = (SELECT min(ctid) FROM ${table})`,
          )
          .join(';')}`),
    );
  });

  const rowsOf = async (command: string, ...filter: string[]) => {
    const args = [...command.split(' '), ...filter.map((word) => words.get(word) ?? word)];
    const rows = await answerOf<Row[]>(
      test.database.serviceUrl,
      ...args,
      ...(command.endsWith(' list') ? ['--all'] : []),
    );
    return rows.map((row) => (command === 'order list' ? String(row.order_number) : JSON.stringify(row)));
  };

  const cases = Object.entries(FILTERS).flatMap(([command, filters]) =>
    Object.entries(filters).map(([flag, values]) => [command, flag, values] as const),
  );

  it('has a case below', () => {
    const listed = cases.map(([command, flag]) => `${/^\w+ [\w-]+/.exec(command)![0]} ${flag}`);
    const declared = filtersOf(createCli([]).program);
    expect(declared.filter((filter) => !listed.includes(filter))).toEqual([]);
  });

  it.each(cases)('%s %s shows the rows that it names, and no others', async (command, flag, values) => {
    const all = await rowsOf(command);
    // Sums, and a filter that has a default, show rows that the command does not show without it.
    const hasOtherRows = / --by |^order export$/.test(command);
    const earlier = new Set<string>();
    for (const value of values.length > 0 ? values.map((each) => [each]) : [[]]) {
      const rows = await rowsOf(command, flag, ...value);
      expect([value, hasOtherRows || rows.length > 0, hasOtherRows || rows.length < all.length]).toEqual([
        value,
        true,
        true,
      ]);
      expect(rows).not.toEqual(all);
      if (!hasOtherRows) expect(rows.filter((row) => !all.includes(row))).toEqual([]);
      expect(rows.filter((row) => earlier.has(row))).toEqual([]);
      for (const row of rows) earlier.add(row);
    }
  });

  afterAll(endEverything);
});

function filtersOf(command: Command, group = ''): string[] {
  return command.commands.flatMap((each) => {
    const name = `${group}${each.name()}`;
    if (each.commands.length > 0) return filtersOf(each, `${name} `);
    const filters = each.options.filter(
      ({ description, mandatory }) => !mandatory && description.startsWith('only '),
    );
    // Of two names, the shorter one stands first: "--from, --since <date>".
    return LIST.test(name) ? filters.map(({ flags }) => `${name} ${/^[\w-]+/.exec(flags)![0]}`) : [];
  });
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
    for (const none of ['oya', 'zoya%']) {
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
      number = await test.place(store, body);
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
              `${other.clientId} (Others, ${another}). Add "client" with its number.`,
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
      const { customer, shipping, ...order } = orderBody([{ sku, quantity: 2 }], {
        store_order_id: 'FIND/9',
      });
      const body = {
        ...order,
        customer: { ...customer, name: 'Zubin Contractor', phone: '+91 90000 12345' },
        shipping: { ...shipping, city: 'Udhagamandalam' },
      };
      const placed = await test.place(store, body);
      await answer('order', 'pay', 'FIND/9');
      const ship = ['order', 'ship', 'FIND/9', '--courier', 'X', '--tracking-number'];
      await answer(...ship, 'AWB-0815 IN', '--line', '1=1');
      await answer(...ship, 'DL-4711 IN');
      for (const text of [
        'zubin',
        'contractor',
        '0 90000-12345',
        'udhaga',
        'awb-0815',
        'dl-4711',
        'FIND/9',
        placed,
      ])
        expect([text, await answer('order', 'list', '--search', text)]).toEqual([
          text,
          [
            expect.objectContaining({
              order_number: placed,
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
