import { inspect } from 'node:util';
import { NoGateway } from '../../../src/modules/payments/gateway/gateway.module.js';
import type { PaymentGateway } from '../../../src/modules/payments/gateway/payment-gateway.js';
import {
  razorpayAccount,
  RazorpayClient,
} from '../../../src/modules/payments/gateway/razorpay/razorpay-client.js';
import { RazorpayGateway } from '../../../src/modules/payments/gateway/razorpay/razorpay-gateway.js';
import { sign } from '../../../src/modules/payments/gateway/razorpay/signature.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { StubServer } from '../../support/stub-server.js';

const KEYS = { keyId: 'rzp_live_1234', keySecret: 'the-key-secret', webhookSecret: 'the-webhook-secret' };
const BASIC = Buffer.from('rzp_live_1234:the-key-secret').toString('base64');

const TO_OPEN = { paymentId: 'f2d3e7a0-0000-4000-8000-000000000001', amount: 129_900, currency: 'INR' };

const ORDER = {
  id: 'order_IluGWxBm9U8zJ8',
  entity: 'order',
  amount: 129_900,
  amount_paid: 0,
  amount_due: 129_900,
  currency: 'INR',
  receipt: TO_OPEN.paymentId,
  offer_id: null,
  status: 'created',
  attempts: 0,
  notes: [],
  created_at: 1_642_662_092,
};

const PAYMENT = {
  id: 'pay_DESlfW9H8K9uqM',
  entity: 'payment',
  amount: 129_900,
  currency: 'INR',
  status: 'captured',
  order_id: ORDER.id,
  method: 'upi',
  captured: true,
  amount_refunded: 0,
  refund_status: null,
  error_code: null,
  error_description: null,
};

const REFUND = {
  id: 'rfnd_FgRAHdNOM4ZVbO',
  entity: 'refund',
  amount: 5_000,
  currency: 'INR',
  payment_id: PAYMENT.id,
  status: 'pending',
};

const collectionOf = (...items: object[]) => ({ entity: 'collection', count: items.length, items });

/** A busy machine must not cause timeouts. */
function gatewayAt({ url }: StubServer, timeoutMs = 20_000): PaymentGateway {
  const account = razorpayAccount({ name: 'razorpay', apiUrl: url, ...KEYS });
  return new RazorpayGateway(account, new RazorpayClient(account, timeoutMs));
}

