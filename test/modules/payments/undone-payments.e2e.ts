import { AutoPayJobService } from '../../../src/modules/orders/auto-pay/auto-pay-job.service.js';
import { AutoPayService } from '../../../src/modules/orders/auto-pay/auto-pay.service.js';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import { orderDesk } from '../../support/order-desk.js';
import { BankTransfersService } from '../../../src/modules/payments/bank-transfers.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { SalesSumsJob } from '../../../src/modules/sales/sales-sums.job.js';
import { SalesService } from '../../../src/modules/sales/sales.service.js';
import { VouchersRepository } from '../../../src/modules/sales/vouchers/vouchers.repository.js';
import { Database } from '../../../src/platform/database/database.js';
import { addDays, type Day, dayAt, startOfDay } from '../../../src/platform/time/time.js';
import { orderPayment, orderTopUp } from '../../../src/modules/wallet/rules/posting.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { adminApi, dataOf } from '../../support/admin-api.js';
import { contradictions } from '../../support/books.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { all, OperatorServices } from '../../support/operator-services.js';
import { readable } from '../../support/page-text.js';
import { signIn } from '../../support/sign-in.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';
import { ORDER_ROW, whileLocked } from '../../support/while-locked.js';

const ZONE = 'Asia/Kolkata';
const SHIPMENT = { courier: 'Delhivery', trackingNumber: null, trackingUrl: null, shippedAt: null };

