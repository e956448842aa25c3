import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { Payment } from '../../../src/modules/orders/entities/payment.entity.js';
import { Buyer } from '../../support/buyer.js';
import { type RawRequest, sendRaw } from '../../support/fuzz/raw-request.js';
import { printFigures } from '../../support/print-figures.js';
import { StubRazorpay } from '../../support/stub-razorpay.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const RUNS = Number(process.env.FUZZ_RUNS ?? 1_000);

const FORM = 'application/x-www-form-urlencoded';

describe('Random requests to the public gateway paths', () => {
  let razorpay: StubRazorpay;
  let test: TestApp;
  let payment: Payment;

  beforeAll(async () => {
    razorpay = await StubRazorpay.start();
    const paymentGateway = { name: 'razorpay' as const, apiUrl: razorpay.url, ...razorpay.keys };
    test = await startTestApp({ paymentGateway });
    const { clientId } = await test.fixtures.store();
    payment = await (await Buyer.of(test, clientId)).topUp('100');
    // The payment is paid, so that a wrongly accepted request would show in the wallet.
    razorpay.capture(payment.gatewayOrderId!);
    await test.fixtures.sql('UPDATE payments SET next_check_at = NULL');
  });
  afterAll(async () => {
    await test.close();
    await razorpay.close();
  });

  const event = () =>
    JSON.stringify({ payload: { payment: { entity: { id: 'pay_1', order_id: payment.gatewayOrderId } } } });

  const paths = () =>
    fc.oneof(
      fc.constantFrom(
        '/payments/webhook',
        '/payments/webhook/',
        '/payments/webhook?x=1',
        '/payments',
        '/payments/',
      ),
      fc.constantFrom(`/payments/${payment.paymentId}/return`, `/payments/${payment.paymentId}`),
      fc.webPath().map((path) => `/payments${path}`),
    );

  const bodies = () =>
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
      fc.constant(Buffer.from(event())),
      fc
        .dictionary(
          fc.constantFrom('razorpay_payment_id', 'razorpay_signature', '__proto__', 'x'),
          fc.string(),
        )
        .map((fields) => Buffer.from(new URLSearchParams(fields).toString())),
      fc.nat({ max: 63 }).map((at) => Buffer.from(new URLSearchParams(turned(at)).toString())),
    );

  /** Returns a valid return with one wrong digit in its signature. */
  function turned(at: number): Record<string, string> {
    const fields = razorpay.fieldsOfReturn(payment.gatewayOrderId!);
    const digits = [...fields.razorpay_signature!];
    digits[at] = digits[at] === '0' ? '1' : '0';
    return { ...fields, razorpay_signature: digits.join('') };
  }

  const headers = () =>
    fc.record(
      {
        'Content-Type': fc.constantFrom(
          'application/json',
          FORM,
          `${FORM}; charset=utf-16`,
          'text/plain',
          'x',
        ),
        'X-Razorpay-Signature': fc.oneof(
          fc.constantFrom('', 'x', '0'.repeat(64), '0'.repeat(1_000)),
          // A signature with the key secret is not valid for events.
          fc.constant(createHmac('sha256', razorpay.keys.keySecret).update(event()).digest('hex')),
        ),
        'X-Razorpay-Event-Id': fc.constantFrom('evt_1', '', 'x'.repeat(300), "' OR 1=1"),
        'Content-Encoding': fc.constantFrom('gzip', 'identity'),
        Cookie: fc.constant('session=1'),
      },
      { requiredKeys: [] },
    );

  const requests = (): fc.Arbitrary<RawRequest> =>
    fc.record({
      method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'),
      path: paths(),
      headers: headers(),
      body: bodies(),
    }) as fc.Arbitrary<RawRequest>;

  const known = async () =>
    (
      await test.pool.query(
        `SELECT (SELECT count(*)::int FROM wallet_entries) AS entries,
                (SELECT count(*)::int FROM gateway_events) AS events,
                (SELECT string_agg(status, ',') FROM payments) AS payments`,
      )
    ).rows[0] as unknown;

  it('get no 5xx, and change nothing without a valid signature', async () => {
    const before = await known();
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(requests(), async (fuzzed) => {
        const { status, headers: message, text } = await sendRaw(test.url, fuzzed);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect(status).toBeLessThan(500);
        if (status < 400 || fuzzed.method === 'HEAD') return;
        if (message['content-type'] === 'text/html; charset=utf-8')
          expect(text).toContain('Back to the dashboard');
        else expect(JSON.parse(text)).toMatchObject({ success: false, code: expect.any(String) });
      }),
      { numRuns: RUNS },
    );
    expect(await known()).toEqual(before);
    const answers = [...statuses].map(([status, times]) => `${status}×${times}`).join(' ');
    printFigures('fuzz of the gateway’s addresses', { requests: RUNS, answers });
  });
});
