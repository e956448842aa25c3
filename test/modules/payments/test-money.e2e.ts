import { TestMoneyService } from '../../../src/modules/payments/test-money.service.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { all } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { answerOf, runCommand } from '../../support/run-command.js';
import { SandboxBrowser } from '../../support/sandbox-browser.js';
import { ServiceProcess } from '../../support/service-process.js';
import { StubRazorpay } from '../../support/stub-razorpay.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

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
  afterAll(async () => {
    await ServiceProcess.killAll();
  });

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
    const { body } = await test.post(store, '/api/orders', order).expect(201);
    const { order_number: number } = body as { order_number: string };
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