describe('The Razorpay gateway', () => {
  let stub: StubServer;
  let gateway: PaymentGateway;

  beforeEach(async () => {
    stub = await StubServer.start();
    gateway = gatewayAt(stub);
  });
  afterEach(() => stub.close());

  const answerWith = (body: unknown, status = 200, from = stub) => {
    from.answer = (response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  };

  const errorOf = async (promise: Promise<unknown>) => {
    const error: unknown = await promise.then(
      (value) => Promise.reject(new Error(`No error, but: ${inspect(value)}`)),
      (reason: unknown) => reason,
    );
    // No secret appears at any depth of a logged error.
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(
      new RegExp(`the-key-secret|the-webhook-secret|${BASIC}`),
    );
    return error;
  };

  it('asks for automatic capture, and returns the id of the order', async () => {
    answerWith(ORDER);
    expect(await gateway.open(TO_OPEN)).toBe(ORDER.id);
    const [{ method, path, headers, body } = {} as never] = stub.received;
    expect([method, path, headers.authorization]).toEqual(['POST', '/v1/orders', `Basic ${BASIC}`]);
    expect(JSON.parse(body)).toMatchObject({
      amount: 129_900,
      currency: 'INR',
      receipt: TO_OPEN.paymentId,
      payment: { capture: 'automatic' },
    });
  });

  it('builds a form for the browser without secrets', () => {
    const form = gateway.form({
      gatewayOrderId: ORDER.id,
      amount: 129_900,
      currency: 'INR',
      description: '3 orders',
      returnUrl: 'https://wholesale.example.com/payments/return/1',
      cancelUrl: 'https://wholesale.example.com/dashboard',
    });
    expect(form).toEqual({
      action: `${stub.url}/v1/checkout/embedded`,
      fields: {
        key_id: 'rzp_live_1234',
        order_id: ORDER.id,
        amount: '129900',
        currency: 'INR',
        name: 'Wholesale orders',
        description: '3 orders',
        callback_url: 'https://wholesale.example.com/payments/return/1',
        cancel_url: 'https://wholesale.example.com/dashboard',
      },
    });
  });

  it('lists all attempts to pay', async () => {
    answerWith(
      collectionOf(
        { ...PAYMENT, id: 'pay_1', status: 'failed', method: 'card', error_description: 'Wrong\nOTP\0' },
        { ...PAYMENT, amount_refunded: 5_000 },
      ),
    );
    expect(await gateway.payments(ORDER.id)).toEqual([
      {
        gatewayPaymentId: 'pay_1',
        amount: 129_900,
        currency: 'INR',
        status: 'failed',
        amountRefunded: 0,
        method: 'card',
        failure: 'Wrong OTP',
      },
      {
        gatewayPaymentId: PAYMENT.id,
        amount: 129_900,
        currency: 'INR',
        status: 'captured',
        amountRefunded: 5_000,
        method: 'upi',
        failure: null,
      },
    ]);
    expect(stub.received[0]!.path).toBe(`/v1/orders/${ORDER.id}/payments`);
  });

  it('sends a refund with its key, and reads the status of the refund', async () => {
    answerWith(REFUND);
    const refund = {
      gatewayRefundId: REFUND.id,
      gatewayPaymentId: PAYMENT.id,
      amount: 5_000,
      status: 'pending',
    };
    expect(await gateway.refund(PAYMENT.id, 5_000, 'refund-00001')).toEqual(refund);
    expect(stub.received[0]).toMatchObject({
      path: `/v1/payments/${PAYMENT.id}/refund`,
      headers: { 'x-refund-idempotency': 'refund-00001' },
      body: JSON.stringify({ amount: 5_000, speed: 'normal' }),
    });
    answerWith({ ...REFUND, status: 'failed' });
    expect(await gateway.refundStatus(PAYMENT.id, REFUND.id)).toEqual({ ...refund, status: 'failed' });
    expect(stub.received[1]!.path).toBe(`/v1/payments/${PAYMENT.id}/refunds/${REFUND.id}`);
  });

  it('repeats a request with the same key when the gateway is away or busy', async () => {
    const answers = [
      [503, 'upstream away'],
      [409, JSON.stringify({ error: { code: 'CONFLICT', description: 'being processed' } })],
      [200, JSON.stringify(REFUND)],
    ] as const;
    stub.answer = (response) => {
      const [status, body] = answers[stub.received.length - 1]!;
      response.writeHead(status).end(body);
    };
    await gateway.refund(PAYMENT.id, 5_000, 'refund-00001');
    expect(stub.received.map(({ headers }) => headers['x-refund-idempotency'])).toEqual(
      Array.from({ length: 3 }, () => 'refund-00001'),
    );
  });

  it('does not repeat a refused request, and masks secrets in the reason', async () => {
    answerWith(
      {
        error: {
          code: 'BAD_REQUEST_ERROR',
          description: `No\r\nsuch order for the-key-secret, the-webhook-secret, Basic ${BASIC}`,
        },
      },
      400,
    );
    expect(await errorOf(gateway.payments(ORDER.id))).toMatchObject({
      code: 'gateway_refused',
      message: expect.stringMatching(/\(400\): No such order for …, …, Basic …$/),
    });
    expect(stub.received).toHaveLength(1);
  });

  it('does not send a key that the gateway would refuse', async () => {
    expect(await errorOf(gateway.refund(PAYMENT.id, 100, 'too short'))).toMatchObject({
      code: 'gateway_refused',
    });
    expect(stub.received).toEqual([]);
  });

  it('does not follow redirects with its credentials', async () => {
    const otherPlace = await StubServer.start();
    stub.answer = (response) => response.writeHead(307, { Location: `${otherPlace.url}/v1/orders` }).end();
    expect(await errorOf(gateway.open(TO_OPEN))).toMatchObject({ code: 'gateway_unavailable' });
    expect(otherPlace.received).toEqual([]);
  });

  // Each test asks three times with pauses, at its own gateway, so that they can run at the same time.
  it.concurrent.each<[string, StubServer['answer']]>([
    ['never answers', () => undefined],
    ['begins an answer and never ends it', (response) => response.writeHead(200).write('{"id":')],
    [
      'ends within its answer',
      (response) => {
        response.writeHead(200, { 'Content-Length': 1_000 }).write('{"id":');
        setImmediate(() => response.destroy());
      },
    ],
    ['closes the connection', (response) => response.destroy()],
    ['fails', (response) => response.writeHead(500).end('{"error":null}')],
    ['answers 429', (response) => response.writeHead(429).end()],
    ['sends an empty answer', (response) => response.end()],
    ['answers with HTML', (response) => response.end('<html>Maintenance</html>')],
    ['sends too long an answer', (response) => response.end(`"${'x'.repeat(2 ** 21)}"`)],
    ['answers with a list', (response) => response.end('[]')],
    ['answers with null', (response) => response.end('null')],
  ])('reports the gateway as unavailable when it %s', async (_, answer) => {
    const away = await StubServer.start();
    away.answer = answer;
    expect(await errorOf(gatewayAt(away, 1_000).payments(ORDER.id))).toMatchObject({
      code: 'gateway_unavailable',
    });
    expect(away.received).toHaveLength(3);
    await away.close();
  });

  it('ends an answer without an end also when garbage is collected meanwhile', async () => {
    const away = await StubServer.start();
    away.answer = (response) => response.writeHead(200).write('{"id":');
    const collecting = setInterval(collectGarbage, 20);
    const error = await errorOf(gatewayAt(away, 500).payments(ORDER.id)).finally(() =>
      clearInterval(collecting),
    );
    expect(error).toMatchObject({ code: 'gateway_unavailable' });
    await away.close();
  });

  it('reports the gateway as unavailable when no server listens, with its address', async () => {
    const { url } = stub;
    await stub.close();
    expect(await errorOf(gateway.open(TO_OPEN))).toMatchObject({
      code: 'gateway_unavailable',
      message: `The payment gateway at ${url} does not answer. Try again later.`,
    });
  });

  const readings: [string, (gateway: PaymentGateway) => Promise<unknown>, object[]][] = [
    [
      'an order',
      (of) => of.open(TO_OPEN),
      [
        { ...ORDER, id: undefined },
        { ...ORDER, id: 'order_../../payments' },
        { ...ORDER, amount: 129_901 },
        { ...ORDER, amount: '129900' },
        { ...ORDER, currency: 'USD' },
      ],
    ],
    [
      'payments',
      (of) => of.payments(ORDER.id),
      [
        collectionOf({ ...PAYMENT, amount: 1.5 }),
        collectionOf({ ...PAYMENT, amount: -1 }),
        collectionOf({ ...PAYMENT, amount: '129900' }),
        collectionOf({ ...PAYMENT, amount: 2 ** 53 }),
        collectionOf({ ...PAYMENT, amount_refunded: 129_901 }),
        collectionOf({ ...PAYMENT, status: 'CAPTURED' }),
        collectionOf({ ...PAYMENT, status: undefined }),
        collectionOf({ ...PAYMENT, currency: 'inr' }),
        collectionOf({ ...PAYMENT, order_id: 'order_another' }),
        collectionOf({ ...PAYMENT, id: 17 }),
        collectionOf({ ...PAYMENT, method: {} }),
        { ...collectionOf(PAYMENT), count: 2 },
        { ...collectionOf(PAYMENT), items: { 0: PAYMENT } },
        { ...collectionOf(PAYMENT), entity: 'payment' },
        collectionOf([]),
      ],
    ],
    [
      'a refund',
      (of) => of.refund(PAYMENT.id, 5_000, 'refund-00001'),
      [
        { ...REFUND, amount: 4_999 },
        { ...REFUND, payment_id: 'pay_another' },
        { ...REFUND, status: 'done' },
        { ...REFUND, id: 'pay_1' },
      ],
    ],
    [
      'the state of a refund',
      (of) => of.refundStatus(PAYMENT.id, REFUND.id),
      [
        { ...REFUND, id: 'rfnd_another' },
        { ...REFUND, amount: null },
      ],
    ],
  ];
  it.each(readings)('rejects an answer with an invalid form of %s', async (_, ask, wrong) => {
    // Each request is repeated after a pause, at its own gateway, so that they can run at the same time.
    const codeFor = async (answer: object) => {
      const odd = await StubServer.start();
      answerWith(answer, 200, odd);
      const { code } = (await errorOf(ask(gatewayAt(odd)))) as { code: unknown };
      await odd.close();
      return code;
    };
    expect(await Promise.all(wrong.map(codeFor))).toEqual(wrong.map(() => 'gateway_unavailable'));
  });

  describe('checks the signature of a browser return', () => {
    const signature = sign(`${ORDER.id}|${PAYMENT.id}`, KEYS.keySecret);
    const fields = {
      razorpay_payment_id: PAYMENT.id,
      razorpay_order_id: ORDER.id,
      razorpay_signature: signature,
    };

    it('and accepts it for the right order', () => {
      expect(gateway.readReturn(fields, ORDER.id)).toEqual({ gatewayPaymentId: PAYMENT.id });
      expect(() => gateway.readReturn(fields, 'order_another')).toThrow(
        expect.objectContaining({ code: 'signature_invalid' }),
      );
    });

    it('and ignores other fields', () => {
      expect(gateway.readReturn({ ...fields, razorpay_order_id: 'order_another' }, ORDER.id)).toEqual({
        gatewayPaymentId: PAYMENT.id,
      });
    });

    it.each<[string, object]>([
      ['another payment', { razorpay_payment_id: 'pay_another' }],
      ['two payments', { razorpay_payment_id: [PAYMENT.id, PAYMENT.id] }],
      ['two signatures', { razorpay_signature: [signature, signature] }],
      ['no signature', { razorpay_signature: undefined }],
      ['a failure beside it', { razorpay_signature: '', 'error[code]': 'X', 'error[description]': 'Y' }],
      [
        'a signature with the other secret',
        { razorpay_signature: sign(`${ORDER.id}|${PAYMENT.id}`, KEYS.webhookSecret) },
      ],
    ])('and refuses %s', (_, change) => {
      expect(() => gateway.readReturn({ ...fields, ...change }, ORDER.id)).toThrow(
        expect.objectContaining({ code: 'signature_invalid' }),
      );
    });

    it('and reads a failure as one line of text', () => {
      const failure = { 'error[code]': 'BAD_REQUEST_ERROR', 'error[description]': 'Wrong\r\nOTP' };
      expect(gateway.readReturn(failure, ORDER.id)).toEqual({ failure: 'Wrong OTP' });
      expect(() => gateway.readReturn({}, ORDER.id)).toThrow(
        expect.objectContaining({ code: 'signature_invalid' }),
      );
    });
  });

  describe('checks the signature of an event', () => {
    const raw = Buffer.from(
      JSON.stringify({
        entity: 'event',
        event: 'refund.processed',
        payload: { refund: { entity: REFUND }, payment: { entity: PAYMENT } },
      }),
    );
    const headersFor = (body: Buffer) => ({
      'x-razorpay-signature': sign(body, KEYS.webhookSecret),
      'x-razorpay-event-id': 'E2Rk3vKjVbXm4s',
    });

    it('and reads the ids of order, payment and refund', () => {
      expect(gateway.readEvent(raw, headersFor(raw))).toEqual({
        eventId: 'E2Rk3vKjVbXm4s',
        gatewayOrderId: ORDER.id,
        gatewayPaymentId: PAYMENT.id,
        gatewayRefundId: REFUND.id,
      });
      // The signature is over the exact bytes.
      expect(() => gateway.readEvent(Buffer.concat([raw, Buffer.from(' ')]), headersFor(raw))).toThrow(
        expect.objectContaining({ code: 'signature_invalid' }),
      );
    });

    it.each<[string, object, object]>([
      ['an order', { payload: { order: { entity: ORDER } } }, { gatewayOrderId: ORDER.id }],
      ['nothing of ours', { payload: { dispute: { entity: { id: 'disp_1' } } } }, {}],
      ['nothing at all', {}, {}],
      ['odd ids', { payload: { payment: { entity: { order_id: { $ne: 1 } } }, refund: 7 } }, {}],
    ])('and accepts an event about %s', (_, event, expected) => {
      const body = Buffer.from(JSON.stringify(event));
      expect(gateway.readEvent(body, headersFor(body))).toEqual({ eventId: 'E2Rk3vKjVbXm4s', ...expected });
    });

    it.each<[string, object]>([
      ['no signature', { 'x-razorpay-signature': undefined }],
      ['a signature with the other secret', { 'x-razorpay-signature': sign(raw, KEYS.keySecret) }],
      ['no id', { 'x-razorpay-event-id': undefined }],
      ['two ids', { 'x-razorpay-event-id': 'one, two' }],
    ])('and refuses %s', (_, change) => {
      expect(() => gateway.readEvent(raw, { ...headersFor(raw), ...change })).toThrow(
        expect.objectContaining({ code: 'signature_invalid' }),
      );
    });
  });

  it('uses real money unless its key is a test key', () => {
    const isTestWith = (keyId: string) =>
      new RazorpayGateway(razorpayAccount({ name: 'razorpay', apiUrl: stub.url, ...KEYS, keyId })).isTest;
    expect([isTestWith('rzp_live_1'), isTestWith('rzp_test_1')]).toEqual([false, true]);
  });
});

describe('Without a gateway', () => {
  const gateway: PaymentGateway = new NoGateway();

  it('no payment is possible, and the error names the setting', async () => {
    const unavailable = { code: 'gateway_unavailable', message: expect.stringContaining('PAYMENT_GATEWAY') };
    await expect(gateway.open(TO_OPEN)).rejects.toMatchObject(unavailable);
    await expect(gateway.payments(ORDER.id)).rejects.toMatchObject(unavailable);
    await expect(gateway.refund(PAYMENT.id, 1, 'refund-00001')).rejects.toMatchObject(unavailable);
    expect(() => gateway.form({} as never)).toThrow(expect.objectContaining(unavailable));
  });

  it('no signature is valid', () => {
    const invalid = expect.objectContaining({ code: 'signature_invalid' });
    expect(() => gateway.readReturn({}, ORDER.id)).toThrow(invalid);
    expect(() => gateway.readEvent(Buffer.from('{}'), {})).toThrow(invalid);
  });
});
