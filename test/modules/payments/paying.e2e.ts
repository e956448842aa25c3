import { AutoPayJobService } from '../../../src/modules/orders/auto-pay/auto-pay-job.service.js';
import { AUTO_PAY_ACTOR } from '../../../src/modules/orders/auto-pay/auto-pay.repository.js';
import { AutoPayService } from '../../../src/modules/orders/auto-pay/auto-pay.service.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { orderDesk } from '../../support/order-desk.js';
import { BankTransfersService } from '../../../src/modules/payments/bank-transfers.service.js';
import { TestMoneyService } from '../../../src/modules/payments/test-money.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { Database } from '../../../src/platform/database/database.js';
import type { Posting } from '../../../src/modules/wallet/rules/posting.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { all, OperatorServices } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { answerOf, runCommand } from '../../support/run-command.js';
import { SandboxBrowser } from '../../support/sandbox-browser.js';
import { ServiceProcess } from '../../support/service-process.js';
import { StubRazorpay } from '../../support/stub-razorpay.js';
import { endEverything } from '../../support/suite-end.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';
import { whileLocked } from '../../support/while-locked.js';
import { withMethods } from '../../support/with-methods.js';

describe('A payment from the wallet', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let sku: string;

  beforeAll(async () => ({ sku } = await test.fixtures.product({ basePrice: '100.00', stock: 10_000 })));
  beforeEach(async () => {
    store = await test.fixtures.store();
  });
  afterEach(async () => expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]));

  const place = (quantity = 1) => test.place(store, [{ sku, quantity }]);
  const wallets = () => test.app.get(WalletService, { strict: false });
  const fill = (amount: string) => wallets().adjust(store.clientId, amount, 'for a test', 'test');
  const balance = async () => (await wallets().show(store.clientId)).balance;
  const keys = (...numbers: string[]) =>
    numbers.map((orderNumber) => ({ clientId: store.clientId, orderNumber }));
  const pay = (numbers: string[]) =>
    test.app.get(OrderLifecycleService, { strict: false }).payFromWallet(keys(...numbers), 'test');
  const statusOf = async (number: string) => {
    const { body } = await test.get(store, `/api/orders/${number}/status`).expect(200);
    return body as { status: string; payment_status: string; timeline: { status: string }[] };
  };
  const history = async () => {
    const lines = [];
    for await (const line of await wallets().history(store.clientId)) lines.push(line);
    return lines;
  };

  it('pays three orders at once, and their status shows it', async () => {
    await fill('500');
    const numbers = [await place(), await place(), await place(2)];
    await pay(numbers);
    expect(await balance()).toBe(100);
    for (const number of numbers)
      expect(await statusOf(number)).toMatchObject({ status: 'pending', payment_status: 'paid' });
    expect((await history()).filter(({ kind }) => kind === 'order_payment')).toHaveLength(3);
  });

  it('pays no order when the balance does not cover all of them', async () => {
    await fill('299.99');
    const numbers = [await place(), await place(2)];
    await expect(pay(numbers)).rejects.toMatchObject({
      code: 'insufficient_balance',
      facts: { balance: 299.99, needed: 300 },
    });
    for (const number of numbers) expect((await statusOf(number)).status).toBe('awaiting_payment');
    expect(await balance()).toBe(299.99);
  });

  it('refuses a paid order, and debits one of several simultaneous payments', async () => {
    await fill('500');
    const number = await place();
    const results = await Promise.allSettled([pay([number]), pay([number]), pay([number])]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balance()).toBe(400);
    await expect(pay([number])).rejects.toMatchObject({ code: 'illegal_transition' });
  });

  it('pays ten of twenty simultaneous orders with a balance for ten', async () => {
    await fill('1000');
    const numbers = await Promise.all(Array.from({ length: 20 }, () => place()));
    const results = await Promise.allSettled(numbers.map((number) => pay([number])));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await balance()).toBe(0);
  });

  it('keeps the balance right when the order is cancelled at the same moment', async () => {
    await fill('1000');
    for (let round = 0; round < 5; round++) {
      const number = await place();
      const before = await balance();
      const lifecycle = test.app.get(OrderLifecycleService);
      await Promise.allSettled([
        pay([number]),
        lifecycle.cancelUnpaid(keys(number)[0]!, 'store', 'changed my mind'),
      ]);
      const { status } = await statusOf(number);
      expect([status, await balance()]).toEqual(
        status === 'pending' ? ['pending', before - 100] : ['cancelled', before],
      );
    }
  });

  it('is refunded to the wallet when the wholesaler cancels the order', async () => {
    await fill('100');
    const number = await place();
    await pay([number]);
    expect(await balance()).toBe(0);
    await orderDesk(test.app).cancel(number, 'operator', { reason: 'out of stock' });
    expect(await balance()).toBe(100);
    expect(await statusOf(number)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
    expect((await history())[0]).toMatchObject({
      kind: 'order_refund',
      against: 'sales',
      amount: 100,
      order_number: number,
    });
  });

  it('records other money as a top-up and a payment', async () => {
    const number = await place();
    await orderDesk(test.app).pay(number, 'operator', { method: 'cheque', reference: '000123' });
    expect(await balance()).toBe(0);
    expect(await history()).toMatchObject([
      { kind: 'order_payment', amount: -100, order_number: number },
      { kind: 'top_up', against: 'bank', amount: 100, order_number: number, note: 'cheque 000123' },
    ]);
  });

  describe('with a reference', () => {
    const desk = () => orderDesk(test.app);
    const transfers = () => test.app.get(BankTransfersService, { strict: false });
    let made = 0;
    const newUtr = () => `N${String(++made).padStart(15, '0')}`;
    const record = (number: string, reference: string, method = 'UPI', acceptedUses?: 'any') =>
      desk().pay(number, 'test', { method, reference, acceptedUses });
    const arrive = async (amount: string, reference: string, acceptedUses?: 'any') => {
      const { transfer_id: id } = await transfers().announce(store.clientId, amount, reference, 'test');
      return transfers().confirm(id, 'test', { acceptedUses });
    };
    const SAME = { code: 'conflict', message: expect.stringMatching(/it is the same payment/) };
    const OTHER = {
      code: 'conflict',
      message: expect.stringMatching(/Accept this only if it is other money/),
    };

    it('of a confirmed transfer of any client pays no order too, in any spelling', async () => {
      const utr = newUtr();
      await arrive('100', utr);
      const number = await place();
      await expect(record(number, utr)).rejects.toMatchObject(SAME);
      store = await test.fixtures.store();
      const spaced = utr.toLowerCase().replace(/(.{4})/g, '$1 ');
      await expect(record(await place(), spaced)).rejects.toMatchObject(SAME);
      await expect(record(await place(2), spaced)).rejects.toMatchObject(OTHER);
      expect(await history()).toEqual([]);
    });

    it('of a paid order is no transfer of the same amount, and another amount must be accepted', async () => {
      const utr = newUtr();
      await record(await place(), `${utr.slice(0, 8)} ${utr.slice(8)}`, 'Bank transfer');
      await expect(arrive('100', utr)).rejects.toMatchObject(SAME);
      const { transfer_id: id } = (await transfers().newest({ utr }, 1))[0]!;
      const other = { amount: '150', difference: 'two payments' };
      await expect(transfers().confirm(id, 'test', other)).rejects.toMatchObject(OTHER);
      await transfers().confirm(id, 'test', { ...other, acceptedUses: 'any' });
      expect(await balance()).toBe(150);
    });

    it('of a cheque counts without its leading zeros, and with its bank if that is named', async () => {
      await record(await place(), '123456 HDFC', 'Cheque');
      await expect(record(await place(), '00123456', 'cheque')).rejects.toMatchObject(SAME);
      await record(await place(), '123456 SBI', 'Cheque');
      await record(await place(), '123456', 'Cash');
    });

    it('of a gateway is known too', async () => {
      const posting = {
        kind: 'top_up',
        against: 'gateway',
        amount: 100_00,
        key: 'gateway:pay_9Kd0Wq81AbCdEf',
      };
      await test.app
        .get(Database, { strict: false })
        .transaction((transaction) =>
          wallets().post(transaction, store.clientId, 'test', [posting as Posting]),
        );
      await expect(record(await place(), 'pay_9Kd0Wq81AbCdEf')).rejects.toMatchObject(SAME);
    });

    it('pays one of two orders if two people record it at the same moment', async () => {
      const utr = newUtr();
      const numbers = [await place(), await place()];
      const results = await Promise.allSettled(numbers.map((number) => record(number, utr)));
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await history()).toHaveLength(2);
    });

    it('in the reason of a correction counts until the correction is taken back', async () => {
      const utr = newUtr();
      const adjust = (amount: string, acceptedUses?: 'any') =>
        wallets().adjust(store.clientId, amount, `UTR ${utr} was not reported`, 'test', { acceptedUses });
      await adjust('100');
      await expect(adjust('100', 'any')).rejects.toMatchObject(SAME);
      await expect(adjust('50')).rejects.toMatchObject(OTHER);
      await expect(record(await place(), utr)).rejects.toMatchObject(SAME);
      await adjust('-100');
      await record(await place(), utr);
    });
  });

  it('makes no entry for an order with a total of 0', async () => {
    const { sku: free } = await test.fixtures.product({ basePrice: '0.00' });
    await pay([await test.place(store, [{ sku: free, quantity: 1 }])]);
    expect(await history()).toEqual([]);
  });

  describe('by auto-pay', () => {
    let operator: OperatorServices;

    beforeAll(async () => {
      operator = await OperatorServices.open(test.database.serviceUrl);
      // The regular runs of the node are stopped, so that only the tests pay.
      await test.app.get(AutoPayJobService, { strict: false }).beforeApplicationShutdown();
    });
    afterAll(() => operator.close());

    const autoPay = () => operator.app.get(AutoPayJobService, { strict: false }).run();
    const set = (change: Parameters<AutoPayService['set']>[1]) =>
      test.app.get(AutoPayService, { strict: false }).set(store.clientId, change, 'test');

    it('is off by default, and does not pay orders from before it was turned on', async () => {
      await fill('500');
      const before = await place();
      await autoPay();
      await set({ enabled: true });
      const { clientId: neighbour } = await test.fixtures.store();
      expect(await test.app.get(AutoPayService, { strict: false }).show(neighbour)).toMatchObject({
        enabled: false,
      });
      const after = await place();
      // It is on already, so this changes nothing.
      await set({ enabled: true });
      await autoPay();
      expect((await statusOf(before)).status).toBe('awaiting_payment');
      expect(await statusOf(after)).toMatchObject({ status: 'pending', payment_status: 'paid' });
    });

    it('respects the caps for an order and a day, and the balance', async () => {
      await fill('450');
      await set({ enabled: true, orderCap: '200', dayCap: '300' });
      const dear = await place(3);
      const first = await place(2);
      const second = await place(1);
      const third = await place(1);
      await autoPay();
      const states = await Promise.all([dear, first, second, third].map(statusOf));
      expect(states.map(({ status }) => status)).toEqual([
        'awaiting_payment',
        'pending',
        'pending',
        'awaiting_payment',
      ]);
      await set({ dayCap: 'none' });
      await autoPay();
      expect((await statusOf(third)).status).toBe('pending');
      expect(await balance()).toBe(50);
    });

    it('counts only automatic payments since midnight of each client for the day cap', async () => {
      const zones = ['Asia/Kolkata', 'America/Los_Angeles'] as const;
      const midnight = (zone: string) => `date_trunc('day', now(), '${zone}')`;
      const clients: { zone: string; of: Store; next: string }[] = [];
      for (const zone of zones) {
        store = await test.fixtures.store();
        // The wholesaler's zone is that of clients without one.
        if (zone !== zones[0])
          await test.fixtures.sql('UPDATE clients SET time_zone = $2 WHERE id = $1', [store.clientId, zone]);
        await fill('500');
        await set({ enabled: true, dayCap: '100' });
        await pay([await place()]);
        await wallets().adjust(store.clientId, '-50', 'for a test', AUTO_PAY_ACTOR);
        await place();
        expect(await autoPay()).toBe(1);
        clients.push({ zone, of: store, next: await place() });
      }
      const afterPaymentsAt = async (time: (zone: string) => string) => {
        for (const { zone, of } of clients)
          await test.fixtures.rewrite(
            `UPDATE wallet_entries SET created_at = ${time(zone)} WHERE client_id = $1`,
            [of.clientId],
          );
        const displayed = [];
        for (const { zone, of } of clients) {
          const person = { clientId: of.clientId, timeZone: zone };
          const { paidToday } = await test.app.get(AutoPayService, { strict: false }).showToClient(person);
          displayed.push(paidToday);
        }
        await autoPay();
        const states = [];
        for (const { of, next } of clients) {
          store = of;
          states.push((await statusOf(next)).status);
        }
        return { shown: displayed, states };
      };
      expect(await afterPaymentsAt(midnight)).toEqual({
        shown: [10_000, 10_000],
        states: ['awaiting_payment', 'awaiting_payment'],
      });
      expect(await afterPaymentsAt((zone) => `${midnight(zone)} - interval '1 microsecond'`)).toEqual({
        shown: [0, 0],
        states: ['pending', 'pending'],
      });
    });

    it('pays for two clients in one run, each from its own wallet and up to its own cap', async () => {
      const client = async (dayCap: string, filled: string) => {
        store = await test.fixtures.store();
        await fill(filled);
        await set({ enabled: true, dayCap });
        return store;
      };
      const [capped, poor, rich] = [
        await client('200', '1000'),
        await client('none', '150'),
        await client('none', '1000'),
      ];
      for (const [buyer, orders] of [
        [rich, 1],
        [poor, 2],
        [capped, 4],
      ] as const) {
        store = buyer;
        for (let n = 0; n < orders; n++) await place();
      }
      const left = async ({ clientId }: Store) => (await wallets().show(clientId)).balance;
      expect(await autoPay()).toBe(1 + 1 + 2);
      expect(await Promise.all([capped, poor, rich].map(left))).toEqual([800, 50, 900]);
      expect(await autoPay()).toBe(0);
    });

    it('pays for the clients after one whose orders could not be paid, and for this one later', async () => {
      for (let n = 0; n < 2; n++) {
        store = await test.fixtures.store();
        await fill('100');
        await set({ enabled: true });
        await place();
      }
      const lifecycle = operator.app.get(OrderLifecycleService, { strict: false });
      const payWithin = lifecycle.payFromWalletWithin.bind(lifecycle);
      let payments = 0;
      const failOnce: typeof payWithin = (transaction, orders, ...more) =>
        orders.length > 0 && ++payments === 1
          ? Promise.reject(new Error('a row that no code expects'))
          : payWithin(transaction, orders, ...more);
      await withMethods(lifecycle, { payFromWalletWithin: failOnce }, async () => {
        expect(await autoPay()).toBe(1);
      });
      expect(await autoPay()).toBe(1);
    });

    it('respects the day cap with more orders than one batch on two nodes at once', async () => {
      const second = await OperatorServices.open(test.database.serviceUrl);
      await fill('50000');
      await set({ enabled: true, dayCap: '10000' });
      await Promise.all(Array.from({ length: 130 }, () => place()));
      // Without the lock of the setting, both would wait with their orders chosen, and then pay all 130.
      const paid = await whileLocked(
        test.pool,
        'SELECT FROM wallets WHERE client_id = $1 FOR UPDATE',
        [store.clientId],
        [operator, second].map(
          ({ app }) =>
            () =>
              app.get(AutoPayJobService, { strict: false }).run(),
        ),
      );
      expect(paid.map((one) => one.status === 'fulfilled' && one.value).toSorted()).toEqual([0, 100]);
      expect(await balance()).toBe(40_000);
      await second.close();
    });

    it('pays all waiting orders in one transaction, except an order that is locked', async () => {
      await fill('5000');
      await set({ enabled: true });
      const [locked, ...others] = [await place(), await place(), await place()];
      const client = await test.pool.connect();
      try {
        await client.query('BEGIN');
        await client.query('SELECT FROM orders WHERE order_number = $1 FOR UPDATE', [locked]);
        expect(await autoPay()).toBe(2);
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
      const { rows } = await test.pool.query<{ transactions: number }>(
        'SELECT count(DISTINCT xmin::text)::int AS transactions FROM orders WHERE order_number = ANY ($1)',
        [others],
      );
      expect(rows).toEqual([{ transactions: 1 }]);
      expect(await autoPay()).toBe(1);
    });

    it('pays more orders than one batch in one run', async () => {
      await fill('50000');
      await set({ enabled: true });
      const numbers = await Promise.all(Array.from({ length: 130 }, () => place()));
      expect(await autoPay()).toBe(numbers.length);
      expect(await balance()).toBe(50_000 - 100 * numbers.length);
    });
  });

  afterAll(endEverything);
});

