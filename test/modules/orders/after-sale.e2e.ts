import type { AuditRow } from '../../../src/modules/audit/audit-list.repository.js';
import type { OrderExportRow } from '../../../src/modules/orders/records/order-desk.repository.js';
import type { OrderOutput } from '../../../src/modules/orders/records/order-for-file.js';
import type {
  OrderStatusResponse,
  OrderSummaryResponse,
} from '../../../src/modules/orders/order.responses.js';
import { answerOf, runCommand } from '../../support/run-command.js';
import { moveOrder } from '../../support/order-steps.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

const BECAUSE = ['--reason', 'broken'];
const DELHIVERY = ['--courier', 'Delhivery'];

/** Of an order with three mugs of 100.00 each, two boxes of 50.00 each, and a delivery of 20.00. */
const [MUG, BOX] = [100, 50];
const TOTAL = 3 * MUG + 2 * BOX + 20;

describe('After the sale', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store({ name: 'Anaya' }));

  beforeAll(async () => {
    await test.fixtures.product({ sku: 'MUG', basePrice: '100.00', deliveryCharge: '20.00', stock: 1_000 });
    await test.fixtures.product({ sku: 'BOX', basePrice: '50.00', deliveryCharge: '0.00', stock: 1_000 });
    await test.fixtures.product({ sku: 'GIFT', basePrice: '0.00', deliveryCharge: '0.00', stock: 1_000 });
  });
  // What is left of each test must be whole.
  afterEach(async () => {
    expect(await answer('wallet', 'check')).toMatchObject({ contradictions: [] });
  });

  const run = (...args: string[]) => runCommand(test.database.serviceUrl, ...args);
  const answer = <Value>(...args: string[]) => answerOf<Value>(test.database.serviceUrl, ...args);
  const order = (action: string, number: string, ...args: string[]) =>
    answer<OrderOutput>('order', action, number, ...args);
  /** The error of a command that is refused. */
  const refusal = async (...args: string[]) => {
    const { exitCode, stderr } = await run(...args, '--json');
    expect({ args, exitCode }).toEqual({ args, exitCode: 1 });
    return JSON.parse(stderr) as { code: string; message: string };
  };
  const refused = async (message: string, ...args: string[]) =>
    expect((await refusal(...args)).message).toBe(message);

  const place = async (items = [3, 2]): Promise<string> => {
    const [mugs = 0, boxes = 0, gifts = 0] = items;
    const ordered = Object.entries({ MUG: mugs, BOX: boxes, GIFT: gifts })
      .filter(([, quantity]) => quantity > 0)
      .map(([sku, quantity]) => ({ sku, quantity }));
    return test.place(store, ordered);
  };
  const paid = async (items?: number[]): Promise<string> => {
    const number = await place(items);
    await moveOrder(test, store, number, 'pay');
    return number;
  };
  const status = async (number: string): Promise<OrderStatusResponse> => {
    const { body } = await test.get(store, `/api/orders/${number}/status`).expect(200);
    return body as OrderStatusResponse;
  };
  const stockOf = (sku: string) => test.fixtures.stockOf(sku);
  /** How the stock of mugs and boxes changes. */
  const moved = async (work: () => Promise<unknown>) => {
    const before = [await stockOf('MUG'), await stockOf('BOX')];
    await work();
    const after = [await stockOf('MUG'), await stockOf('BOX')];
    return after.map(({ on_hand, held }, n) => [on_hand - before[n]!.on_hand, held - before[n]!.held]);
  };
  const balance = async () =>
    (await answer<{ balance: number }>('wallet', 'show', String(store.clientId))).balance;
  /** How much comes to the wallet. */
  const gained = async (work: () => Promise<unknown>) => {
    const before = await balance();
    await work();
    return (await balance()) - before;
  };

  const found = async (awb: string) =>
    (await answer<OrderExportRow[]>('order', 'list', '--search', awb)).map((hit) => hit.order_number);

  /** Newest first. */
  const audited = async (action: string, number: string) => {
    const entries = await answer<AuditRow[]>('audit', 'list', '--all');
    return entries.filter((entry) => entry.action === action && entry.subject === `order ${number}`);
  };

  describe('an order that leaves in parts', () => {
    it('is pending until the last part has left, and its stock leaves with each parcel', async () => {
      const number = await paid();
      const part = [...DELHIVERY, '--tracking-number', 'DL1', '--line', '1=2', '--line', '2=1'];
      expect(await moved(() => order('ship', number, ...part))).toEqual([
        [-2, -2],
        [-1, -1],
      ]);
      expect(await status(number)).toMatchObject({
        status: 'pending',
        tracking: { courier: 'Delhivery', tracking_number: 'DL1' },
        items: [
          { line: 1, shipped: 2, cancelled: 0 },
          { line: 2, shipped: 1, cancelled: 0 },
        ],
      });
      const rest = ['--courier', 'BlueDart', '--tracking-number', 'BD2'];
      const url = 'https://track.example.com/BD2';
      expect(await moved(() => order('ship', number, ...rest, '--tracking-url', url))).toEqual([
        [-1, -1],
        [-1, -1],
      ]);
      const shipped = await status(number);
      expect(shipped).toMatchObject({ status: 'shipped', payment_status: 'paid', refunded_amount: 0 });
      expect(shipped.items.map((item) => item.shipped)).toEqual([3, 2]);
      const shippedAt = expect.any(String) as string;
      const first = {
        courier: 'Delhivery',
        tracking_number: 'DL1',
        tracking_url: null,
        shipped_at: shippedAt,
      };
      const newest = {
        courier: 'BlueDart',
        tracking_number: 'BD2',
        tracking_url: url,
        shipped_at: shippedAt,
      };
      expect(shipped.tracking).toEqual(newest);
      const parcel = (which: number, facts: object, ...quantities: number[]) => ({
        ...facts,
        parcel: which,
        delivered_at: null,
        lines: quantities.map((quantity, at) => ({ line: at + 1, quantity })),
      });
      expect(shipped.shipments).toEqual([parcel(1, first, 2, 1), parcel(2, newest, 1, 1)]);
      expect(shipped.timeline.map(({ status: notice }) => notice)).toEqual([
        'awaiting_payment',
        'pending',
        'shipped',
      ]);
      const details = { courier: 'Delhivery', tracking_number: 'DL1', lines: '1=2 2=1' };
      expect((await audited('order.shipped', number)).at(-1)).toMatchObject({ details });
      const history = await answer<{ reason: string; on_hand_change: number }[]>('stock', 'history', 'MUG');
      const ofParcels = history.filter(({ reason }) => reason === `shipped ${number}`);
      expect(ofParcels.map(({ on_hand_change: change }) => change)).toEqual([-1, -2]);
    });

    it('keeps the facts of each parcel, and of its neighbour, when another parcel is corrected', async () => {
      const [number, neighbour] = [await paid(), await paid()];
      await order('ship', neighbour, ...DELHIVERY, '--tracking-number', 'NEAR1');
      const untouched = await order('show', neighbour);
      await order('ship', number, ...DELHIVERY, '--tracking-number', 'FIRST1', '--line', '1=1');
      await order('deliver', number, '--parcel', '1');
      // Neither a number nor a link: the first parcel's are not its own.
      await order('ship', number, '--courier', 'Porter');
      const none = { courier: 'Porter', tracking_number: null, tracking_url: null };
      expect(await order('show', number)).toMatchObject({ tracking: none, parcels: [{}, none] });
      await order('correct', number, '--parcel', '1', '--tracking-number', 'MENDED1');
      const mended = { courier: 'Delhivery', tracking_number: 'MENDED1' };
      expect(await order('correct', number, '--courier', 'Dunzo')).toMatchObject({
        tracking: { ...none, courier: 'Dunzo' },
        parcels: [mended, { ...none, courier: 'Dunzo' }],
      });
      const hits = [await found('first1'), await found('mended1'), await found('NEAR1')];
      expect(hits).toEqual([[], [number], [neighbour]]);
      await refused('Parcel 2 was not delivered.', 'order', 'undeliver', number, '--parcel', '2', ...BECAUSE);
      expect(await order('show', neighbour)).toEqual(untouched);
    });

    it('takes back its newest parcel: the units wait in the stock, and the store reads it', async () => {
      const [number, neighbour] = [await paid(), await paid()];
      await order('ship', neighbour, ...DELHIVERY, '--tracking-number', 'NEXT1');
      await order('ship', number, ...DELHIVERY, '--tracking-number', 'GOES1', '--line', '1=2');
      await order('ship', number, '--courier', 'BlueDart', '--tracking-number', 'STAYS2');
      const withdraw = (...args: string[]) => ['order', 'withdraw', number, '--reason', 'a mistake', ...args];
      await refused('Only the newest shipment can be undone: parcel 2.', ...withdraw('--parcel', '1'));
      await refused('The order has no parcel 3.', ...withdraw('--parcel', '3'));
      const { paid_at: paidAt } = (await order('show', number)).payment;
      expect(await moved(() => answer(...withdraw()))).toEqual([
        [1, 1],
        [2, 2],
      ]);
      const after = await status(number);
      expect(after).toMatchObject({
        status: 'pending',
        tracking: { courier: 'Delhivery', tracking_number: 'GOES1' },
        items: [{ shipped: 2 }, { shipped: 0 }],
      });
      expect(after.shipments.map(({ tracking_number: awb }) => awb)).toEqual(['GOES1']);
      expect([await found('STAYS2'), await found('GOES1')]).toEqual([[], [number]]);
      expect((await order('show', number)).changes).toMatchObject([
        {
          before: { parcel_2: 'BlueDart STAYS2, 1 of line 1, 2 of line 2' },
          after: { parcel_2: null },
          reason: 'a mistake',
        },
      ]);
      await expect(test.pool.query('DELETE FROM order_changes')).rejects.toThrow('written once');
      expect((await audited('order.parcel_withdrawn', number)).at(-1)).toMatchObject({
        details: { parcel: 2, was: 'BlueDart STAYS2, 1 of line 1, 2 of line 2', reason: 'a mistake' },
      });
      expect(await moved(() => answer(...withdraw()))).toEqual([
        [2, 2],
        [0, 0],
      ]);
      expect(await order('show', number)).toMatchObject({
        tracking: null,
        parcels: [],
        packing_list: null,
        payment: { paid_at: paidAt },
      });
      await refused('The order has no parcel.', ...withdraw());
      // The next parcel has its number, and may have its tracking.
      expect(await order('ship', number, ...DELHIVERY, '--tracking-number', 'STAYS2')).toMatchObject({
        status: 'shipped',
        parcels: [{ parcel: 1, tracking_number: 'STAYS2' }],
      });
      expect((await order('show', neighbour)).status).toBe('shipped');
    });
  });

  describe('cancelled lines', () => {
    const cancel = (number: string, ...lines: string[]) =>
      order('cancel', number, ...lines.flatMap((line) => ['--line', line]), ...BECAUSE);

    it('are for sale again, and what was paid for them is in the wallet', async () => {
      const number = await paid();
      const changes = [
        [0, -2],
        [0, 0],
      ];
      const once = async () => expect(await moved(() => cancel(number, '1=2'))).toEqual(changes);
      expect(await gained(once)).toBe(2 * MUG);
      // A repetition changes nothing.
      changes[0] = [0, 0];
      expect(await gained(once)).toBe(0);
      expect((await cancel(number, '1=1')).items[0]).toMatchObject({ cancelled: 3 });
      const [refund] = (await order('show', number)).refunds;
      expect(refund).toMatchObject({
        kind: 'cancelled',
        amount: 2 * MUG,
        reason: 'broken',
        lines: [{ line: 1, refunded: 2, cancelled: 2, amount: 2 * MUG }],
      });
      const history = await answer<{ reason: string; held_change: number }[]>('stock', 'history', 'MUG');
      expect(history.find(({ reason }) => reason === `cancelled ${number}: broken`)).toMatchObject({
        held_change: -1,
      });
      const audit = await audited('order.cancelled', number);
      expect(audit).toMatchObject([
        { details: { lines: '1=1', reason: 'broken', refunded: '100.00' } },
        { details: { lines: '1=2', reason: 'broken', refunded: '200.00' } },
      ]);
    });
  });

  describe('a refund', () => {
    const shipped = async (items?: number[]): Promise<string> => {
      const number = await paid(items);
      await order('ship', number, ...DELHIVERY);
      return number;
    };
    const refund = (number: string, ...part: string[]) => order('refund', number, ...part, ...BECAUSE);

    it('of lines, the delivery and an amount goes to the wallet, until all is refunded', async () => {
      const number = await shipped();
      expect(await gained(() => refund(number, '--line', '1=1', '--line', '2=1'))).toBe(MUG + BOX);
      expect(await gained(() => refund(number, '--delivery'))).toBe(20);
      const rest = TOTAL - MUG - BOX - 20;
      expect(await gained(() => refund(number, '--amount', rest.toFixed(2)))).toBe(rest);
      const whole = { payment_status: 'refunded', refunded_amount: TOTAL };
      expect(await status(number)).toMatchObject({ ...whole, items: [{ refunded: 1 }, { refunded: 1 }] });
      const { body } = await test.get(store, '/api/orders').expect(200);
      const listed = (body as { data: OrderSummaryResponse[] }).data;
      expect(listed.find(({ order_number: one }) => one === number)).toMatchObject(whole);
      expect(await answer<OrderExportRow[]>('order', 'list', '--search', number)).toMatchObject([whole]);
      expect((await order('show', number)).refunds).toMatchObject([
        { refund: 1, kind: 'lines', amount: MUG + BOX },
        { refund: 2, kind: 'delivery', amount: 20, lines: [] },
        { refund: 3, kind: 'amount', amount: rest, lines: [] },
      ]);
      const details = { kind: 'amount', reason: 'broken', amount: rest.toFixed(2) };
      expect((await audited('order.refunded', number))[0]).toMatchObject({ details });
    });

    it('is made again with a new key', async () => {
      const number = await shipped();
      for (const key of [[], ['--key', 'second']])
        expect(await gained(() => refund(number, '--amount', '5', ...key))).toBe(5);
    });

    it('is made once, and is clear', async () => {
      const number = await shipped();
      expect(await gained(() => refund(number, '--amount', '5'))).toBe(5);
      expect(await gained(() => refund(number, '--amount', '5'))).toBe(0);
      expect(await gained(() => refund(number, '--amount', '6'))).toBe(6);
      const of = (...part: string[]) => ['order', 'refund', number, ...part, ...BECAUSE];
      const unclear = 'Name lines, the delivery or both, or an amount alone.';
      await refused(unclear, ...of('--delivery', '--amount', '1'));
      await refused(unclear, ...of());
    });
  });
});
