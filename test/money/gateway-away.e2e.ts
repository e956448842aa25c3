import { ClientPayments } from '../../src/payments/client-payments.js';
import { PaymentDesk } from '../../src/payments/desk/payment-desk.js';
import { Reconciler } from '../../src/payments/settling/reconciler.js';
import type { Store } from '../support/fixtures.js';
import { all } from '../support/operator-services.js';
import { orderBody } from '../support/order-body.js';
import { StubRazorpay } from '../support/stub-razorpay.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('While the gateway is away', () => {
  let razorpay: StubRazorpay;
  let test: TestApp;
  let store: Store;
  let sku: string;

  beforeAll(async () => {
    razorpay = await StubRazorpay.start();
    const paymentGateway = { name: 'razorpay' as const, apiUrl: razorpay.url, ...razorpay.keys };
    test = await startTestApp({ paymentGateway });
    ({ sku } = await test.fixtures.product({ basePrice: '100.00', stock: 10_000 }));
  });
  beforeEach(async () => {
    razorpay.isAway = false;
    store = await test.fixtures.store();
  });
  afterAll(async () => {
    await test.close();
    await razorpay.close();
  });

  const payments = () => test.app.get(ClientPayments, { strict: false });
  const desk = () => test.app.get(PaymentDesk, { strict: false });
  const reconciler = () => test.app.get(Reconciler, { strict: false });

  async function place(): Promise<string> {
    const { body } = await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }])).expect(201);
    return (body as { order_number: string }).order_number;
  }

  async function begin(number: string) {
    return (await payments().pay(store.clientId, [number], 'test'))!;
  }

  const statusOf = async (number: string) =>
    ((await test.get(store, `/api/orders/${number}/status`).expect(200)).body as { status: string }).status;

  /** As if so many days had passed since anything was heard. */
  const age = (paymentId: string, days: number) =>
    test.fixtures.rewrite(
      `UPDATE payments SET created_at = created_at - make_interval(days => $2),
              answered_at = answered_at - make_interval(days => $2), next_check_at = now()
        WHERE payment_id = $1`,
      [paymentId, days],
    );

  it('orders are placed, no payment is begun, and the next try may begin one', async () => {
    razorpay.isAway = true;
    const number = await place();
    await expect(begin(number)).rejects.toMatchObject({ code: 'gateway_unavailable' });
    expect(await all(desk().list({ clientId: store.clientId }))).toMatchObject([{ status: 'failed' }]);
    razorpay.isAway = false;
    expect(await begin(number)).toMatchObject({ status: 'open' });
  });

  it('payments wait, and are through when it is back', async () => {
    const number = await place();
    const { paymentId, gatewayOrderId } = await begin(number);
    razorpay.capture(gatewayOrderId!);
    razorpay.isAway = true;
    await age(paymentId, 0);
    await reconciler().run();
    const waiting = await desk().show(paymentId);
    expect(waiting).toMatchObject({ status: 'open', concern: null, checks: 1 });
    expect(waiting.next_check_at!.getTime()).toBeGreaterThan(Date.now());
    expect(await statusOf(number)).toBe('awaiting_payment');
    await expect(desk().settle(paymentId)).rejects.toMatchObject({ code: 'gateway_unavailable' });
    razorpay.isAway = false;
    await age(paymentId, 0);
    await reconciler().run();
    expect(await statusOf(number)).toBe('pending');
  });

  it('a person is told after days, and asked no more after a week, until it answers again', async () => {
    const number = await place();
    const { paymentId, gatewayOrderId } = await begin(number);
    razorpay.capture(gatewayOrderId!);
    razorpay.isAway = true;
    await age(paymentId, 4);
    await reconciler().run();
    expect(await desk().show(paymentId)).toMatchObject({ concern: 'no_answer' });
    await age(paymentId, 4);
    await reconciler().run();
    expect(await desk().show(paymentId)).toMatchObject({ concern: 'no_answer', next_check_at: null });
    razorpay.isAway = false;
    expect(await desk().settle(paymentId)).toMatchObject({ status: 'paid', concern: null });
    expect(await statusOf(number)).toBe('pending');
  });

  it('an event is kept, and followed up when it is back', async () => {
    const number = await place();
    const { paymentId, gatewayOrderId } = await begin(number);
    razorpay.capture(gatewayOrderId!);
    razorpay.isAway = true;
    expect((await razorpay.tell(test.url, gatewayOrderId!)).status).toBe(200);
    await reconciler().run();
    expect(await statusOf(number)).toBe('awaiting_payment');
    razorpay.isAway = false;
    await age(paymentId, 0);
    await reconciler().run();
    expect(await statusOf(number)).toBe('pending');
  });

  it('an opening that was broken off is closed, and its order can be paid', async () => {
    const number = await place();
    const { paymentId } = await begin(number);
    await test.fixtures.sql(
      `UPDATE payments SET status = 'opening', gateway_order_id = NULL, next_check_at = now() WHERE payment_id = $1`,
      [paymentId],
    );
    await expect(begin(number)).rejects.toMatchObject({ code: 'payment_underway' });
    await reconciler().run();
    expect(await desk().show(paymentId)).toMatchObject({ status: 'failed' });
    expect(await begin(number)).toMatchObject({ status: 'open' });
  });
});
