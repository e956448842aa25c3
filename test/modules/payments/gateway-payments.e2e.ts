import { createHmac } from 'node:crypto';
import { orderDesk } from '../../support/order-desk.js';
import { AutoPayService } from '../../../src/modules/orders/auto-pay/auto-pay.service.js';
import { AutoPayJobService } from '../../../src/modules/orders/auto-pay/auto-pay-job.service.js';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import { ClientPaymentsService } from '../../../src/modules/payments/client-payments.service.js';
import { PaymentDeskService, type PaymentView } from '../../../src/modules/payments/payment-desk.service.js';
import type { Payment } from '../../../src/modules/orders/entities/payment.entity.js';
import { ReconcilerService } from '../../../src/modules/payments/reconciler.service.js';
import { SandboxStore } from '../../../src/sandbox-gateway/sandbox-store.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { Buyer } from '../../support/buyer.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { all } from '../../support/operator-services.js';
import { readable } from '../../support/page-text.js';
import { SandboxBrowser } from '../../support/sandbox-browser.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

describe('A payment through the gateway', () => {
  const test = setUpTestApp();
  let browser: SandboxBrowser;
  let store: Store;
  let buyer: Buyer;
  let sku: string;

  beforeAll(async () => {
    browser = new SandboxBrowser(test);
    ({ sku } = await test.fixtures.product({ basePrice: '100.00', stock: 10_000 }));
  });
  beforeEach(newStore);
  afterEach(async () => expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]));

  const service = <Service>(type: new (...args: never[]) => Service): Service =>
    test.app.get(type, { strict: false });
  const payments = () => service(ClientPaymentsService);
  const desk = () => service(PaymentDeskService);

  async function newStore(): Promise<void> {
    store = await test.fixtures.store();
    buyer = await Buyer.of(test, store.clientId);
  }

  const place = (quantity = 1) => test.place(store, [{ sku, quantity }]);

  async function begin(...numbers: string[]): Promise<Payment> {
    const payment = await buyer.pay(...numbers);
    if (!payment) throw new Error('The wallet has paid it all.');
    return payment;
  }

  const fill = (amount: string) =>
    service(WalletService).adjust(store.clientId, amount, 'for a test', 'test');
  const balance = async () => (await service(WalletService).show(store.clientId)).balance;
  const history = async () => all(await service(WalletService).history(store.clientId));

  async function statusOf(number: string): Promise<string> {
    const { body } = await test.get(store, `/api/orders/${number}/status`).expect(200);
    const { status, payment_status: paid } = body as Record<string, string>;
    return `${status}, ${paid}`;
  }

  /** Makes the payment due and waits until this run or the regular one has checked it. */
  async function reconcile({ paymentId }: Payment): Promise<PaymentView> {
    await test.fixtures.sql(
      'UPDATE payments SET next_check_at = now(), answered_at = NULL WHERE payment_id = $1',
      [paymentId],
    );
    await service(ReconcilerService).runSoon();
    await eventually(async () => (await desk().show(paymentId)).answered_at !== null);
    return desk().show(paymentId);
  }

  const untilPaid = (number: string) => eventually(async () => (await statusOf(number)) === 'pending, paid');

  const webhookSecret = async () =>
    (await test.app.get(SandboxStore, { strict: false }).keys()).webhookSecret;

  function postEvent(url: string, body: string, headers: Record<string, string>): Promise<Response> {
    return fetch(`${url}/payments/webhook`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  }

  it('is credited, pays the order and is shown as paid when the browser returns', async () => {
    const number = await place();
    const payment = await begin(number);
    const back = await browser.press(payment, 'webhook_lost');
    // The page needs no session.
    const page = async () => (await fetch(`${test.url}/payments/${payment.paymentId}`)).text();
    expect(await page()).toContain('do not pay again');
    const { status, headers } = await browser.comeBack(back);
    expect([status, headers.get('location')]).toEqual([303, `/payments/${payment.paymentId}`]);
    expect(await page()).toContain('your payment is complete');
    expect(await statusOf(number)).toBe('pending, paid');
    expect(await balance()).toBe(0);
    expect(await history()).toMatchObject([
      { kind: 'order_payment', amount: -100, order_number: number },
      { kind: 'top_up', against: 'gateway', amount: 100, payment_id: payment.paymentId, actor: 'gateway' },
    ]);
  });

  it('tells a failed attempt with its reason, and can be tried again until it is paid', async () => {
    const number = await place();
    const payment = await begin(number);
    const page = async (path = '') => readable(await (await browser.open(payment, path)).text());
    const { headers } = await browser.comeBack(await browser.press(payment, 'fail'));
    expect(headers.get('location')).toBe(`/payments/${payment.paymentId}/failed`);
    expect(await page('/failed')).toContain('The payment failed');
    await eventually(async () => (await page()).includes('The payment failed'));
    expect(await page()).toContain('because the test asked for it. Nothing was charged.');
    expect(await page()).not.toContain('do not pay again');
    const html = await (await browser.open(payment)).text();
    expect(html).toContain(`href="/dashboard/payments/${payment.paymentId}/checkout"`);
    expect(html).toContain(`href="/dashboard/payments/${payment.paymentId}"`);
    const attempt = await browser.press(payment, 'pay_late');
    await reconcile(payment);
    // A second payment may be on its way.
    expect(await page()).toContain('do not pay again');
    expect(await page()).not.toContain('Try again');
    expect(attempt.gatewayPaymentId).toMatch(/^pay_/);
    expect(await statusOf(number)).toBe('awaiting_payment, unpaid');
    await browser.comeBack(await browser.press(payment, 'webhook_lost'));
    expect(await page()).toContain('Thank you, your payment is complete');
    expect(await desk().show(payment.paymentId)).toMatchObject({ status: 'paid' });
    expect(await statusOf(number)).toBe('pending, paid');
  });

  it('tells a buyer who leaves the gateway that nothing was charged, unless it is paid', async () => {
    const payment = await begin(await place());
    const { fields } = await buyer.form(payment.paymentId);
    expect(fields.cancel_url).toMatch(new RegExp(`/payments/${payment.paymentId}/cancelled$`));
    const page = async () => readable(await (await browser.open(payment, '/cancelled')).text());
    expect(await page()).toContain('You left without paying');
    expect(await page()).toContain('Nothing was charged.');
    await browser.comeBack(await browser.press(payment, 'webhook_lost'));
    expect(await page()).toContain('Thank you, your payment is complete');
  });

  it('does not thank for orders after a top-up', async () => {
    const payment = await buyer.topUp('25');
    await browser.comeBack(await browser.press(payment, 'webhook_lost'));
    const page = readable(await (await browser.open(payment)).text());
    expect(page).toContain('Your wallet is topped up');
    expect(page).not.toMatch(/thank you|orders/i);
  });

  it.each(['pay', 'webhook_before_return', 'webhook_twice', 'webhooks_out_of_order'] as const)(
    'succeeds by the event alone: %s',
    async (outcome) => {
      const number = await place();
      const payment = await begin(number);
      await browser.press(payment, outcome);
      await untilPaid(number);
      await reconcile(payment);
      expect(await balance()).toBe(0);
      expect(await history()).toHaveLength(2);
    },
  );

  it('is credited to the right client when two clients are checked in one run', async () => {
    const started: { whose: Store; number: string; payment: Payment; held: number }[] = [];
    for (const [quantity, held] of [
      [2, 0],
      [3, 50],
    ] as const) {
      await newStore();
      if (held > 0) await fill(String(held));
      const number = await place(quantity);
      started.push({ whose: store, number, payment: await begin(number), held });
    }
    for (const { payment } of started) await browser.press(payment, 'webhook_lost');
    await test.fixtures.sql('UPDATE payments SET next_check_at = now() WHERE payment_id = ANY ($1)', [
      started.map(({ payment }) => payment.paymentId),
    ]);
    await service(ReconcilerService).runSoon();
    for (const { whose, number, payment, held } of started) {
      store = whose;
      await untilPaid(number);
      expect(await balance()).toBe(0);
      expect((await history()).slice(0, 2)).toMatchObject([
        { kind: 'order_payment', order_number: number },
        { kind: 'top_up', amount: held === 0 ? 200 : 250, payment_id: payment.paymentId },
      ]);
    }
  });

  it('stays in the wallet when the order has expired', async () => {
    const number = await place();
    const payment = await begin(number);
    const back = await browser.press(payment, 'pay_late');
    await test.fixtures.age(100, number);
    await service(OrderExpiryService).run();
    await browser.arrive(back);
    await eventually(async () => (await balance()) === 100);
    expect(await statusOf(number)).toBe('cancelled, unpaid');
  });

  it('stays in the wallet when it was given up and the balance is too low by then', async () => {
    await fill('40');
    const number = await place();
    const payment = await begin(number);
    const back = await browser.press(payment, 'pay_late');
    await test.fixtures.sql(`UPDATE payments SET status = 'given_up' WHERE payment_id = $1`, [
      payment.paymentId,
    ]);
    await fill('-40');
    await browser.arrive(back);
    await eventually(async () => (await balance()) === 60);
    expect(await statusOf(number)).toBe('awaiting_payment, unpaid');
  });

  it.each([
    ['expires', () => service(OrderExpiryService).run()],
    [
      'is cancelled by its store',
      (number: string) =>
        fetch(`${test.url}/api/orders/${number}/cancel`, { method: 'POST', headers: store.headers }),
    ],
  ])('either pays an order that %s at the same moment, or stays in the wallet', async (_, end) => {
    for (let round = 0; round < 5; round++) {
      await newStore();
      const number = await place();
      const payment = await begin(number);
      const back = await browser.press(payment, 'webhook_lost');
      await test.fixtures.age(100, number);
      await Promise.all([browser.comeBack(back), end(number)]);
      const outcome = `${await statusOf(number)}, ${await balance()} left`;
      expect(['pending, paid, 0 left', 'cancelled, unpaid, 100 left']).toContain(outcome);
    }
  });

  it('stays in the wallet when it arrives a second time', async () => {
    const number = await place();
    const payment = await begin(number);
    await browser.comeBack(await browser.press(payment, 'pay_twice'));
    expect(await statusOf(number)).toBe('pending, paid');
    expect(await balance()).toBe(100);
    expect((await history()).filter(({ kind }) => kind === 'top_up')).toHaveLength(2);
    const { paymentId } = payment;
    const needingPerson = async () =>
      (await all(desk().list({ concerning: true }))).map((row) => row.payment_id);
    expect(await needingPerson()).toEqual([paymentId]);
    await desk().resolve(paymentId, 'the client keeps it', 'test');
    expect(await desk().settle(paymentId)).toMatchObject({
      concern: null,
      receipts: [{ amount: 100 }, { amount: 100 }],
    });
    expect(await needingPerson()).toEqual([]);
  });

  it('begins once for an order that is paid in several tabs', async () => {
    const number = await place();
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => begin(number)));
    const started = results.filter((result) => result.status === 'fulfilled');
    expect(started).toHaveLength(1);
    for (const result of results.filter((each) => each.status === 'rejected'))
      expect(result.reason).toMatchObject({
        code: 'payment_underway',
        facts: { payment_id: started[0]!.value.paymentId },
      });
  });

  it('blocks the wallet and auto-pay for its order, but not for other orders', async () => {
    const [number, other] = [await place(), await place()];
    const { paymentId } = await begin(number);
    await fill('500');
    const refusal = { code: 'payment_underway', facts: { payment_id: paymentId } };
    await expect(orderDesk(test.app).payFromWallet([number], 'test')).rejects.toMatchObject(refusal);
    await expect(orderDesk(test.app).pay(number, 'test', {})).rejects.toMatchObject(refusal);
    await service(AutoPayService).set(store.clientId, { enabled: true }, 'test');
    await test.fixtures.sql(`UPDATE auto_pay SET enabled_at = now() - interval '1 day'`);
    await service(AutoPayJobService).run();
    await untilPaid(other);
    expect(await statusOf(number)).toBe('awaiting_payment, unpaid');
    await service(AutoPayService).set(store.clientId, { enabled: false }, 'test');
  });

  it('can be given up to pay in another way, and is still credited when it arrives', async () => {
    await fill('40');
    const number = await place();
    const payment = await begin(number);
    const back = await browser.press(payment, 'pay_late');
    expect(await buyer.giveUp(payment.paymentId)).toMatchObject({ status: 'given_up' });
    // Enough to pay the order a second time.
    await fill('160');
    expect(await buyer.pay(number)).toBeUndefined();
    await browser.arrive(back);
    expect(await reconcile(payment)).toMatchObject({ status: 'paid', concern: null });
    expect(await statusOf(number)).toBe('pending, paid');
    expect(await balance()).toBe(160);
  });

  it('cannot be given up or paid again after it was paid', async () => {
    const number = await place();
    const payment = await begin(number);
    await browser.press(payment, 'webhook_lost');
    expect(await buyer.giveUp(payment.paymentId)).toMatchObject({ status: 'paid' });
    expect(await statusOf(number)).toBe('pending, paid');
    await expect(buyer.form(payment.paymentId)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('can top up the wallet without an order', async () => {
    const payment = await buyer.topUp('250.50');
    await browser.comeBack(await browser.press(payment, 'pay'));
    expect(await balance()).toBe(250.5);
    // A later one of the same amount is another payment, and so is one of another client.
    const neighbour = await Buyer.of(test, (await test.fixtures.store()).clientId);
    const others = [await buyer.topUp('250.50'), await neighbour.topUp('250.50')];
    expect(new Set([payment, ...others].map(({ paymentId }) => paymentId)).size).toBe(3);
    await expect(buyer.topUp('0.99')).rejects.toMatchObject({ code: 'invalid_value' });
  });

  it('for a top-up is separate from one for an order of the same amount', async () => {
    const { paymentId } = await begin(await place());
    const topUp = await buyer.topUp('100');
    expect(topUp.paymentId).not.toBe(paymentId);
    expect((await buyer.topUp('100')).paymentId).toBe(topUp.paymentId);
    // A form that is sent again a quarter of an hour later is another top-up.
    await test.fixtures.rewrite(
      `UPDATE payments SET created_at = created_at - interval '15 minutes' WHERE payment_id = $1`,
      [topUp.paymentId],
    );
    expect((await buyer.topUp('100')).paymentId).not.toBe(topUp.paymentId);
  });

  it('does not block an order of another client with the same number', async () => {
    const neighbour = store;
    await newStore();
    for (const each of [neighbour, store]) await test.fixtures.orders(each, 1);
    const number = 'WO-20260101-00000-00001';
    await (await Buyer.of(test, neighbour.clientId)).pay(number);
    await fill('1');
    expect(await buyer.pay(number)).toBeUndefined();
    expect(await balance()).toBe(0);
  });

  it('is hidden from other clients, which cannot pay the orders of this client', async () => {
    const number = await place();
    const { paymentId } = await begin(number);
    const other = await Buyer.of(test, (await test.fixtures.store()).clientId);
    await expect(other.form(paymentId)).rejects.toMatchObject({ code: 'payment_not_found' });
    await expect(other.giveUp(paymentId)).rejects.toMatchObject({ code: 'payment_not_found' });
    const refused = { code: 'order_not_found' };
    await expect(payments().review(other.person, [number])).rejects.toMatchObject(refused);
    await expect(payments().pay(other.person, [number], { total: 0, balance: 0 })).rejects.toMatchObject(
      refused,
    );
  });

  it('is credited once for a hundred deliveries of its event to two nodes', async () => {
    const second = await startTestApp({}, test.database);
    const number = await place();
    const payment = await begin(number);
    const { gatewayPaymentId } = await browser.press(payment, 'webhook_lost');
    const entity = { id: gatewayPaymentId, order_id: payment.gatewayOrderId };
    const body = JSON.stringify({ event: 'payment.captured', payload: { payment: { entity } } });
    const signature = createHmac('sha256', await webhookSecret())
      .update(body)
      .digest('hex');
    const deliver = async (url: string): Promise<number> => {
      const { status } = await postEvent(url, body, {
        'X-Razorpay-Signature': signature,
        'X-Razorpay-Event-Id': `evt_of_${payment.paymentId}`,
      });
      // A node without a free connection answers 503 after two seconds, and the gateway delivers again.
      return status === 503 ? deliver(url) : status;
    };
    const statuses = await Promise.all(
      Array.from({ length: 100 }, (_, n) => deliver([test.url, second.url][n % 2]!)),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await untilPaid(number);
    await Promise.all(
      [test, second].map(({ app }) => app.get(ReconcilerService, { strict: false }).runSoon()),
    );
    expect(await history()).toHaveLength(2);
    await second.close();
  });

  describe('is not accepted', () => {
    /** All that the service knows of these payments and their client. Earlier tests may still have events on their way. */
    const known = async (...of: Payment[]) => {
      const { rows } = await test.pool.query<{ md5: string }>(
        `SELECT md5(string_agg(row, '' ORDER BY row)) FROM (
           SELECT p::text AS row FROM payments p WHERE client_id = $1
           UNION ALL SELECT e::text FROM wallet_entries e WHERE client_id = $1
           UNION ALL SELECT o::text FROM orders o WHERE client_id = $1
           UNION ALL SELECT g::text FROM gateway_events g WHERE g::text ~ $2) AS rows`,
        [store.clientId, of.map(({ gatewayOrderId }) => gatewayOrderId).join('|')],
      );
      return rows[0]!.md5;
    };

    it('when the return has no valid signature for this payment', async () => {
      const [mine, other] = [await begin(await place()), await begin(await place())];
      const back = await browser.press(mine, 'webhook_lost');
      const theirs = await browser.press(other, 'webhook_lost');
      const signature = back.fields.razorpay_signature!;
      const turned = `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`;
      const before = await known(mine, other);
      for (const fields of [
        { ...back.fields, razorpay_signature: turned },
        { ...back.fields, razorpay_signature: signature.slice(0, 32) },
        { ...back.fields, razorpay_signature: '' },
        theirs.fields,
        { ...theirs.fields, razorpay_order_id: mine.gatewayOrderId! },
        {},
      ]) {
        const response = await browser.comeBack({ action: back.action, fields });
        expect(response.status).toBe(400);
        expect(await response.text()).toContain('The signature is not from the payment gateway');
      }
      expect(await known(mine, other)).toBe(before);
    });

    it('when the event has no valid signature, was changed or has no id', async () => {
      const payment = await begin(await place());
      const entity = { id: 'pay_1', order_id: payment.gatewayOrderId };
      const body = JSON.stringify({ event: 'payment.captured', payload: { payment: { entity } } });
      const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('hex');
      const good = sign(body, await webhookSecret());
      const before = await known(payment);
      for (const [text, headers] of [
        [body, {}],
        [body, { 'X-Razorpay-Signature': sign(body, 'guessed'), 'X-Razorpay-Event-Id': 'evt_1' }],
        [`${body} `, { 'X-Razorpay-Signature': good, 'X-Razorpay-Event-Id': 'evt_1' }],
        [body, { 'X-Razorpay-Signature': good }],
      ] as [string, Record<string, string>][]) {
        const response = await postEvent(test.url, text, headers);
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ code: 'signature_invalid' });
      }
      expect(await known(payment)).toBe(before);
    });

    it('when the browser reports a failure: the service asks the gateway', async () => {
      const number = await place();
      const payment = await begin(number);
      const back = await browser.press(payment, 'webhook_lost');
      const claimed = { 'error[code]': 'BAD_REQUEST_ERROR', 'error[description]': 'It failed, believe me.' };
      expect((await browser.comeBack({ ...back, fields: claimed })).status).toBe(303);
      await untilPaid(number);
    });

    it('when the amount differs, and is reported to an operator', async () => {
      const number = await place();
      const payment = await begin(number);
      await test.fixtures.sql(
        `UPDATE sandbox SET state = jsonb_set(state, '{order,amount}', '9900') WHERE id = $1`,
        [payment.gatewayOrderId],
      );
      // The page would refuse the changed amount, so the form is posted directly.
      await fetch(`${test.url}/sandbox-gateway/checkout`, {
        method: 'POST',
        body: new URLSearchParams({
          order_id: payment.gatewayOrderId!,
          callback_url: `${test.url}/payments/${payment.paymentId}/return`,
          outcome: 'webhook_lost',
        }),
      });
      expect(await reconcile(payment)).toMatchObject({ status: 'open', concern: 'amount_differs' });
      // Its money may have come, so an hour later it is not given up.
      await test.fixtures.rewrite(
        `UPDATE payments SET created_at = created_at - interval '2 hours' WHERE payment_id = $1`,
        [payment.paymentId],
      );
      expect(await reconcile(payment)).toMatchObject({ status: 'open', concern: 'amount_differs' });
      expect(await statusOf(number)).toBe('awaiting_payment, unpaid');
      expect(await all(desk().list({ concerning: true }))).toMatchObject([{ payment_id: payment.paymentId }]);
      const { clientId: neighbour } = await test.fixtures.store();
      expect(await all(desk().list({ concerning: true, clientId: neighbour }))).toEqual([]);
      await desk().resolve(payment.paymentId, 'sent back by hand', 'test');
      expect(await reconcile(payment)).toMatchObject({ concern: null, resolution: 'sent back by hand' });
      // A resolution applies to its own concern only.
      await test.fixtures.sql(`UPDATE payments SET resolved_concern = 'no_answer' WHERE payment_id = $1`, [
        payment.paymentId,
      ]);
      expect(await reconcile(payment)).toMatchObject({ concern: 'amount_differs' });
      expect(await balance()).toBe(0);
    });

    it.each(['no-uuid', '00000000-0000-4000-8000-000000000000', '%00'])(
      'when its id is unknown: %s',
      async (id) => {
        for (const path of [`/payments/${id}`, `/payments/${id}/return`]) {
          const response = await fetch(`${test.url}${path}`);
          expect(response.status).toBe(404);
          expect(await response.text()).toContain('There is nothing here');
        }
      },
    );
  });

  describe('that is refunded', () => {
    async function paid(outcome: 'pay' | 'refund_waits' | 'refund_fails'): Promise<Payment> {
      const payment = await buyer.topUp('500');
      await browser.comeBack(await browser.press(payment, outcome));
      expect(await balance()).toBe(500);
      return payment;
    }

    async function reconcileRefunds(): Promise<void> {
      await test.fixtures.sql(
        `UPDATE gateway_refunds SET next_check_at = now() WHERE status IN ('requested', 'pending')`,
      );
      await service(ReconcilerService).runSoon();
    }

    it('returns a part or the rest of the balance, and never more', async () => {
      const { paymentId } = await paid('pay');
      await desk().refund(paymentId, '200', 'test');
      expect(await balance()).toBe(300);
      await expect(desk().refund(paymentId, '300.01', 'test')).rejects.toMatchObject({ code: 'conflict' });
      const displayed = await desk().refund(paymentId, undefined, 'test');
      expect(displayed.refunds).toMatchObject([
        { amount: 200, status: 'processed' },
        { amount: 300, status: 'processed' },
      ]);
      expect(await balance()).toBe(0);
      await expect(desk().refund(paymentId, undefined, 'test')).rejects.toThrow(/already refunded/);
      expect(await desk().settle(paymentId)).toMatchObject({ concern: null });
    });

    it('cannot be spent while the refund is pending, and is credited again if it fails', async () => {
      const { paymentId } = await paid('refund_waits');
      const { refunds } = await desk().refund(paymentId, '400', 'test');
      expect(refunds).toMatchObject([{ status: 'pending' }]);
      expect(await balance()).toBe(100);
      await browser.endRefund(refunds[0]!.gateway_refund_id!, 'failed');
      await reconcileRefunds();
      await eventually(async () => (await balance()) === 500);
      expect((await history())[0]).toMatchObject({
        kind: 'payout_failed',
        against: 'in_transit',
        amount: 400,
      });
      // Only what the payment brought can be refunded, not what came back.
      await desk().refund(paymentId, '400', 'test');
      await expect(desk().refund(paymentId, '100.01', 'test')).rejects.toMatchObject({ code: 'conflict' });
    });

    it('is settled when the gateway confirms the refund', async () => {
      const { paymentId } = await paid('refund_waits');
      const { refunds } = await desk().refund(paymentId, undefined, 'test');
      await browser.endRefund(refunds[0]!.gateway_refund_id!, 'processed');
      await reconcileRefunds();
      await eventually(async () => (await desk().show(paymentId)).refunds[0]!.status === 'processed');
      expect(await balance()).toBe(0);
    });

    it('leaves the balance as it was when the gateway fails the refund at once', async () => {
      const { paymentId } = await paid('refund_fails');
      const { refunds } = await desk().refund(paymentId, undefined, 'test');
      expect(refunds).toMatchObject([{ status: 'failed' }]);
      expect(await balance()).toBe(500);
    });

    it('returns no more than the balance', async () => {
      const { paymentId } = await paid('pay');
      await fill('-450');
      await expect(desk().refund(paymentId, '51', 'test')).rejects.toMatchObject({
        code: 'insufficient_balance',
      });
      expect((await desk().show(paymentId)).refunds).toEqual([]);
    });
  });
});
