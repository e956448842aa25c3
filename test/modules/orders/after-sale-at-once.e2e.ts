import type { INestApplicationContext } from '@nestjs/common';
import { OrderDeskService } from '../../../src/modules/orders/records/order-desk.service.js';
import { OrderReturnsService } from '../../../src/modules/fulfilment/returns/order-returns.service.js';
import { contradictions } from '../../support/books.js';
import type { Store } from '../../support/fixtures.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { OperatorServices } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { setUpTestApp } from '../../support/test-app.js';
import { ORDER_ROW, whileLocked } from '../../support/while-locked.js';

/** Each of the two begins to wait first once. */
const RACES = 2;

const PARCEL = { courier: 'Delhivery', trackingUrl: null, shippedAt: null };

const STATE = `
  SELECT o.payment_status, o.refunded_amount::float8 AS refunded_amount,
         i.shipped, i.cancelled, i.refunded, i.returned, s.on_hand, s.held, w.balance::float8 AS balance,
         (SELECT count(*)::int FROM order_returns r WHERE r.order_number = o.order_number) AS returns
    FROM orders o
    JOIN order_items i USING (client_id, order_number)
    JOIN stock_items s USING (product_id, variation_key)
    JOIN wallets w USING (client_id)
   WHERE o.order_number = $1`;

interface Node {
  desk: OrderDeskService;
  returns: OrderReturnsService;
}

type Work = (node: Node) => Promise<unknown>;

