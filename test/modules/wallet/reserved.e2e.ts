import { AutoPayJobService } from '../../../src/modules/orders/auto-pay/auto-pay-job.service.js';
import { AutoPayService } from '../../../src/modules/orders/auto-pay/auto-pay.service.js';
import type { Payment } from '../../../src/modules/orders/entities/payment.entity.js';
import { ReconcilerService } from '../../../src/modules/payments/reconciler.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { type Funds, WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { readable } from '../../support/page-text.js';
import { SandboxBrowser } from '../../support/sandbox-browser.js';
import { signIn } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

/** Three orders of 100.00 with 250.00 in the wallet: the gateway charges 50.00, and 250.00 is reserved. */
describe("The wallet's part of an open payment", () => {
  const test = setUpTestApp();
  let browser: SandboxBrowser;
  let sku: string;
  let store: Store;
  let buyer: Buyer;
  let orders: string[];
  let payment: Payment;

  beforeAll(async () => {
    browser = new SandboxBrowser(test);
    ({ sku } = await test.fixtures.product({ basePrice: '100.00', stock: 10_000 }));
  });
  beforeEach(async () => {
    store = await test.fixtures.store();
    buyer = await Buyer.of(test, store.clientId);
    await fill('250');
    orders = [await place(), await place(), await place()];
    payment = (await buyer.pay(...orders))!;
  });
  afterEach(async () => {
    expect(await service(WalletBooks).check()).toEqual([]);
  });

  const service = <Service>(type: new (...args: never[]) => Service): Service =>
    test.app.get(type, { strict: false });
  const funds = (): Promise<Funds> => service(WalletService).funds(store.clientId);
  const fill = (amount: string) =>
    service(WalletService).adjust(store.clientId, amount, 'for a test', 'test');

  async function place(): Promise<string> {
    return test.place(store, [{ sku, quantity: 1 }]);
  }

  async function paidOf(numbers: string[]): Promise<number> {
    const { rows } = await test.pool.query<{ paid: number }>(
      `SELECT count(*)::int AS paid FROM orders WHERE order_number = ANY ($1) AND payment_status = 'paid'`,
      [numbers],
    );
    return rows[0]!.paid;
  }

  it('is reserved, and pays all of its orders when the payment arrives', async () => {
    expect(payment.amount).toBe('50.00');
    expect(await funds()).toEqual({ balance: 25_000, reserved: 25_000, available: 0 });
    await browser.comeBack(await browser.press(payment, 'webhook_lost'));
    expect(await paidOf(orders)).toBe(3);
    expect(await funds()).toEqual({ balance: 0, reserved: 0, available: 0 });
  });

  it('is not offered for another order, which the gateway charges in full', async () => {
    const other = await place();
    expect(await buyer.pay(other)).toMatchObject({ amount: '100.00', fromWallet: '0.00' });
    expect(await funds()).toMatchObject({ reserved: 25_000 });
  });

  it('cannot be spent by the wholesaler, who sees the reserved amount', async () => {
    await expect(fill('-0.01')).rejects.toMatchObject({
      code: 'insufficient_balance',
      message: expect.stringContaining('250.00 is reserved for open payments') as string,
      facts: { balance: 250, reserved: 250, needed: 0.01 },
    });
    await fill('10');
    await fill('-10');
    expect(await funds()).toMatchObject({ balance: 25_000, reserved: 25_000 });
  });

  it('is not spent by auto-pay', async () => {
    await service(AutoPayService).set(store.clientId, { enabled: true }, 'test');
    const later = await place();
    await fill('99.99');
    await service(AutoPayJobService).runSoon();
    expect(await paidOf([later])).toBe(0);
    await fill('0.01');
    await service(AutoPayJobService).runSoon();
    expect(await paidOf([later])).toBe(1);
    expect(await funds()).toMatchObject({ balance: 25_000, reserved: 25_000 });
  });

  it('is free again when the payment is given up, and stays reserved for the other client', async () => {
    const other = await test.fixtures.store();
    await service(WalletService).adjust(other.clientId, '50', 'for a test', 'test');
    const { body } = await test.post(other, '/api/orders', orderBody([{ sku, quantity: 1 }])).expect(201);
    await (await Buyer.of(test, other.clientId)).pay((body as { order_number: string }).order_number);
    await buyer.giveUp(payment.paymentId);
    expect(await funds()).toEqual({ balance: 25_000, reserved: 0, available: 25_000 });
    expect(await service(WalletService).funds(other.clientId)).toMatchObject({ reserved: 5_000 });
  });

  it('is free again when none of its orders waits for payment any more', async () => {
    for (const number of orders.slice(1))
      await test.post(store, `/api/orders/${number}/cancel`, {}).expect(200);
    const check = async () => {
      await test.fixtures.sql('UPDATE payments SET next_check_at = now() WHERE payment_id = $1', [
        payment.paymentId,
      ]);
      await service(ReconcilerService).runSoon();
      return funds();
    };
    expect(await check()).toMatchObject({ reserved: 25_000 });
    await test.post(store, `/api/orders/${orders[0]!}/cancel`, {}).expect(200);
    expect(await check()).toEqual({ balance: 25_000, reserved: 0, available: 25_000 });
  });

  it('is not used twice when the money of a given up payment arrives', async () => {
    const back = await browser.press(payment, 'webhook_lost');
    await test.fixtures.sql(`UPDATE payments SET status = 'given_up' WHERE payment_id = $1`, [
      payment.paymentId,
    ]);
    const repeated = (await buyer.pay(orders[0]!, orders[1]!, await place()))!;
    expect(repeated).toMatchObject({ amount: '50.00', fromWallet: '250.00' });
    await browser.comeBack(back);
    // 50.00 arrived, which is enough for none of its orders.
    expect(await paidOf(orders)).toBe(0);
    expect(await funds()).toEqual({ balance: 30_000, reserved: 25_000, available: 5_000 });
  });

  it('is reserved once by two payments in the same moment', async () => {
    await buyer.giveUp(payment.paymentId);
    const second = await Buyer.of(test, store.clientId);
    const started = await Promise.allSettled([
      buyer.pay(orders[0]!, orders[1]!, orders[2]!),
      second.pay(await place(), await place(), await place()),
    ]);
    const charges = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value!.fromWallet] : []));
    const refused = started.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    // The slower one was shown an amount that is gone.
    for (const reason of refused) expect(reason).toMatchObject({ code: 'total_changed' });
    expect(charges).toContain('250.00');
    expect(charges.filter((part) => part !== '0.00')).toHaveLength(1);
    expect(await funds()).toEqual({ balance: 25_000, reserved: 25_000, available: 0 });
  });

  it('is shown on Home, in the wallet and before the next payment', async () => {
    const { cookie } = await signIn(test, store.clientId);
    const read = async (path: string) =>
      readable(await (await fetch(`${test.url}${path}`, { headers: { Cookie: cookie } })).text());
    expect(await read('/dashboard')).toContain('₹250.00 reserved for open payments');
    expect(await read('/dashboard/wallet')).toContain('₹250.00 reserved for open payments');
    expect(await read(`/dashboard/pay?order=${await place()}`)).toContain('Reserved for open payments');
  });

  it('cannot be exceeded or changed by the service', async () => {
    const change = (sql: string) => test.pool.query(sql, [store.clientId]);
    await expect(change('UPDATE wallets SET reserved = 250.01 WHERE client_id = $1')).rejects.toThrow(
      'wallets_reserved_within_balance',
    );
    await expect(change('UPDATE payments SET from_wallet = 1 WHERE client_id = $1')).rejects.toThrow(
      'never changed',
    );
  });
});