const KEYS = { keyId: 'rzp_test_1', keySecret: 'secret', webhookSecret: 'secret' };

describe('Money of a test gateway', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let store: Store;
  let neighbour: Store;
  beforeEach(async () => {
    store = await test.fixtures.store();
    neighbour = await test.fixtures.store();
  });
  afterEach(async () => {
    await testMoney().remove('test');
    expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]);
  });
  afterAll(() => ServiceProcess.killAll());

  const wallets = () => test.app.get(WalletService, { strict: false });
  const testMoney = () => test.app.get(TestMoneyService, { strict: false });
  const balances = async () =>
    Promise.all([store, neighbour].map(async ({ clientId }) => (await wallets().show(clientId)).balance));

  async function topUp({ clientId }: Store, amount: string): Promise<void> {
    const browser = new SandboxBrowser(test);
    const payment = await (await Buyer.of(test, clientId)).topUp(amount);
    await browser.comeBack(await browser.press(payment, 'webhook_lost'));
  }

  async function payOrder(): Promise<string> {
    const { sku } = await test.fixtures.product({ basePrice: '300.00', stock: 10 });
    const order = orderBody([{ sku, quantity: 1 }]);
    const number = await test.place(store, order);
    expect(await (await Buyer.of(test, store.clientId)).pay(number)).toBeUndefined();
    return number;
  }

  it('is counted for each wallet, without other money', async () => {
    await topUp(store, '500');
    await topUp(store, '200');
    await wallets().adjust(store.clientId, '50', 'real money', 'test');
    await wallets().adjust(neighbour.clientId, '80', 'real money', 'test');
    expect(await testMoney().list()).toMatchObject([
      { client_id: store.clientId, test_money: 700, balance: 750, spent: 0, orders_to_ship: 0 },
    ]);
  });

  it('is listed by the check of the books, which then exits with 1', async () => {
    await topUp(store, '500');
    const check = await runCommand(test.database.url, 'wallet', 'check');
    expect(check.exitCode).toBe(1);
    expect(check.stdout).toContain('The books add up.');
    expect(check.stdout).toMatch(/Wallets hold test money:\n.*\n.* 500 +500 +0 +0\n/);
    await testMoney().remove('test');
    expect(await runCommand(test.database.url, 'wallet', 'check')).toMatchObject({
      exitCode: 0,
      stdout: 'The books add up.\n',
    });
  });

  it('is removed by a command that first asks for confirmation, and real money stays', async () => {
    await topUp(store, '500');
    await wallets().adjust(store.clientId, '50', 'real money', 'test');
    await wallets().adjust(neighbour.clientId, '80', 'real money', 'test');
    const requested = await runCommand(test.database.url, 'wallet', 'remove-test-money');
    expect(requested.exitCode).toBe(1);
    expect(requested.stderr).toContain('Paid orders stay paid');
    expect(await balances()).toEqual([550, 80]);
    await answerOf(test.database.url, 'wallet', 'remove-test-money', '--yes', '--by', 'anita');
    expect(await balances()).toEqual([50, 80]);
    const [removal] = await all(await wallets().history(store.clientId));
    expect(removal).toMatchObject({ amount: -500, against: 'gateway', actor: 'anita' });
    expect(removal!.note).toBe('test money removed');
    expect(await answerOf(test.database.url, 'wallet', 'remove-test-money', '--yes')).toEqual([]);
  });

  it('that was spent is written off, so that later real money stays', async () => {
    await topUp(store, '500');
    const number = await payOrder();
    expect(await testMoney().list()).toMatchObject([
      { test_money: 500, balance: 200, spent: 300, orders_to_ship: 1 },
    ]);
    await moveOrder(test, store, number, 'ship');
    expect(await testMoney().list()).toMatchObject([{ spent: 300, orders_to_ship: 0 }]);
    await testMoney().remove('test');
    expect(await balances()).toEqual([0, 0]);
    expect((await all(await wallets().history(store.clientId))).slice(0, 2)).toMatchObject([
      { amount: -500, against: 'gateway' },
      { amount: 300, against: 'adjustments', note: expect.stringContaining('written off') as string },
    ]);
    await wallets().adjust(store.clientId, '900', 'real money', 'test');
    expect(await testMoney().list()).toEqual([]);
  });

  it('of a cancelled order is removed completely, without a write-off', async () => {
    await topUp(store, '500');
    await runCommand(test.database.url, 'order', 'cancel', await payOrder());
    expect(await testMoney().list()).toMatchObject([{ balance: 500, spent: 0, orders_to_ship: 0 }]);
    await testMoney().remove('test');
    expect(await all(await wallets().history(store.clientId))).toHaveLength(4);
    expect(await balances()).toEqual([0, 0]);
  });

  it('is removed once by simultaneous runs', async () => {
    await topUp(store, '500');
    await Promise.all([1, 2, 3].map(() => testMoney().remove('test')));
    expect(await balances()).toEqual([0, 0]);
    expect(await all(await wallets().history(store.clientId))).toHaveLength(2);
  });

  it('prevents the start with live keys until it is removed', async () => {
    await topUp(store, '500');
    const razorpay = await StubRazorpay.start();
    const live = { ...razorpay.environment, RAZORPAY_KEY_ID: 'rzp_live_1' };
    const start = () => ServiceProcess.spawn({ DATABASE_URL: test.database.serviceUrl, ...live });
    const refused = start();
    expect(await refused.ended).toBe(1);
    expect(refused.output).toMatch(/1 wallet holds 500\.00 of test money.*wallet remove-test-money/);
    await testMoney().remove('test');
    const service = start();
    await service.listening();
    expect(service.output).toMatch(/^Payments: Razorpay$/m);
    await razorpay.close();
  });

  it.each([
    ['without a gateway', { name: 'none' as const }, true],
    ['with the sandbox', { name: 'sandbox' as const }, false],
    ['with the test keys of Razorpay', { name: 'razorpay' as const, apiUrl: '', ...KEYS }, false],
  ])('is accepted at the start only by a test gateway: %s', async (_, paymentGateway, isRefused) => {
    await topUp(store, '500');
    await wallets().adjust(store.clientId, '-500', 'all of it is spent', 'test');
    const other = await startTestApp({ paymentGateway }, test.database);
    const outcome = other.app.get(TestMoneyService, { strict: false }).refuseTestMoney();
    if (isRefused) await expect(outcome).rejects.toThrow('1 wallet holds 500.00 of test money');
    else await outcome;
    await other.close();
  });
});