describe('Two nodes at once', () => {
  const test = setUpTestApp();
  const other = makeBeforeAll(() => OperatorServices.open(test.database.serviceUrl));
  let nodes: Node[];
  let store: Store;

  const nodeOf = (app: INestApplicationContext): Node => ({
    desk: app.get(OrderDeskService, { strict: false }),
    returns: app.get(OrderReturnsService, { strict: false }),
  });

  beforeAll(async () => {
    nodes = [test.app, other.app].map(nodeOf);
    store = await test.fixtures.store();
  });
  afterEach(async () => {
    expect(await contradictions(test.pool)).toEqual([]);
  });

  /** An order of 10 units at 100.00, which are all that is on hand. */
  async function order(...actions: ('pay' | 'ship')[]): Promise<string> {
    const { sku } = await test.fixtures.product({ basePrice: '100.00', deliveryCharge: '0', stock: 10 });
    const { body } = await test.post(store, '/api/orders', orderBody([{ sku, quantity: 10 }])).expect(201);
    await moveOrder(test, store, body.order_number, ...actions);
    return body.order_number as string;
  }

  async function stateOf(number: string): Promise<Record<string, number | string>> {
    return (await test.pool.query(STATE, [number])).rows[0];
  }

  async function balanceOf(number: string): Promise<number> {
    return Number((await stateOf(number)).balance);
  }

  /** Both at once, each through its own node, which waits for the order. Returns how many were done. */
  async function race(number: string, ...both: Work[]): Promise<number> {
    const works = both.map((work, node) => () => work(nodes[node]!));
    const results = await whileLocked(test.pool, ORDER_ROW, [number], works);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const unexpected = errors.filter(({ code }) => !['illegal_transition', 'conflict'].includes(code));
    expect(unexpected).toEqual([]);
    return results.length - errors.length;
  }

  const inTurn = (n: number, one: Work, two: Work) => (n % 2 === 0 ? [one, two] : [two, one]);

  const refund =
    (number: string, part: { amount: string } | { lines: string[] }, key: string) => (node: Node) =>
      node.desk.refund(number, 'test', { ...part, reason: 'damaged', key });

  const askReturn = (number: string, quantity: number, key: string) => (node: Node) =>
    node.returns.add(number, { lines: [{ line: 1, quantity }], reason: 'damaged', key }, 'test');

  const receive = (number: string, units: number) => (node: Node) =>
    node.returns.receive(number, { restock: [{ line: 1, quantity: units }], refund: true }, 'test');

  async function returnOf(number: string, quantity: number): Promise<string> {
    return (await askReturn(number, quantity, `${quantity} units`)(nodes[0]!)).number;
  }

  it('take a refund back once, and not what is spent meanwhile', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay', 'ship');
      await refund(number, { amount: '600' }, 'one')(nodes[0]!);
      const before = await balanceOf(number);
      const back = (amount: string, key: string) => (node: Node) =>
        node.desk.takeBack(number, 'test', { refund: 1, amount, reason: 'too high', key });
      expect(await race(number, back('400', 'one back'), back('400', 'two back'))).toBe(1);
      expect(await stateOf(number)).toMatchObject({ refunded_amount: 200, balance: before - 400 });
      const rest = back('200', 'rest');
      // Only after the rest is back, so much is left to be refunded.
      const done = await race(number, ...inTurn(n, rest, refund(number, { amount: '801' }, 'all')));
      expect(await stateOf(number)).toMatchObject({ refunded_amount: done === 2 ? 801 : 0 });
    }
  });

  it('refund the same rest once', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay', 'ship');
      const before = await balanceOf(number);
      const done = await race(
        number,
        refund(number, { amount: '600' }, 'one'),
        refund(number, { amount: '600' }, 'two'),
      );
      expect(done).toBe(1);
      expect(await stateOf(number)).toMatchObject({ refunded_amount: 600, balance: before + 600 });
      // The same key at once: one refund, and both answers confirm it.
      const rest = refund(number, { amount: '400' }, 'rest');
      expect(await race(number, rest, rest)).toBe(2);
      expect(await stateOf(number)).toMatchObject({
        refunded_amount: 1_000,
        payment_status: 'refunded',
        balance: before + 1_000,
      });
    }
  });

  it('ship the same units once', async () => {
    const number = await order('pay');
    const ship = ({ desk }: Node) => desk.ship(number, 'test', { ...PARCEL, trackingNumber: null });
    expect(await race(number, ship, ship)).toBe(1);
    expect(await stateOf(number)).toMatchObject({ shipped: 10, on_hand: 0, held: 0 });
  });

  it('ship or cancel the same units, but not both', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay');
      const ship = ({ desk }: Node) =>
        desk.ship(number, 'test', { ...PARCEL, trackingNumber: null }, ['1=6']);
      const cancel = ({ desk }: Node) => desk.cancel(number, 'test', { lines: ['1=6'], reason: 'damaged' });
      expect(await race(number, ...inTurn(n, ship, cancel))).toBe(1);
      const { shipped, cancelled, refunded, on_hand: onHand, held } = await stateOf(number);
      expect([shipped, cancelled]).toContain(6);
      expect([Number(shipped) + Number(cancelled), refunded]).toEqual([6, cancelled]);
      expect([onHand, held]).toEqual([10 - Number(shipped), 4]);
    }
  });

  it('take the same units back once', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay', 'ship');
      expect(await race(number, askReturn(number, 6, 'one'), askReturn(number, 6, 'two'))).toBe(1);
      expect(await stateOf(number)).toMatchObject({ returned: 6, returns: 1 });
      // The same key at once: one return, and both answers have its number.
      const rest = askReturn(number, 4, 'rest');
      expect(await race(number, rest, rest)).toBe(2);
      expect(await stateOf(number)).toMatchObject({ returned: 10, returns: 2 });
    }
  });

  it('decide about a return once', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay', 'ship');
      const before = await balanceOf(number);
      const [twice, refused] = [await returnOf(number, 6), await returnOf(number, 4)];
      expect(await race(number, receive(twice, 6), receive(twice, 6))).toBe(1);
      expect(await stateOf(number)).toMatchObject({ returned: 10, refunded: 6, on_hand: 6 });
      const refuse = ({ returns }: Node) => returns.refuse(refused, 'worn', 'test');
      expect(await race(number, ...inTurn(n, receive(refused, 4), refuse))).toBe(1);
      const { returned, ...state } = await stateOf(number);
      expect([6, 10]).toContain(returned);
      const money = 100 * Number(returned);
      expect(state).toMatchObject({
        refunded: returned,
        on_hand: returned,
        refunded_amount: money,
        balance: before + money,
      });
    }
  });

  it('refund a return or its units, and never more than was paid', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay', 'ship');
      const before = await balanceOf(number);
      const all = receive(await returnOf(number, 10), 10);
      expect(await race(number, ...inTurn(n, all, refund(number, { lines: ['1=10'] }, 'all')))).toBe(1);
      const { refunded, refunded_amount: money, on_hand: onHand, balance } = await stateOf(number);
      expect([refunded, money, balance]).toEqual([10, 1_000, before + 1_000]);
      expect([0, 10]).toContain(onHand);
    }
  });

  it('refund a return and an amount up to what was paid', async () => {
    for (let n = 0; n < RACES; n++) {
      const number = await order('pay', 'ship');
      const before = await balanceOf(number);
      const some = receive(await returnOf(number, 6), 6);
      // After the amount, the return refunds the 400.00 that are left. After the return, the amount is too much.
      const done = await race(number, ...inTurn(n, some, refund(number, { amount: '600' }, 'amount')));
      const money = done === 2 ? 1_000 : 600;
      expect(await stateOf(number)).toMatchObject({
        refunded: 6,
        on_hand: 6,
        refunded_amount: money,
        balance: before + money,
      });
    }
  });
});