describe('A payment that was recorded by mistake', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let sku: string;
  let operator: OperatorServices;

  beforeAll(async () => {
    // Only the tests add up days and pay from wallets.
    for (const job of [SalesSumsJob, AutoPayJobService])
      await test.app.get(job, { strict: false }).beforeApplicationShutdown();
    operator = await OperatorServices.open(test.database.serviceUrl);
    ({ sku } = await test.fixtures.product({ basePrice: '100.00', stock: 10_000 }));
  });
  afterAll(() => operator.close());
  beforeEach(async () => {
    store = await test.fixtures.store();
  });
  afterEach(async () => expect(await contradictions(test.pool)).toEqual([]));

  const desk = () => orderDesk(test.app);
  const wallets = () => test.app.get(WalletService, { strict: false });
  const place = () => test.place(store, [{ sku, quantity: 1 }]);
  const record = (number: string, reference = '', method = 'UPI') =>
    desk().pay(number, 'asha', { method, reference });
  const paid = async (reference?: string) => {
    const number = await place();
    await record(number, reference);
    return number;
  };
  const unpay = (number: string) => desk().unpay(number, 'ben', 'it was for another order');
  const balance = async () => (await wallets().show(store.clientId)).balance;
  const history = async () => all(await wallets().history(store.clientId));
  let made = 0;
  const newUtr = () => `N${String(++made).padStart(15, '0')}`;
  const AWAITING = { status: 'awaiting_payment', payment_status: 'unpaid' };
  const PAID = { status: 'pending', payment_status: 'paid' };
  const refused = (message: string) => ({
    code: 'illegal_transition',
    message: expect.stringContaining(message) as string,
  });

  it('goes out of the books, and its order waits for payment, in every answer', async () => {
    const number = await paid(newUtr());
    const { body: first } = await test.get(store, '/api/orders?limit=1').expect(200);
    const before = (await desk().show(number)).payment;
    expect(await unpay(number)).toMatchObject({
      ...AWAITING,
      payment: { method: null, reference: null, paid_at: null, due_at: before.due_at },
    });
    expect(await balance()).toBe(0);
    const note = `UPI ${before.reference}`;
    expect(await history()).toMatchObject([
      { kind: 'top_up', against: 'bank', amount: -100, order_number: number, note, actor: 'ben' },
      { kind: 'order_payment', against: 'sales', amount: 100, balance_after: 100, actor: 'ben' },
      { kind: 'order_payment', amount: -100, actor: 'asha' },
      { kind: 'top_up', amount: 100, note, actor: 'asha' },
    ]);
    const { body } = await test.get(store, `/api/orders/${number}`).expect(200);
    expect(body).toMatchObject(AWAITING);
    const { body: changed } = await test.get(store, `/api/orders?since=${first.sync_token}`).expect(200);
    expect(changed).toMatchObject({ data: [{ order_number: number, ...AWAITING }] });
    const { timeline, changes } = await desk().show(number);
    expect(timeline.map(({ status }) => status)).toEqual(['awaiting_payment', 'pending', 'awaiting_payment']);
    expect(changes).toMatchObject([
      {
        before: { payment: note, paid_at: before.paid_at },
        after: { payment: null, paid_at: null },
        reason: 'it was for another order',
      },
    ]);
    const { rows: audited } = await test.pool.query(
      `SELECT actor, client_id, details FROM audit_log WHERE action = 'order.payment_undone' AND subject = $1`,
      [`order ${number}`],
    );
    const details = { amount: '100.00', payment: note, reason: 'it was for another order' };
    expect(audited).toEqual([{ actor: 'ben', client_id: store.clientId, details }]);
    const owner = await signIn(test, store.clientId);
    const { text } = await owner.get(`/dashboard/orders/${number}`).expect(200);
    expect(readable(text)).toMatch(/To be paid again.*Payment undone|Payment undone.*To be paid again/);
  });

  it('is undone once, and by another node too', async () => {
    const number = await paid('4242');
    expect(await unpay(number)).toMatchObject(AWAITING);
    await expect(unpay(number)).rejects.toMatchObject(refused('is not paid'));
    expect(await history()).toHaveLength(4);
    await record(number, '4243');
    const node = await startTestApp({}, test.database);
    const other = orderDesk(node.app);
    expect(await other.unpay(number, 'ben', 'again')).toMatchObject(AWAITING);
    await node.close();
    expect(await balance()).toBe(0);
  });

  it('frees its reference, for the right order, for a transfer or for the same order', async () => {
    const utr = newUtr();
    const [wrong, right] = [await paid(utr), await place()];
    await expect(record(right, utr)).rejects.toMatchObject({ code: 'conflict' });
    await unpay(wrong);
    await record(right, utr);
    await expect(record(wrong, utr)).rejects.toThrow('it is the same payment');
    await unpay(right);
    expect(await record(wrong, utr)).toMatchObject(PAID);
    await unpay(wrong);
    const transfers = test.app.get(BankTransfersService, { strict: false });
    const { transfer_id: id } = await transfers.announce(store.clientId, '100', utr, 'test');
    await transfers.confirm(id, 'test');
    await expect(record(wrong, utr)).rejects.toThrow('it is the same payment');
    expect(await balance()).toBe(100);
  });

  it('lets the order be paid from the wallet, by the gateway or by auto-pay, or be cancelled', async () => {
    const orders = [await paid(), await paid(), await paid(), await paid()];
    for (const number of orders) await unpay(number);
    const [byWallet, byGateway, byItself, cancelled] = orders as [string, string, string, string];
    await wallets().adjust(store.clientId, '100', 'for a test', 'test');
    await desk().payFromWallet([byWallet], 'test');
    await expect(unpay(byWallet)).rejects.toMatchObject(refused('was not recorded by a person'));
    const buyer = await Buyer.of(test, store.clientId);
    expect(await buyer.pay(byGateway)).toMatchObject({ amount: '100.00' });
    await expect(record(byGateway)).rejects.toMatchObject({ code: 'payment_underway' });
    await desk().cancel(cancelled, 'test', {});
    expect(await balance()).toBe(0);
    const setting = test.app.get(AutoPayService, { strict: false });
    await setting.set(store.clientId, { enabled: true }, 'test');
    await test.pool.query(`UPDATE auto_pay SET enabled_at = now() - interval '1 day' WHERE client_id = $1`, [
      store.clientId,
    ]);
    await wallets().adjust(store.clientId, '100', 'for a test', 'test');
    await operator.app.get(AutoPayJobService, { strict: false }).run();
    expect(await desk().show(byItself)).toMatchObject(PAID);
    await expect(unpay(byItself)).rejects.toMatchObject(refused('was not recorded by a person'));
  });

  it('lets an overdue order expire, and its goods are for sale again', async () => {
    const number = await paid();
    await test.fixtures.age(100, number);
    await test.app.get(OrderExpiryService, { strict: false }).run();
    expect(await desk().show(number)).toMatchObject(PAID);
    await unpay(number);
    await test.app.get(OrderExpiryService, { strict: false }).run();
    expect(await desk().show(number)).toMatchObject({
      status: 'cancelled',
      payment_status: 'unpaid',
      cancel_reason: 'expired',
    });
    await expect(unpay(number)).rejects.toMatchObject(refused('is not paid'));
  });

  it('stays with goods that have left, money that has gone back, and orders that cost nothing', async () => {
    const two = { sku, quantity: 2 };
    const [shipped, inPart, refunded, cancelled, gone] = [
      await test.place(store, [two]),
      await test.place(store, [two]),
      await test.place(store, [two]),
      await test.place(store, [two]),
      await test.place(store, [two]),
    ];
    for (const number of [shipped, inPart, refunded, cancelled, gone]) await record(number);
    await desk().ship(shipped, 'test', SHIPMENT);
    await desk().ship(inPart, 'test', SHIPMENT, ['1=1']);
    await desk().refund(refunded, 'test', { amount: '1', reason: 'late' });
    await desk().cancel(cancelled, 'test', { lines: ['1=1'], reason: 'broken' });
    await desk().cancel(gone, 'test', { reason: 'broken' });
    for (const [number, why] of [
      [shipped, 'Goods of the order have left'],
      [inPart, 'Goods of the order have left'],
      [refunded, 'is refunded or cancelled'],
      [cancelled, 'is refunded or cancelled'],
      [gone, 'is cancelled, and its money is in the wallet'],
    ] as const)
      await expect(unpay(number)).rejects.toMatchObject(refused(why));
    // Each can be undone after the later step is.
    await desk().undo(inPart, 'test', { action: 'withdraw', reason: 'it never left' });
    await desk().takeBack(refunded, 'test', { refund: 1, reason: 'it was in time' });
    for (const number of [inPart, refunded]) expect(await unpay(number)).toMatchObject(AWAITING);
    const { sku: free } = await test.fixtures.product({ basePrice: '0.00' });
    const gift = await test.place(store, [{ sku: free, quantity: 1 }]);
    await record(gift);
    await expect(unpay(gift)).rejects.toMatchObject(refused('cost nothing'));
  });

  it('takes the order off its packing list', async () => {
    const number = await paid();
    const api = await adminApi(test);
    await api.post('packing-lists', { client: String(store.clientId) }).expect(201);
    expect((await desk().show(number)).packing_list).not.toBeNull();
    const undone = await dataOf(api.post(`orders/${number}/unpay`, { reason: 'typo' }));
    expect(undone).toMatchObject({ ...AWAITING, packing_list: null });
    await expect(desk().ship(number, 'test', SHIPMENT)).rejects.toMatchObject(refused('cannot be shipped'));
  });

  it.each<[string, (number: string) => Promise<unknown>, string]>([
    ['a second person', unpay, 'awaiting_payment'],
    ['a shipment', (number) => desk().ship(number, 'test', SHIPMENT), 'shipped'],
    ['a cancellation', (number) => desk().cancel(number, 'test', {}), 'cancelled'],
  ])('is undone, or %s wins, at the same moment', async (_, other, otherStatus) => {
    for (let round = 0; round < 3; round++) {
      const number = await paid();
      const works = [unpay, other].map((work) => () => work(number));
      const outcomes = await whileLocked(
        test.pool,
        ORDER_ROW,
        [number],
        round % 2 === 0 ? works : works.toReversed(),
      );
      const { status, payment_status: payment } = await desk().show(number);
      const states = outcomes.map((outcome) => outcome.status).toSorted();
      // A cancellation after it is one of an unpaid order.
      if (otherStatus === 'cancelled' && payment === 'unpaid') expect(status).toBe('cancelled');
      else expect(states).toEqual(['fulfilled', 'rejected']);
      expect(status).toBe(payment === 'unpaid' && status !== 'cancelled' ? 'awaiting_payment' : otherStatus);
      const entries = (await history()).filter((entry) => entry.order_number === number);
      const sum = entries.reduce((total, { amount }) => total + amount, 0);
      expect([payment, sum, entries.length]).toEqual(
        { unpaid: ['unpaid', 0, 4], paid: ['paid', 0, 2], refunded: ['refunded', 100, 3] }[payment],
      );
    }
  });

  it('does not keep a node of 1.0.0 from paying the order: it has the first key', async () => {
    const number = await paid();
    await unpay(number);
    await test.app.get(Database, { strict: false }).transaction(async (transaction) => {
      const first = [orderTopUp(number, 100_00, 'UPI'), orderPayment(number, 100_00)];
      await wallets().post(transaction, store.clientId, 'old', first);
    });
    const { rows } = await test.pool.query<{ key: string }>(
      `SELECT key FROM wallet_entries WHERE client_id = $1 AND actor = 'old' ORDER BY entry`,
      [store.clientId],
    );
    expect(rows).toEqual([{ key: `for:${number}:2` }, { key: `order:${number}:2` }]);
    await test.pool.query(
      `UPDATE orders SET status = 'pending', payment_status = 'paid', paid_at = now() WHERE order_number = $1`,
      [number],
    );
    await test.pool.query(
      `INSERT INTO order_timeline SELECT client_id, order_number, 4, status, now(), 'old' FROM orders
        WHERE order_number = $1`,
      [number],
    );
    expect(await unpay(number)).toMatchObject(AWAITING);
  });

  it('changes nothing if it fails half-way', async () => {
    const number = await paid('4711');
    const before = [await desk().show(number), await history()];
    await test.pool.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no log'; END $$;
      CREATE TRIGGER fail BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION fail()`);
    await expect(unpay(number)).rejects.toThrow('no log');
    await test.pool.query('DROP TRIGGER fail ON audit_log; DROP FUNCTION fail');
    expect([await desk().show(number), await history()]).toEqual(before);
    expect(await unpay(number)).toMatchObject(AWAITING);
  });

  it('is written by nothing else: the order keeps what has happened', async () => {
    const number = await paid();
    for (const change of [
      'paid_at = NULL',
      'payments_undone = 1',
      `status = 'awaiting_payment', payment_status = 'unpaid', paid_at = NULL`,
      `status = 'awaiting_payment', payment_status = 'unpaid', payments_undone = 1, paid_at = now()`,
      `payments_undone = 1, paid_at = NULL, payment_method = NULL`,
    ])
      await expect(
        test.pool.query(`UPDATE orders SET ${change} WHERE order_number = $1`, [number]),
      ).rejects.toThrow('what has happened is never told otherwise');
  });

  describe('with vouchers', () => {
    beforeAll(() => test.fixtures.seller({ receiptVouchers: true }));
    afterAll(() => test.fixtures.seller());

    const vouchers = async () => {
      const { rows } = await test.pool.query<{ number: string }>(
        `SELECT kind, number, gross::float8, reason, payment_key AS key,
                (SELECT json_agg(r->>'number') FROM jsonb_array_elements(facts->'returns') AS r) AS returns
           FROM tax_documents WHERE client_id = $1 ORDER BY issued_at, number`,
        [store.clientId],
      );
      return rows;
    };

    it('gets a refund voucher for its receipt voucher', async () => {
      const [number, neighbour] = [await paid(), await paid()];
      await unpay(number);
      const [receipt, , refund, ...others] = await vouchers();
      expect(receipt).toMatchObject({ kind: 'receipt_voucher', key: `for:${number}` });
      expect(refund).toMatchObject({
        kind: 'refund_voucher',
        gross: 100,
        key: `undone:for:${number}`,
        reason: 'it was for another order',
        returns: [receipt!.number],
      });
      expect(others).toEqual([]);
      await record(number);
      await unpay(number);
      expect((await vouchers()).slice(3)).toMatchObject([
        { kind: 'receipt_voucher', key: `for:${number}:2` },
        { kind: 'refund_voucher', key: `undone:for:${number}:2` },
      ]);
      expect(await desk().show(neighbour)).toMatchObject(PAID);
    });

    it('gets none without a receipt of its own', async () => {
      await paid();
      await test.fixtures.seller();
      const number = await paid();
      await unpay(number);
      expect(await vouchers()).toMatchObject([{ kind: 'receipt_voucher' }]);
      await test.fixtures.seller({ receiptVouchers: true });
    });
  });

  it('is in the books for Tally both ways, in cash or by bank, as it was recorded', async () => {
    const number = await place();
    await record(number, 'R-7', 'Cash');
    await unpay(number);
    await record(number, newUtr(), 'Bank transfer');
    const neighbour = await place();
    await record(neighbour, '', 'cash');
    const today = dayAt(Date.now(), ZONE);
    const books = test.app.get(VouchersRepository, { strict: false });
    const period = { from: addDays(today, -1), to: today, clientId: store.clientId };
    const rows = await all(books.money(period));
    expect(rows.map(({ against, amount }) => `${against} ${amount}`)).toEqual([
      'cash 100.00',
      'cash -100.00',
      'bank 100.00',
      'cash 100.00',
    ]);
  });

  it('is in no report of sales, also if its day was added up, and the next one is on its own day', async () => {
    const today = dayAt(Date.now(), ZONE);
    const [day, next] = [addDays(today, -3), addDays(today, -2)];
    const moveTo = (number: string, when: Day, suffix = '') =>
      test.fixtures.rewrite(
        `WITH entry AS (UPDATE wallet_entries SET created_at = $3 WHERE key = $2)
         UPDATE orders SET paid_at = $3 WHERE order_number = $1`,
        [number, `order:${number}${suffix}`, new Date(startOfDay(when, ZONE).getTime() + 12 * 3_600_000)],
      );
    const sums = async () => {
      await operator.app.get(SalesSumsJob, { strict: false }).run();
      const { rows: kept } = await test.pool.query(
        `SELECT FROM sales_sums_kept WHERE until >= current_date - 1`,
      );
      expect(kept).toHaveLength(3);
      const sales = test.app.get(SalesService, { strict: false });
      const found: Record<string, unknown> = {};
      for (const by of ['day', 'product', 'state', 'client'] as const) {
        const { rows } = await sales.soldBy(by, { clientId: store.clientId });
        found[by] = (await all(rows)).map(({ day: on, orders, paid: sold }) =>
          [on, orders, sold].filter((value) => value !== undefined).join(' '),
        );
      }
      return found;
    };
    const both = { product: ['2 200'], state: ['2 200'], client: ['2 200'] };
    const [number, neighbour] = [await paid(), await paid()];
    await moveTo(number, day);
    await moveTo(neighbour, next);
    expect(await sums()).toEqual({ day: [`${day} 1 100`, `${next} 1 100`], ...both });
    await unpay(number);
    const one = { product: ['1 100'], state: ['1 100'], client: ['1 100'] };
    expect(await sums()).toEqual({ day: [`${next} 1 100`], ...one });
    await record(number);
    await moveTo(number, next, ':2');
    await test.pool.query(`UPDATE sales_sums_kept SET until = $1`, [next]);
    expect(await sums()).toEqual({ day: [`${next} 2 200`], ...both });
  });

  it('is no old money of the wallet', async () => {
    const old = () => test.app.get(WalletBooks, { strict: false }).balances(new Date(Date.now() + 1_000));
    await wallets().adjust(store.clientId, '70', 'for a test', 'test');
    await test.fixtures.rewrite(
      `UPDATE wallet_entries SET created_at = now() - interval '400 days' WHERE client_id = $1`,
      [store.clientId],
    );
    await unpay(await paid());
    const own = (await all(old())).find((row) => row.client_id === store.clientId);
    expect(own).toMatchObject({ wallet: '70.00', wallet_over_365_days: '70.00', paid_for_orders: '0.00' });
  });
});
