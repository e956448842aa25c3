import { jest } from '@jest/globals';
import { Client, type QueryConfig } from 'pg';
import { orderReturns, type OrderReturns } from '../../support/order-returns.js';
import { ReturnsRepository } from '../../../src/modules/fulfilment/returns/returns.repository.js';
import { OrderDeskRepository } from '../../../src/modules/orders/records/order-desk.repository.js';
import { OrderDeskService } from '../../../src/modules/orders/records/order-desk.service.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import { TaxDocumentsService } from '../../../src/modules/invoices/tax-documents.service.js';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import { withoutTriggers } from '../../support/direct-changes.js';
import type { Store } from '../../support/fixtures.js';
import { growDatabase } from '../../support/grown-database.js';
import { orderBody } from '../../support/order-body.js';
import { placeAndMove } from '../../support/order-steps.js';
import { hiddenFields, readable, rows } from '../../support/page-text.js';
import { answerOf, runCommand, runCommandOn } from '../../support/run-command.js';
import { type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

/** As pages show a number. */
const endOf = (number: string) => number.slice(-11);

const SPELLINGS: [string, (end: string) => string][] = [
  ['as pages show it', (end) => end],
  ['without its hyphen, in lower case', (end) => end.replace('-', '').toLowerCase()],
  [
    'with letters heard as digits',
    (end) => ` ${end.replaceAll('0', 'O').replaceAll('1', 'l').replace('-', ' ')}`,
  ],
];

describe('A number that pages shorten', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  let desk: OrderDeskService;
  let returns: OrderReturns;
  let staff: SignedIn<DeskPerson>;
  let store: Store;
  let sku: string;

  beforeAll(async () => {
    desk = test.app.get(OrderDeskService, { strict: false });
    returns = orderReturns(test.app);
    await test.fixtures.seller();
    ({ sku } = await test.fixtures.product({ stock: 1_000, hsn: '691200', gstRate: '18', unit: 'PCS' }));
    store = await test.fixtures.store({ name: 'Mango Market', state: '29' });
    staff = await signInAtDesk(test, 'staff');
  });

  const place = (...steps: ('pay' | 'ship')[]) =>
    placeAndMove(test, store, orderBody([{ sku, quantity: 2 }]), ...steps);
  const requestReturn = async () => {
    const order = await place('pay', 'ship');
    const input = { lines: [{ line: 1, quantity: 1 }], reason: 'Wrong item' };
    return { order, number: (await returns.add(order, input, 'test')).number };
  };
  const find = (typed: string) => staff.get(`/desk/search?q=${encodeURIComponent(typed)}`);

  /** A row of the same table with another day in its number. */
  const twinOf = async (table: 'orders' | 'order_returns', number: string) => {
    const column = table === 'orders' ? 'order_number' : 'return_number';
    const twin = number.replace(/\d{8}/, '20250101');
    const changes = { [column]: twin, ...(table === 'orders' ? { store_order_id: null } : { key: 'twin' }) };
    await test.fixtures.sql(
      withoutTriggers(
        `INSERT INTO ${table}
         SELECT (jsonb_populate_record(r, '${JSON.stringify(changes)}')).* FROM ${table} r
          WHERE ${column} = '${number}'`,
      ),
    );
    return twin;
  };

  describe.each(SPELLINGS)('%s', (_, spell) => {
    it('opens its order and its return in the search of the desk', async () => {
      const { number } = await requestReturn();
      const order = await place();
      expect((await find(spell(endOf(order))).expect(303)).headers.location).toBe(`/desk/orders/${order}`);
      expect((await find(spell(endOf(number))).expect(303)).headers.location).toBe(`/desk/returns/${number}`);
    });

    it('is found in both lists of orders', async () => {
      const order = await place();
      const owner = await signIn(test, store.clientId);
      const query = `search=${encodeURIComponent(spell(endOf(order)))}`;
      for (const [who, path] of [
        [staff, `/desk/orders?status=all&${query}`],
        [owner, `/dashboard/orders?${query}`],
      ] as const) {
        const found = rows((await who.get(path).expect(200)).text);
        expect(found).toEqual([expect.stringContaining(order)]);
      }
    });

    it('names its order in a pasted line, and to the scanner of a packing list', async () => {
      const order = await place('pay');
      const pasted = {
        courier: 'DTDC',
        orders: `${spell(endOf(order)).trim().replace(' ', '-')} ${endOf(order)}`,
        step: 'check',
      };
      const { text } = await staff.post('/desk/packing/ship', pasted).expect(200);
      expect(rows(text)).toEqual([expect.stringContaining(order)]);
      const { key } = hiddenFields((await staff.get('/desk/packing').expect(200)).text);
      const made = await staff.post('/desk/packing', { orders: '99', key: key! }).expect(303);
      const { location } = made.headers;
      const scan = await staff.get(`${location}?code=${encodeURIComponent(spell(endOf(order)))}`).expect(303);
      expect(scan.headers.location).toBe(`${location}/orders/${order}`);
    });

    it('names its order and its return in commands and files', async () => {
      const order = await place('pay');
      const { number } = await requestReturn();
      const url = test.database.serviceUrl;
      expect(await answerOf(url, 'order', 'show', spell(endOf(order)))).toMatchObject({
        order_number: order,
      });
      expect(await answerOf(url, 'return', 'show', spell(endOf(number)))).toMatchObject({ number });
      expect(await answerOf(url, 'return', 'refuse', spell(endOf(number)), '--reason', 'used')).toMatchObject(
        { number, state: 'refused' },
      );
      const load = async (kind: string, file: string) =>
        JSON.parse((await runCommandOn(file, url, kind, 'import', '-', '--json')).stdout);
      const cell = `"${spell(endOf(order))}"`;
      const shipped = await load('shipment', `order_number,courier,tracking_number\n${cell},DTDC,${order}\n`);
      expect(shipped).toMatchObject({ updated: 1, failed: [] });
      const returned = await load('return', `order_number,lines,reason\n${cell},1=1,Broken\n`);
      expect(returned).toMatchObject({ created: 1, failed: [] });
      const corrected = await load(
        'shipment',
        `order_number,courier,tracking_number\n${order},DTDC,${order}\n`,
      );
      expect(corrected).toMatchObject({ updated: 0, unchanged: 1 });
    });
  });

  it('finds the documents of its order', async () => {
    const order = await place('pay', 'ship');
    const owner = await signIn(test, store.clientId);
    for (const [who, path] of [
      [staff, '/desk/money/invoices'],
      [owner, '/dashboard/invoices'],
    ] as const) {
      const { text } = await who.get(`${path}?search=${endOf(order).toLowerCase()}`).expect(200);
      expect(rows(text)).toEqual([expect.stringContaining(order)]);
    }
  });

  it('of a request finds it on the pages of the requests and in the search', async () => {
    const owner = await signIn(test, store.clientId);
    const refused = await test.post(store, '/api/orders', {}).expect(422);
    const id = refused.headers['x-request-id']!;
    await test.app.get(RequestLog, { strict: false }).writeAll();
    const list = async (typed: string) => {
      const path = `/dashboard/requests?request_id=${encodeURIComponent(typed)}`;
      return (await owner.get(path).expect(200)).text.match(/<code>[\da-f]{8}…/g) ?? [];
    };
    for (const typed of [id.slice(0, 8), `${id.slice(0, 8)}…`, id]) {
      expect(await list(typed)).toEqual([`<code>${id.slice(0, 8)}…`]);
      expect((await find(typed).expect(303)).headers.location).toContain('/requests/');
    }
    expect(await list(id.slice(0, 9))).toEqual([]);
    expect(await list(`${id.slice(0, 7)}…`)).toEqual([]);
  });

  describe('that several have', () => {
    it('opens none of two orders, and names both', async () => {
      const order = await place('pay');
      const named = await place('pay');
      const twin = await twinOf('orders', order);
      const other = await test.fixtures.store({ name: 'Other Store' });
      const asId = orderBody([{ sku, quantity: 1 }], { store_order_id: endOf(named) });
      const foreign = await placeAndMove(test, other, asId, 'pay');
      for (const [one, two] of [
        [order, twin],
        [named, foreign],
      ] as const) {
        const { text } = await find(endOf(one)).expect(200);
        expect(rows(text).toSorted()).toEqual([one, two].toSorted().map((n) => expect.stringContaining(n)));
        const both = expect.stringMatching(`(?=.*${one} \\()(?=.*${two} \\()`) as string;
        const { exitCode, stderr } = await runCommand(
          test.database.serviceUrl,
          'order',
          'show',
          endOf(one),
          '--json',
        );
        expect([exitCode, JSON.parse(stderr)]).toEqual([1, { code: 'order_ambiguous', message: both }]);
        const pasted = { courier: 'DTDC', orders: `${endOf(one)} A1`, step: 'check' };
        const checked = await staff.post('/desk/packing/ship', pasted).expect(422);
        expect(readable(checked.text)).toMatch(`fits several orders (`);
        expect(readable(checked.text)).toEqual(both);
        const file = `order_number,courier,tracking_number\n${endOf(one)},DTDC,A1\n`;
        const { stdout } = await runCommandOn(
          file,
          test.database.serviceUrl,
          'shipment',
          'import',
          '-',
          '--json',
        );
        const [low, high] = [one, two].toSorted();
        const message = `fits several orders (${low}, ${high}): use the whole number`;
        expect(JSON.parse(stdout)).toMatchObject({
          updated: 0,
          failed: [{ column: 'order_number', message }],
        });
      }
    });

    it('opens none of two returns, and names both', async () => {
      const { number } = await requestReturn();
      const twin = await twinOf('order_returns', number);
      expect(rows((await find(endOf(number)).expect(200)).text)).toHaveLength(2);
      const message = `Several returns have the number "${endOf(number)}": ${twin}, ${number}. Use the whole number.`;
      await expect(returns.show(endOf(number))).rejects.toMatchObject({ code: 'conflict', message });
      await expect(returns.refuse(endOf(number), 'used', 'test')).rejects.toMatchObject({ message });
    });
  });

  it('of none is said as it was typed', async () => {
    const typed = 'ZZZZZ-ZZZZZ';
    await expect(desk.numberOf(typed)).rejects.toMatchObject({ message: `There is no order ${typed}.` });
    await expect(returns.show(typed)).rejects.toMatchObject({ code: 'return_not_found' });
  });

  it('is looked up by an index', async () => {
    const { number } = await requestReturn();
    const order = await place('pay', 'ship');
    await growDatabase(test.pool, store.clientId, 1, 3_000);
    await test.pool.query('ANALYZE');
    const sent = jest.spyOn(Client.prototype, 'query') as unknown as jest.Mock;
    const orders = await test.app.get(OrderDeskRepository, { strict: false }).findNamed([endOf(order)]);
    const found = await test.app.get(ReturnsRepository, { strict: false }).findNamed(endOf(number));
    const documents = await test.app
      .get(TaxDocumentsService, { strict: false })
      .newest({ search: endOf(order) });
    const calls = sent.mock.calls as [string | QueryConfig, unknown[]?][];
    sent.mockRestore();
    expect([orders, found, documents]).toMatchObject([[{}], [{}], [{}]]);
    const lookUps = calls
      .map(([query, values]) => (typeof query === 'string' ? { text: query, values } : { values, ...query }))
      .filter(({ text, values }) => text.includes('right(') && values !== undefined);
    expect(lookUps).toHaveLength(3);
    for (const { text, values } of lookUps) {
      const { rows: plan } = await test.pool.query(`EXPLAIN ${text}`, values);
      expect(JSON.stringify(plan)).not.toMatch(/Seq Scan on (orders|order_returns)/);
    }
  });
});
