import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import request from 'supertest';
import { openServices } from '../../src/cli/local/open-services.js';
import { PaymentGateway } from '../../src/modules/payments/gateway/payment-gateway.js';
import { readSettings } from '../../src/platform/settings/settings.js';
import { OUTCOMES } from '../../src/sandbox-gateway/sandbox-order.js';
import { SandboxStore } from '../../src/sandbox-gateway/sandbox-store.js';
import { WebhookSender } from '../../src/sandbox-gateway/webhook-sender.js';
import { eventually } from '../support/eventually.js';
import { atSuiteEnd } from '../support/suite-end.js';
import { type OutcomeName, SandboxCheckout } from '../support/sandbox-checkout.js';
import { StubServer } from '../support/stub-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const RETURN_URL = 'https://wholesale.example.com/payments/return/1?a=1&b=2';

interface Event {
  event: string;
  payload: Record<string, { entity: Record<string, unknown> }>;
}

describe('The sandbox', () => {
  let test: TestApp;
  let gateway: PaymentGateway;
  let checkout: SandboxCheckout;
  /** The address to which the sandbox sends its events. */
  let receiver: StubServer;

  beforeAll(async () => {
    receiver = await StubServer.start();
    test = await startTestApp({ publicUrl: receiver.url });
    gateway = test.app.get(PaymentGateway, { strict: false });
    checkout = new SandboxCheckout(test.url);
  });
  beforeEach(async () => {
    receiver.answer = (response) => response.end();
    // Events of the test before.
    await sender().send([]);
    receiver.received.length = 0;
  });
  afterAll(() => test.close());

  const sender = () => test.app.get(WebhookSender, { strict: false });

  const open = (amount = 129_900) => gateway.open({ paymentId: randomUUID(), amount, currency: 'INR' });

  const formOf = (gatewayOrderId: string, amount = 129_900) =>
    gateway.form({
      gatewayOrderId,
      amount,
      currency: 'INR',
      description: '3 orders <b>"at once"</b> & more',
      returnUrl: RETURN_URL,
      cancelUrl: 'https://wholesale.example.com/dashboard',
    });

  const paid = async (outcome: OutcomeName) => {
    const orderId = await open();
    const back = await checkout.pay(formOf(orderId), outcome);
    return {
      orderId,
      back,
      returned: gateway.readReturn(back.fields, orderId),
      payments: await gateway.payments(orderId),
    };
  };

  /** Returns the received events, after verifying and reading each. */
  const notice = (): { name: string; orderId: string | undefined; eventId: string }[] =>
    receiver.received.map(({ headers, body }) => {
      const { eventId, gatewayOrderId } = gateway.readEvent(Buffer.from(body), headers);
      return { name: (JSON.parse(body) as Event).event, orderId: gatewayOrderId, eventId };
    });

  const sentEventNames = async () => {
    await sender().send([]);
    return notice().map(({ name }) => name);
  };

  it('is the gateway of the embedded database, and says that it is a test', () => {
    expect([gateway.name, gateway.isTest]).toEqual(['sandbox', true]);
    expect(formOf('order_1').action).toBe(`${receiver.url}/sandbox-gateway/v1/checkout/embedded`);
  });

  it('takes a payment from the form to the signed return, and sends its events', async () => {
    const { orderId, back, returned, payments } = await paid('pay');
    expect(back.action).toBe(RETURN_URL);
    expect(payments).toEqual([
      {
        ...returned,
        amount: 129_900,
        currency: 'INR',
        status: 'captured',
        amountRefunded: 0,
        method: 'upi',
        failure: null,
      },
    ]);
    expect(await sentEventNames()).toEqual(['payment.authorized', 'payment.captured', 'order.paid']);
    expect(notice().map((event) => event.orderId)).toEqual([orderId, orderId, orderId]);
    expect(new Set(notice().map(({ eventId }) => eventId)).size).toBe(3);
    expect(receiver.received.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array.from({ length: 3 }, () => 'POST /payments/webhook'),
    );
  });

  it('lets a payment fail, and the next attempt succeed', async () => {
    const orderId = await open();
    const back = await checkout.pay(formOf(orderId), 'fail');
    expect(gateway.readReturn(back.fields, orderId)).toEqual({
      failure: 'Payment failed because the test asked for it.',
    });
    expect(JSON.parse(back.fields['error[metadata]']!)).toMatchObject({ order_id: orderId });
    expect(await sentEventNames()).toEqual(['payment.failed']);
    await checkout.pay(formOf(orderId), 'pay');
    expect((await gateway.payments(orderId)).map(({ status }) => status)).toEqual(['failed', 'captured']);
  });

  it('allows twenty attempts for an order', async () => {
    const form = formOf(await open());
    for (let attempt = 1; attempt <= 19; attempt++) await checkout.pay(form, 'fail');
    await expect(checkout.pay(form, 'pay_twice')).rejects.toThrow('20 attempts');
    await checkout.pay(form, 'fail');
    await expect(checkout.pay(form, 'pay')).rejects.toThrow(/answers 400.*20 attempts/s);
  });

  it('can confirm a payment late', async () => {
    const { orderId, returned, payments } = await paid('pay_late');
    expect(returned).toEqual({ failure: 'The bank has not confirmed the payment yet.' });
    expect(payments.map(({ status }) => status)).toEqual(['created']);
    expect(await sentEventNames()).toEqual([]);
    expect(await checkout.arrive(payments[0]!.gatewayPaymentId)).toContain('captured');
    expect((await gateway.payments(orderId)).map(({ status }) => status)).toEqual(['captured']);
    expect(await sentEventNames()).toEqual(['payment.authorized', 'payment.captured', 'order.paid']);
  });

  it('can confirm a late payment after a second attempt was paid', async () => {
    const { orderId, payments } = await paid('pay_late');
    await checkout.pay(formOf(orderId), 'pay');
    await checkout.arrive(payments[0]!.gatewayPaymentId);
    expect((await gateway.payments(orderId)).map(({ status }) => status)).toEqual(['captured', 'captured']);
  });

  const EVENTS = ['payment.authorized', 'payment.captured', 'order.paid'];

  it.each<[OutcomeName, captured: number, names: string[], different: number]>([
    ['pay_twice', 2, [...EVENTS, ...EVENTS], 6],
    ['webhook_twice', 1, [...EVENTS, ...EVENTS], 3],
    ['webhook_lost', 1, [], 0],
    ['webhooks_out_of_order', 1, EVENTS.toReversed(), 3],
  ])('captures and tells of it, with the outcome %s', async (outcome, captured, names, different) => {
    const { returned, payments } = await paid(outcome);
    const facts = { status: 'captured', amount: 129_900 };
    expect(payments).toMatchObject(Array.from({ length: captured }, () => facts));
    expect(payments.map(({ gatewayPaymentId }) => ({ gatewayPaymentId }))).toContainEqual(returned);
    expect(await sentEventNames()).toEqual(names);
    expect(new Set(notice().map(({ eventId }) => eventId)).size).toBe(different);
  });

  it('can send events before the browser returns', async () => {
    const form = formOf(await open());
    await checkout.pay(form, 'webhook_before_return');
    expect(notice()).toHaveLength(3);
  });

  const paymentFor = async (outcome: OutcomeName) => {
    const { orderId, payments } = await paid(outcome);
    await sentEventNames();
    receiver.received.length = 0;
    return { orderId, paymentId: payments[0]!.gatewayPaymentId };
  };

  it('refunds a part and the rest, and no more', async () => {
    const { orderId, paymentId } = await paymentFor('pay');
    const refund = await gateway.refund(paymentId, 100_000, randomUUID());
    expect(refund).toMatchObject({ gatewayPaymentId: paymentId, amount: 100_000, status: 'processed' });
    expect(await gateway.payments(orderId)).toMatchObject([{ status: 'captured', amountRefunded: 100_000 }]);
    await expect(gateway.refund(paymentId, 29_901, randomUUID())).rejects.toMatchObject({
      code: 'gateway_refused',
    });
    await gateway.refund(paymentId, 29_900, randomUUID());
    expect(await gateway.payments(orderId)).toMatchObject([{ status: 'refunded', amountRefunded: 129_900 }]);
    expect(await sentEventNames()).toEqual(['refund.processed', 'refund.processed']);
    const [{ headers, body }] = receiver.received as [StubServer['received'][0]];
    expect(gateway.readEvent(Buffer.from(body), headers)).toMatchObject({
      gatewayOrderId: orderId,
      gatewayRefundId: refund.gatewayRefundId,
    });
  });

  it('makes one refund per key for simultaneous requests, and refuses another amount', async () => {
    const { orderId, paymentId } = await paymentFor('pay');
    const key = randomUUID();
    const refunds = await Promise.all(
      Array.from({ length: 20 }, () => gateway.refund(paymentId, 5_000, key)),
    );
    expect(new Set(refunds.map(({ gatewayRefundId }) => gatewayRefundId)).size).toBe(1);
    expect(await gateway.payments(orderId)).toMatchObject([{ amountRefunded: 5_000 }]);
    const refused = { code: 'gateway_refused', message: expect.stringContaining('same idempotency key') };
    await expect(gateway.refund(paymentId, 5_001, key)).rejects.toMatchObject(refused);
    const other = await paymentFor('pay');
    await expect(gateway.refund(other.paymentId, 5_000, key)).rejects.toMatchObject(refused);
    expect(await gateway.payments(other.orderId)).toMatchObject([{ amountRefunded: 0 }]);
  });

  it('captures one of several simultaneous payments of an order', async () => {
    const form = formOf(await open());
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => checkout.pay(form, 'pay')));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await gateway.payments(form.fields.order_id!)).toHaveLength(1);
  });

  it.each(['processed', 'failed'] as const)('can keep a refund pending until it is %s', async (outcome) => {
    const { orderId, paymentId } = await paymentFor('refund_waits');
    const { gatewayRefundId, status } = await gateway.refund(paymentId, 5_000, randomUUID());
    expect(status).toBe('pending');
    expect(await gateway.payments(orderId)).toMatchObject([{ amountRefunded: 5_000 }]);
    await checkout.settleRefund(gatewayRefundId, outcome);
    expect(await gateway.refundStatus(paymentId, gatewayRefundId)).toMatchObject({ status: outcome });
    expect(await gateway.payments(orderId)).toMatchObject([
      { amountRefunded: outcome === 'failed' ? 0 : 5_000 },
    ]);
    expect(await sentEventNames()).toEqual(['refund.created', `refund.${outcome}`]);
    await expect(checkout.settleRefund(gatewayRefundId, 'processed')).rejects.toThrow('not pending');
  });

  it('can fail a refund', async () => {
    const { orderId, paymentId } = await paymentFor('refund_fails');
    const refund = await gateway.refund(paymentId, 5_000, randomUUID());
    expect(refund.status).toBe('failed');
    expect(await gateway.payments(orderId)).toMatchObject([{ status: 'captured', amountRefunded: 0 }]);
    expect(await sentEventNames()).toEqual(['refund.failed']);
  });

  it('repeats an event that was not received, under the same id, and gives up in the end', async () => {
    const warn = mock.method(Logger.prototype, 'warn', () => undefined);
    receiver.answer = (response) => response.writeHead(500).end();
    sender().firstPauseMs = 1;
    await paid('fail');
    await eventually(() => warn.mock.calls.some(({ arguments: [line] }) => /gave up/.test(String(line))));
    warn.mock.restore();
    sender().firstPauseMs = 5_000;
    expect(receiver.received).toHaveLength(8);
    expect(new Set(notice().map(({ eventId }) => eventId)).size).toBe(1);
  });

  it('keeps its state over a restart, and shares it with every node', async () => {
    const { orderId, paymentId } = await paymentFor('pay');
    const other = await startTestApp({ publicUrl: receiver.url }, test.database);
    const otherPlace = other.app.get(PaymentGateway, { strict: false });
    expect(await otherPlace.payments(orderId)).toMatchObject([
      { gatewayPaymentId: paymentId, status: 'captured' },
    ]);
    await other.close();
  });

  const gatewayOfCommands = async (port: number) => {
    const settings = { ...readSettings({}), host: '127.0.0.1', port };
    const app = await openServices(settings, test.database.url);
    return { close: atSuiteEnd(() => app.close()), gateway: app.get(PaymentGateway, { strict: false }) };
  };

  it('is available to a command on the same machine', async () => {
    const { orderId } = await paymentFor('pay');
    const command = await gatewayOfCommands(Number(new URL(test.url).port));
    expect(await command.gateway.payments(orderId)).toMatchObject([{ status: 'captured' }]);
    await command.close();
  });

  it('is unavailable to a command while the service does not run, and the error says so', async () => {
    const gone = await StubServer.start();
    await gone.close();
    const command = await gatewayOfCommands(gone.port);
    await expect(command.gateway.payments('order_00000000000000')).rejects.toMatchObject({
      code: 'gateway_unavailable',
      message: expect.stringContaining('the service must be running'),
    });
    await command.close();
  });

  describe('has pages', () => {
    it('without scripts, with restricted forms and a note that no money moves', async () => {
      const form = formOf(await open());
      const started = await checkout.post(form.action, form.fields);
      const policy = started.headers.get('content-security-policy')!;
      expect(policy).toContain(
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self';",
      );
      const page = await started.text();
      expect(page).toContain('no money moves');
      expect(page).toContain('3 orders &lt;b>&quot;at once&quot;&lt;/b> &amp; more');
      expect(page).not.toMatch(/<script|<b>| on\w+=/i);
      for (const outcome of Object.keys(OUTCOMES)) expect(page).toContain(`value="${outcome}"`);
      const ended = await checkout.post('/sandbox-gateway/checkout', {
        order_id: form.fields.order_id!,
        callback_url: RETURN_URL,
        outcome: 'pay',
      });
      expect(ended.headers.get('content-security-policy')).toContain(
        "form-action 'self' https://wholesale.example.com;",
      );
      expect(await ended.text()).toContain('no money moves');
    });

    it.each<[string, Record<string, string | undefined>]>([
      ['another amount', { amount: '1' }],
      ['another currency', { currency: 'USD' }],
      ['another key', { key_id: 'rzp_live_1' }],
      ['no key', { key_id: undefined }],
      ['no order', { order_id: undefined }],
      ['an unknown order', { order_id: 'order_00000000000000' }],
      ['an invalid order id', { order_id: "order_'; --" }],
      ['no return address', { callback_url: undefined }],
      ['a script as return address', { callback_url: 'javascript:alert(1)' }],
      ['a script as cancel address', { cancel_url: 'javascript:alert(1)' }],
    ])('that refuse %s', async (_, change) => {
      const form = formOf(await open());
      const fields = Object.entries({ ...form.fields, ...change }).filter(([, value]) => value !== undefined);
      const response = await checkout.post(form.action, Object.fromEntries(fields) as Record<string, string>);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: 'BAD_REQUEST_ERROR' } });
    });

    it('that refuse an unknown outcome, and unknown payments and refunds', async () => {
      const orderId = await open();
      const body = { order_id: orderId, callback_url: RETURN_URL };
      for (const outcome of ['', 'constructor', 'toString', 'PAY']) {
        expect((await checkout.post('/sandbox-gateway/checkout', { ...body, outcome })).status).toBe(400);
      }
      for (const path of [
        'payments/pay_00000000000000/arrive',
        'refunds/rfnd_00000000000000/failed',
        'payments/%00/arrive',
      ])
        expect((await checkout.post(`/sandbox-gateway/${path}`, {})).status).toBe(400);
      expect(await gateway.payments(orderId)).toEqual([]);
    });
  });

  describe('has an API', () => {
    let credentials: [string, string];

    beforeAll(async () => {
      const { keyId, keySecret } = await test.app.get(SandboxStore, { strict: false }).keys();
      credentials = [keyId, keySecret];
    });

    const api = (method: 'get' | 'post', path: string) => {
      const agent = request(test.url);
      return agent[method](`/sandbox-gateway/v1${path}`).auth(...credentials);
    };

    it('that shows an order as Razorpay does', async () => {
      const order = { amount: 5_000, currency: 'INR', receipt: 'r-1' };
      const { body } = await api('post', '/orders').send(order).expect(200);
      expect(body).toEqual({ ...order, id: expect.stringMatching(/^order_\w{14}$/), status: 'created' });
    });

    it('that requires the keys', async () => {
      const refused = { error: { code: 'BAD_REQUEST_ERROR', description: 'Authentication failed' } };
      for (const [user, password] of [
        [credentials[0], ''],
        ['', ''],
        [credentials[0], `${credentials[1]}x`],
        [credentials[1], credentials[0]],
      ] as const) {
        const { body } = await request(test.url)
          .get('/sandbox-gateway/v1/orders/x/payments')
          .auth(user, password)
          .expect(401);
        expect(body).toMatchObject(refused);
      }
      await request(test.url).post('/sandbox-gateway/v1/orders').send({}).expect(401);
    });

    const ORDER = { amount: 5_000, currency: 'INR' };
    it.each<[string, object | string, number]>([
      ['no amount', { currency: 'INR' }, 400],
      ['an amount in a text', { ...ORDER, amount: '5000' }, 400],
      ['half a paisa', { ...ORDER, amount: 5_000.5 }, 400],
      ['less than a rupee', { ...ORDER, amount: 99 }, 400],
      ['an amount that is too large', { ...ORDER, amount: 1e300 }, 400],
      ['no currency', { amount: 5_000 }, 400],
      ['a receipt that is too long', { ...ORDER, receipt: 'x'.repeat(41) }, 400],
      ['a receipt with NUL', { ...ORDER, receipt: '\0' }, 400],
      ['capture by hand', { ...ORDER, payment: { capture: 'manual' } }, 400],
      ['capture as null', { ...ORDER, payment: null }, 400],
      ['notes, which the sandbox does not keep', { ...ORDER, notes: { a: 'b' } }, 400],
      ['an unknown field', { ...ORDER, partial: true }, 400],
      ['a list', [ORDER], 422],
      ['no JSON', '{', 400],
    ])('that refuses an order with %s', async (_, sent, status) => {
      const { body } = await api('post', '/orders')
        .set('Content-Type', 'application/json')
        .send(sent)
        .expect(status);
      expect(body).toMatchObject({ error: { code: 'BAD_REQUEST_ERROR', description: expect.any(String) } });
    });

    it('that answers 400 to unknown ids', async () => {
      for (const id of ['order_00000000000000', 'x', '%00', "'"]) {
        for (const path of [`/orders/${id}/payments`, `/payments/${id}/refunds/${id}`])
          expect((await api('get', path).expect(400)).body).toMatchObject({
            error: { description: 'The id provided does not exist' },
          });
      }
      await api('post', '/payments/pay_00000000000000/refund').send({}).expect(400);
    });

    it('that refunds only captured payments', async () => {
      const { payments } = await paid('fail');
      await expect(gateway.refund(payments[0]!.gatewayPaymentId, 100, randomUUID())).rejects.toMatchObject({
        code: 'gateway_refused',
        message: expect.stringContaining('should be captured'),
      });
    });

    it('that is absent from the OpenAPI document', async () => {
      const { text } = await request(test.url).get('/docs/openapi.json').expect(200);
      expect(text).not.toContain('sandbox');
    });
  });

  it('answers random requests without a 5xx', async () => {
    const orderId = await open();
    const { keyId, keySecret } = await test.app.get(SandboxStore, { strict: false }).keys();
    const names = [
      'amount',
      'currency',
      'receipt',
      'notes',
      'payment',
      'speed',
      'order_id',
      'callback_url',
      'outcome',
    ];
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(orderId, keyId, 'pay', 'INR', 129_900, RETURN_URL, '\0', '\ud800', 1e308, -0),
    );
    const fields = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), values);
    const paths = [
      'v1/orders',
      'v1/payments/pay_00000000000000/refund',
      'v1/checkout/embedded',
      'checkout',
    ] as const;
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fields, fc.boolean(), async (path, sent, asForm) => {
        const post = request(test.url).post(`/sandbox-gateway/${path}`).auth(keyId, keySecret);
        const texts = Object.entries({ key_id: keyId, ...sent }).map(([name, value]): [string, string] => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]);
        const { status } = asForm
          ? await post.type('form').send(new URLSearchParams(texts).toString())
          : await post.set('Content-Type', 'application/json').send(JSON.stringify(sent));
        statuses.add(status);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 400 },
    );
    expect([...statuses]).toContain(400);
  });

  it('is absent when another gateway is configured', async () => {
    const other = await startTestApp({ paymentGateway: { name: 'none' } }, test.database);
    await request(other.url).post('/sandbox-gateway/v1/orders').expect(404);
    await request(other.url).post('/sandbox-gateway/v1/checkout/embedded').expect(404);
    await request(other.url).get('/sandbox-gateway/payments/pay_00000000000000').expect(404);
    await other.close();
  });
});
